/** What docker-compose.yml starts, as processes of this machine. */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { type Mailbox, openMailbox } from '#testkit/environments/delivery-environment.ts'
import { startS3 } from '#testkit/servers/s3.ts'
import { startSmtp, type TestSmtp } from '#testkit/servers/smtp.ts'
import { makeCustomerOf } from '../faults/customers.ts'
import type { Api } from '../faults/installation.ts'
import {
  HERE,
  openPostgres,
  openRedis,
  type ProgramOptions,
  runCommand,
  startProgram,
  untilAnswered,
} from '../faults/servers.ts'
import { freePort } from '../ports.ts'
import { keepsStatements, startPgBouncer, versionOf } from '../scale/servers/pgbouncer.ts'
import { readComposeFile } from './compose-file.ts'

/** Deliveries apart from all else, so that each worker serves some lanes alone. */
const DELIVERIES: readonly string[] = ['webhooks', 'slow']
const OTHERS = LANES.filter((lane) => !DELIVERIES.includes(lane))

export interface Topology {
  readonly apis: readonly [Api, Api]
  readonly smtp: TestSmtp
  /** A customer's server that takes webhooks. */
  readonly receiver: Mailbox
  /** A key that may do everything in a project. */
  readonly key: string
  /** What is in the files of secrets. */
  readonly secrets: Readonly<Record<string, string>>
  /** The environment of the processes. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** @param pgbouncer a program */
export async function openTopology(pgbouncer: string): Promise<Topology> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-topology-')))
  const begun: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  ]
  const close = async () => {
    for (const stop of begun.splice(0).reverse()) await stop()
  }
  /** Keeps what has been started, to be stopped in the other order. */
  const kept = async <T>(starting: Promise<T>, stop: (started: T) => Promise<unknown>): Promise<T> => {
    const started = await starting
    begun.push(() => stop(started))
    return started
  }
  try {
    // What waits for nobody.
    const [postgres, redis, s3, smtp, receiver] = await Promise.all([
      kept(openPostgres(folder, { fsync: 'off' }), (each) => each.stop()),
      kept(openRedis(folder), async (each) => each?.stop()),
      kept(startS3(), (each) => each.close()),
      kept(startSmtp(), (each) => each.close()),
      kept(openMailbox(), (each) => each.close()),
    ])
    const secrets = {
      secret_key: randomBytes(24).toString('hex'),
      postgres_password: decodeURIComponent(new URL(postgres.url).password),
      s3_secret_access_key: s3.environment['S3_SECRET_ACCESS_KEY'] ?? '',
      ops_token: randomBytes(24).toString('hex'),
    }
    const place = join(folder, 'secrets')
    await mkdir(place, { mode: 0o700 })
    for (const [name, value] of Object.entries(secrets)) await writeFile(join(place, name), `${value}\n`)

    const pooler = await kept(openPooler(pgbouncer, folder, postgres.url), (each) => each.stop())
    const { S3_SECRET_ACCESS_KEY: _, ...bucket } = s3.environment
    const environment = {
      ...(await variablesOfCompose(place)),
      DATABASE_URL: withoutPassword(pooler.url),
      DATABASE_DIRECT_URL: withoutPassword(postgres.url),
      REDIS_URL: redis?.url ?? '',
      SMTP_URL: smtp.url,
      ...bucket,
      S3_PUBLIC_ENDPOINT: bucket['S3_ENDPOINT'] ?? '',
      // Of the image.
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      // The customer's server is on this machine, too.
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    }
    // The only one who logs in as the owner.
    await runCommand(HERE, ['migrate'], { ...environment, DATABASE_DIRECT_URL: postgres.url })

    const start = (options: Pick<ProgramOptions, 'script' | 'args'>) =>
      startProcess({ ...options, environment, log: join(folder, 'processes.log') })
    const [first, second] = await Promise.all([
      ...[1, 2].map(() => kept(start({ script: 'apps/api/src/main.ts' }), (each) => each.stop())),
      ...[DELIVERIES, OTHERS].map((lanes) =>
        kept(start({ script: 'apps/worker/src/main.ts', args: ['--lanes', lanes.join(',')] }), (each) =>
          each.stop(),
        ),
      ),
    ])
    if (first === undefined || second === undefined) throw new Error('there are two APIs')
    const key = await makeCustomerOf(HERE, environment)
    return { apis: [first, second], smtp, receiver, key, secrets, environment, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts a process and waits until it is healthy, as compose does by what the image says. */
async function startProcess(options: ProgramOptions): Promise<Api> {
  const port = String(await freePort())
  const isApi = options.script === 'apps/api/src/main.ts'
  const own = isApi ? { PORT: port } : { WORKER_PORT: port }
  const program = await startProgram({ ...options, environment: { ...options.environment, ...own } })
  const origin = `http://127.0.0.1:${port}`
  try {
    await untilAnswered(`${origin}/${isApi ? 'readyz' : 'healthz'}`, program, options.log)
  } catch (error) {
    await program.stop()
    throw error
  }
  return Object.assign(program, { origin })
}

/** @param place where the files of secrets are */
async function variablesOfCompose(place: string): Promise<Readonly<Record<string, string>>> {
  const { variables } = await readComposeFile()
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replace('/run/secrets', place)]),
  )
}

/** A PgBouncer by the configuration of compose; one before 1.21 in session mode, the only one in which Guildhall works behind it. */
async function openPooler(program: string, parent: string, postgresUrl: string) {
  const port = await freePort()
  const folder = join(parent, 'pgbouncer')
  await mkdir(folder, { mode: 0o700 })
  const url = new URL(postgresUrl)
  const database = url.pathname.slice(1)
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${url.username}" "${decodeURIComponent(url.password)}"\n`)
  const ofCompose = (await readFile(join(import.meta.dirname, 'pgbouncer.ini'), 'utf8'))
    .replace('guildhall = host=postgres port=5432 dbname=guildhall', () => {
      return `${database} = host=127.0.0.1 port=${url.port} dbname=${database}`
    })
    .replace('auth_user=owner', `auth_user=${url.username}`)
    .replace('0.0.0.0', '127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/tmp/users.txt', users)
  const configuration = keepsStatements((await versionOf(program)) ?? '')
    ? ofCompose
    : ofCompose
        .replace(/^max_prepared_statements .*\n/m, '')
        .replace('pool_mode = transaction', 'pool_mode = session')
        .replace('default_pool_size = 20', 'default_pool_size = 40')
  await writeFile(join(folder, 'pgbouncer.ini'), configuration)
  url.port = String(port)
  return { url: url.href, ...(await startPgBouncer({ program, folder, port })) }
}

/** Processes have logins of their own. */
function withoutPassword(address: string): string {
  const url = new URL(address)
  url.password = ''
  return url.href
}
