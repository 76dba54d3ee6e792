import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { backUp } from '#areas/projects/backup/backup.ts'
import { findPrograms } from '#areas/projects/backup/programs.ts'
import { restore } from '#areas/projects/backup/restore.ts'
import { examine } from '#platform/doctor/doctor.ts'
import { LANES, type Lane } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { Objects } from '#platform/storage/objects.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeStripeAccount } from '#testkit/areas/money/payments.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { registerEndpoint, secretOf } from '#testkit/areas/webhooks.ts'
import { databaseUrl, onServer } from '#testkit/database.ts'
import { type Mailbox, openMailbox } from '#testkit/environments/delivery-environment.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { startSmtp, type TestSmtp } from '#testkit/servers/smtp.ts'
import { SOON } from '#testkit/soon.ts'
import { type StripeServer, startStripe } from '#testkit/stripe/server.ts'
import { type Postgres, startPostgres } from '../postgres/server.ts'

/** PostgreSQL with its client programs; the npm package of the other tests has none. */
const BINARIES = ['/usr/lib/postgresql']
  .flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name, 'bin')) : [],
  )
  .find((folder) =>
    ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  )
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
const MAIN = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))

test('a machine without pg_dump, or with an older one than its server, is told what to install', () => {
  expect(() => findPrograms(18, '/nowhere')).toThrow(
    'PostgreSQL 18 needs pg_dump and pg_restore of version 18 or newer, and this machine has none. Install postgresql-client-18',
  )
  expect(() => findPrograms(99)).toThrow('PostgreSQL 99 needs pg_dump')
})

