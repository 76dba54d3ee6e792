import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { Mailer } from '../mail/mailer.ts'
import type { Config } from '../parse-config.ts'
import { connectRedis } from '../redis/connect-redis.ts'
import { Objects } from '../storage/objects.ts'
import { makeLog } from '../telemetry/log.ts'
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts'

const WAIT_MS = 5_000
const SIGNED_SECONDS = 60

export async function examineRedis({ REDIS_URL }: Config): Promise<Finding[]> {
  if (REDIS_URL === undefined)
    return [ok('redis', 'not set: queues are in PostgreSQL, and limits are counted per process')]
  let last: unknown
  const use = {
    connectionName: 'guildhall-doctor',
    enableOfflineQueue: true,
    maxRetriesPerRequest: 1,
    commandTimeout: WAIT_MS,
  }
  const redis = connectRedis(REDIS_URL, use, (error) => (last = error))
  try {
    const info = await redis.info()
    const infoOf = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
    const findings = [ok('redis', `Redis ${infoOf('redis_version')} answers`)]
    const policy = infoOf('maxmemory_policy')
    if (policy !== 'noeviction')
      findings.push(
        fault(
          'redis',
          `maxmemory-policy is ${policy}: a full Redis removes signals of the queue, and work waits for the next sweep`,
          'Set maxmemory-policy noeviction',
        ),
      )
    if (infoOf('aof_enabled') === '0')
      findings.push(
        warning(
          'redis',
          'appendonly is off: after a crash, signals since the last snapshot are lost, and work waits for the next sweep',
          'Set appendonly yes',
        ),
      )
    return findings
  } catch (error) {
    return [
      fault(
        'redis',
        `it cannot be used: ${reasonOf(last ?? error)}`,
        'Correct REDIS_URL, or start Redis. Until then limits are counted per process, and work waits',
      ),
    ]
  } finally {
    redis.disconnect()
  }
}

/** Writes, reads and removes an object, and asks as a browser asks before it uploads. */
export async function examineStorage(config: Config): Promise<Finding[]> {
  const lines: string[] = []
  const log = makeLog('warn', 'doctor', { write: (line) => lines.push(line) })
  const objects = new Objects(config, log)
  if (!objects.isSetUp)
    return [warning('storage', 'S3_BUCKET is not set: files cannot be stored', 'Set S3_BUCKET')]
  const folder = `doctor/${randomUUID()}/`
  const key = `${folder}object`
  try {
    await objects.ping()
    await objects.put(key, bytes())
    const found = await objects.get(key)
    found?.body.destroy()
    if (found?.length !== CONTENT.length)
      return [fault('storage', 'an object that was written cannot be read', 'Look at the log of the storage')]
    const cors = await examineCors(config, await objects.signedPut(`${folder}upload`, UPLOAD))
    await objects.removeBelow(folder)
    if ((await objects.sizeOf(key)) !== undefined)
      return [fault('storage', 'an object cannot be removed', 'Allow s3:DeleteObject and s3:ListBucket')]
    return [ok('storage', `objects of ${config.S3_BUCKET} can be written, read and removed`), ...cors]
  } catch (error) {
    const logged = lines.map((line) => JSON.parse(line).err?.message).at(-1)
    return [
      fault(
        'storage',
        `the bucket ${config.S3_BUCKET} cannot be used: ${logged ?? reasonOf(error)}`,
        'Correct S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or allow this key to read, write, list and delete',
      ),
    ]
  } finally {
    objects.close()
  }
}

const CONTENT = Buffer.from('guildhall doctor')
const UPLOAD = { size: CONTENT.length, type: 'text/plain', seconds: SIGNED_SECONDS }

async function* bytes() {
  yield CONTENT
}

async function examineCors({ BASE_URL }: Config, url: string): Promise<Finding[]> {
  const { origin } = new URL(BASE_URL)
  const headers = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type',
  }
  const answer = await fetch(url, { method: 'OPTIONS', headers, signal: AbortSignal.timeout(WAIT_MS) }).catch(
    (error: Error) => error,
  )
  const cure =
    'Allow PUT with the header content-type from the origins of your sites in the CORS rules of the bucket'
  if (answer instanceof Error)
    return [
      warning(
        'storage',
        `browsers cannot reach it at ${new URL(url).origin}: ${reasonOf(answer)}`,
        'Correct S3_PUBLIC_ENDPOINT',
      ),
    ]
  const allowed = answer.headers.get('access-control-allow-origin')
  if (answer.ok && allowed !== null && (allowed === '*' || allowed === origin))
    return [ok('storage', 'browsers may upload to it')]
  return [warning('storage', `browsers from ${origin} may not upload to it directly`, cure)]
}

export async function examineMail(config: Config): Promise<Finding[]> {
  if (config.SMTP_URL === undefined)
    return [warning('mail', 'SMTP_URL is not set: mails wait', 'Set SMTP_URL and MAIL_FROM')]
  const mailer = new Mailer(config)
  try {
    await mailer.verify()
    return [ok('mail', 'the mail server takes the login')]
  } catch (error) {
    return [
      fault('mail', `the mail server refuses: ${reasonOf(error)}`, 'Correct SMTP_URL; mails wait until then'),
    ]
  } finally {
    mailer.close()
  }
}

/** Whether the name in BASE_URL has an address. */
export async function examinePublicAddress({ BASE_URL }: Config): Promise<Finding[]> {
  const { hostname } = new URL(BASE_URL)
  const host = hostname.replace(/^\[|\]$/g, '')
  return lookup(host).then(
    ({ address }) => [ok('address', `${BASE_URL} leads to ${address}`)],
    (error: unknown) => [
      fault(
        'address',
        `no name server knows ${host}, the host of BASE_URL: ${reasonOf(error)}`,
        'Add it to the DNS, or correct BASE_URL: links in mails lead there',
      ),
    ],
  )
}
