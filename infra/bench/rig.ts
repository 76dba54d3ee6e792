/** What every bench stands on: servers and processes of its own in a temporary folder, and their clearing away. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { NODE_FLAGS } from '../node-flags.ts'
import { freePort } from '../ports.ts'
import { type Postgres, startPostgres } from '../postgres/server.ts'
import { endChild, hasEnded } from '../processes.ts'
import { StartError } from '../start-error.ts'

/** A server process under measurement. */
export interface Server {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly pid: number
  stop(): Promise<void>
}

interface Wanted {
  /** Names its log file. */
  readonly name: string
  readonly script: string
  readonly environment: Readonly<Record<string, string>>
  /** The variable that tells it where to listen; PORT by itself. */
  readonly portIn?: 'PORT' | 'WORKER_PORT'
  /** Where it listens, for one that has to know its own address. Default: a free port. */
  readonly port?: number
}

export interface Rig {
  /** The secret from which the runtime logins of every database here derive. */
  readonly secretKey: string
  /** PostgreSQL with the launcher's settings: durable, as in production. */
  readonly postgres: Postgres
  /** Where its servers keep their data, PostgreSQL in `postgres`; removed at the end. */
  readonly folder: string
  /** A Redis, or undefined where redis-server is not installed. */
  readonly redisUrl: string | undefined
  /** Starts a Redis that writes its log every second, as queues need it; undefined where there is none. @returns its address */
  openDurableRedis(): Promise<string | undefined>
  /** Starts a Node process that listens on PORT; it is up when the port answers HTTP. */
  serve(wanted: Wanted): Promise<Server>
  /** Has something else stopped when the rig closes, however that comes about. It may be stopped before. */
  onClose(stop: () => Promise<void>): void
  /** Stops everything that was started, the newest first, and removes the folder. May be repeated. */
  close(): Promise<void>
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 5_000
const DURABLE = [
  ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'],
  ...['--maxmemory-policy', 'noeviction'],
]

/** Starts the servers. */
export async function openRig(): Promise<Rig> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-bench-')))
  const begun: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= (async () => {
      for (const stop of begun.toReversed()) await stop()
    })()
    return closing
  }

  try {
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
    begun.push(() => postgres.stop())
    const openRedis = async (persistence: readonly string[]) => {
      const redis = await startRedis(folder, persistence)
      if (redis) begun.push(redis.stop)
      return redis?.url
    }
    // Rate limits need no persistence.
    const redisUrl = await openRedis(['--save', '', '--appendonly', 'no'])
    return {
      secretKey: randomBytes(32).toString('base64url'),
      postgres,
      folder,
      redisUrl,
      openDurableRedis: () => openRedis(DURABLE),
      serve: async (wanted) => {
        const server = await serve(folder, wanted)
        begun.push(server.stop)
        return server
      },
      onClose: (stop) => {
        begun.push(stop)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** With the flags of production. Its output goes straight into a file: no other process is kept busy by the log lines. */
async function serve(
  folder: string,
  { name, script, environment, portIn = 'PORT', port: wantedPort }: Wanted,
): Promise<Server> {
  const port = wantedPort ?? (await freePort())
  const log = await open(join(folder, `${name}.log`), 'a')
  const child = spawn(process.execPath, [...NODE_FLAGS, script], {
    env: { ...process.env, ...environment, HOST: '127.0.0.1', [portIn]: String(port) },
    stdio: ['ignore', log.fd, log.fd],
    // In a process group of its own: a Ctrl-C is for the bench, which stops things in their order.
    detached: true,
  })
  await log.close()
  const origin = `http://127.0.0.1:${port}`
  try {
    await untilAnswered(child, `${origin}/healthz`)
  } catch (error) {
    await endChild(child, 'SIGTERM', 'SIGKILL', STOP_TIMEOUT_MS)
    const output = await readFile(join(folder, `${name}.log`), 'utf8')
    throw new StartError(`${name} did not start (${(error as Error).message}): ${output.slice(-2_000)}`)
  }
  const stop = () => endChild(child, 'SIGTERM', 'SIGKILL', STOP_TIMEOUT_MS)
  return { origin, pid: child.pid ?? 0, stop }
}

/** Waits for any HTTP answer. */
async function untilAnswered(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (
    !(await fetch(url)
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined))
  ) {
    if (hasEnded(child)) throw new Error('it has ended')
    if (Date.now() > deadline) throw new Error('no answer in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function startRedis(
  folder: string,
  persistence: readonly string[],
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const port = await freePort()
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = folders.flatMap((path) => [join(path, 'redis-server'), join(path, 'valkey-server')])
  for (const program of candidates) {
    const child = spawn(
      program,
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...persistence],
      { stdio: 'ignore', detached: true },
    )
    const started = await new Promise<boolean>((resolve) => {
      child.once('spawn', () => resolve(true))
      child.once('error', () => resolve(false))
    })
    if (started) {
      return {
        url: `redis://127.0.0.1:${port}`,
        stop: () => endChild(child, 'SIGTERM', 'SIGKILL', STOP_TIMEOUT_MS),
      }
    }
  }
  return undefined
}