describe.runIf(BINARIES !== undefined)('with the programs of PostgreSQL', () => {
  let folder: string
  let server: Postgres
  let s3: TestS3
  let otherS3: TestS3
  let smtp: TestSmtp
  let stripe: StripeServer
  let receiver: Mailbox
  let api: TestApi
  let project: TestProject
  let objects: Objects
  /** Kept between the tests, in the order of a drill. */
  const drill: { backup: string; order: string; copy: TestApi | undefined } = {
    ...{ backup: '', order: '', copy: undefined },
  }

  const settings = (bucket: TestS3) => ({
    ...bucket.environment,
    STRIPE_API_URL: stripe.url,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'no-reply@guild.example',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    SWEEP_MS: '200',
  })
  const work = (from: TestApi, lanes: readonly Lane[]) => {
    const deps = makeWorkerDeps(from.config, makeLog('silent', 'worker'))
    const worker = startWorker({ deps, areas, lanes, finishMs: 5_000 })
    return async () => {
      await worker.stop()
      await deps.close()
    }
  }
  const emptyDatabase = async (name: string) => {
    await onServer(databaseUrl(server.url, 'postgres'), `create database ${name}`)
    return databaseUrl(server.url, name)
  }
  /** Where something is restored to, with a connection of its own. */
  const restoreTo = async (url: string, from: string, { secretKey = TEST_SECRET_KEY } = {}) => {
    const owner = new pg.Pool({ connectionString: url, max: 1 })
    const config = parseConfig({ ...settings(otherS3), DATABASE_URL: url, SECRET_KEY: secretKey })
    const bucket = new Objects(config, makeLog('silent', 'api'))
    try {
      return await restore({ owner, databaseUrl: url, secretKey, objects: bucket, folder: from })
    } finally {
      bucket.close()
      await owner.end()
    }
  }
  const command = (url: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [MAIN, ...args, '--json'], {
      env: { PATH: process.env.PATH, ...settings(otherS3), DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY },
    }).then(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'guildhall-drill-'))
    await chmod(folder, 0o755)
    const bin = BINARIES ?? ''
    const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
    ;[server, s3, otherS3, smtp, stripe, receiver] = await Promise.all([
      startPostgres({ dataDir: join(folder, 'server'), settings: QUICK, binaries }),
      ...([startS3(), startS3(), startSmtp(), startStripe(), openMailbox()] as const),
    ])
    // Stopped with the run, however that ends.
    await writeFile(join(inject('servers').runFolder, 'drill.pid'), String(server.pid))
    const url = await emptyDatabase('original')
    await migrate({ databaseUrl: url, secretKey: TEST_SECRET_KEY })
    const database = { url, secretKey: TEST_SECRET_KEY, drop: async () => undefined }
    api = await startApi({ environment: settings(s3), database })
    ;[project] = await makeProjects(api)
    objects = new Objects(api.config, makeLog('silent', 'api'))
  })
  afterAll(async () => {
    objects?.close()
    await drill.copy?.close()
    await api?.close()
    await server?.stop()
    await Promise.all([s3, otherS3, smtp, stripe, receiver].map((each) => each?.close()))
    await rm(folder, { recursive: true, force: true })
  })

  const upload = async (text: string) =>
    (await uploadFile<{ data: { id: string } }>(project.live, fileOf(text))).body.data.id

  test('a backup under writes has the rows of one moment, and each file that they name', async () => {
    await registerEndpoint(project.live, { url: receiver.url })
    await makeStripeAccount(project.test)
    drill.order = (await makeOrder(project.test)).id
    const files = await Promise.all(Array.from({ length: 12 }, (_, n) => upload(`file ${n}`)))
    await project.live.admin.post('/invitations', { email: 'invited@example.com' })
    // Files that are deleted leave the bucket at once; mails and webhooks stay undone.
    const stop = work(api, ['files'])
    let isOver = false
    const traffic = (async () => {
      for (let n = 0; !isOver; n++) {
        await project.live.makeMember({ email: `during${n}@example.com` })
        files.push(await upload(`during ${n}`))
        await project.live.admin.delete(`/storage/files/${files.shift()}`)
      }
    })()
    drill.backup = join(folder, 'backup')
    const parts = { owner: api.owner, databaseUrl: api.database.url, secretKey: TEST_SECRET_KEY, objects }
    const done = await backUp({ ...parts, folder: drill.backup })
    isOver = true
    await traffic
    await stop()
    expect(done).toMatchObject({ lost: [] })
    expect(done.files).toBeGreaterThanOrEqual(12)

    const url = await emptyDatabase('copy')
    expect(await restoreTo(url, drill.backup)).toEqual(done)
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    const { rows } = await owner.query<{ key: string; sum: string }>(
      `select project_id || '/' || id || '/' || object_id as key, checksum_sha256 as sum from files where status = 'ready'`,
    )
    await owner.end()
    expect(rows.length).toBeGreaterThanOrEqual(12)
    const bucket = new Objects(
      parseConfig({ ...settings(otherS3), DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY }),
      makeLog('silent', 'api'),
    )
    for (const { key, sum } of rows) {
      const bytes = Buffer.concat((await (await bucket.get(key))?.body.toArray()) ?? [])
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum)
    }
    bucket.close()
  })

  test('a restored copy answers requests, and sends no mail and no webhook and takes no payment until it is told to', async () => {
    const url = databaseUrl(server.url, 'copy')
    const database = { url, secretKey: TEST_SECRET_KEY, drop: async () => undefined }
    const copy = await startApi({ environment: settings(otherS3), database })
    drill.copy = copy
    const { live, test: shop } = project
    // The same key, the same rows, and what was sealed opens.
    const [endpoint] = (await live.admin.get<{ data: { id: string }[] }>('/webhooks')).body.data
    const path = `/api/v1/webhooks/${endpoint?.id}/secret`
    const { body } = await copy.send<{ data: { secret: string } }>('GET', path, { key: live.key })
    expect(body.data.secret).toBe(await secretOf(live, endpoint?.id ?? ''))
    // The log of events is read on, although numbers of transactions are those of another server.
    const events = await copy.send<{ data: unknown[] }>('GET', '/api/v1/events?limit=100', { key: live.key })
    expect(events.body.data.length).toBeGreaterThan(12)

    const invited = { email: 'after@example.com' }
    expect((await copy.send('POST', '/api/v1/invitations', { key: live.key, body: invited })).status).toBe(
      201,
    )
    const asked = stripe.requests.length
    const stop = work(copy, LANES)
    const pay = `/api/v1/shop/orders/${drill.order}/pay`
    const headers = { 'x-user-id': await shop.member() }
    const paid = await copy.send('POST', pay, { key: shop.key, headers, body: {} })
    expect(paid).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    await sleep(1_500)
    expect([smtp.mails, receiver.received, stripe.requests.length]).toEqual([[], [], asked])
    const findings = await examine({
      databaseUrl: url,
      directUrl: url,
      secretKey: TEST_SECRET_KEY,
      environment: settings(otherS3),
    })
    expect(findings.find(({ check }) => check === 'work')).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('restored from a backup of '),
    })
    expect(await command(url, 'sending', 'status')).toMatchObject({ state: 'held' })

    expect(await command(url, 'sending', 'resume')).toMatchObject({ state: 'sending', held_since: null })
    await expect
      .poll(() => smtp.mails.flatMap(({ envelope }) => envelope.to), SOON)
      .toEqual(expect.arrayContaining(['invited@example.com', 'after@example.com']))
    await expect.poll(() => receiver.received.length, SOON).toBeGreaterThan(12)
    await stop()
  })

  test('a restore refuses another SECRET_KEY, a database with tables, and a backup that was changed', async () => {
    const url = await emptyDatabase('refused')
    await expect(
      restoreTo(url, drill.backup, { secretKey: 'another secret key, of 32 characters or more' }),
    ).rejects.toThrow('SECRET_KEY is not the one of the installation that was backed up')
    await expect(restoreTo(databaseUrl(server.url, 'copy'), drill.backup)).rejects.toMatchObject({
      details: [{ field: 'DATABASE_URL', rule: 'empty' }],
    })
    await appendFile(join(drill.backup, 'database.dump'), 'x')
    await expect(restoreTo(url, drill.backup)).rejects.toMatchObject({
      details: [{ field: 'from', rule: 'file' }],
    })
    const manifest = join(drill.backup, 'manifest.json')
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.replace('"schema": "', '"schema": "9'))
    await expect(restoreTo(url, drill.backup)).rejects.toMatchObject({
      details: [{ field: 'from', rule: 'version' }],
    })
    await rm(manifest)
    await expect(restoreTo(url, drill.backup)).rejects.toMatchObject({
      details: [{ field: 'from', rule: 'exists' }],
    })
    await expect(command(url, 'backup', '--to', drill.backup)).rejects.toMatchObject({
      stderr: expect.stringContaining('error: '),
    })
  })
})
