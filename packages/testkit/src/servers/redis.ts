import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { describe, inject } from 'vitest'
import { SOON } from '../soon.ts'
import { type Certificates, tlsSettings } from './certificates.ts'
import { freePort } from './free-port.ts'

/** A real Redis of its own, empty, without persistence. */
export interface TestRedis {
  readonly url: string
  /** Freezes the process: connections stand, and nothing is answered. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** A suite that needs a Redis. On a machine without a redis-server it is reported as not run, by its name. */
export function describeWithRedis(name: string, suite: () => void): void {
  describe.runIf(inject('servers').redisServer !== '')(name, suite)
}

/**
 * Starts a Redis on a free port, or on the given one (to bring a stopped one back).
 * @throws Error where the machine has no redis-server: use it inside `describeWithRedis`
 */
export async function startRedis({
  port,
  settings = [],
  sentinel,
  certificates,
}: {
  port?: number
  /** Further arguments of redis-server. */
  settings?: readonly string[]
  /** The configuration of a sentinel, in place of a Redis; it is written beside its port. */
  sentinel?: string
  /** It speaks TLS alone with these. */
  certificates?: Certificates | undefined
} = {}): Promise<TestRedis> {
  const { redisServer, runFolder } = inject('servers')
  if (!redisServer) throw new Error('redis-server is not installed on this machine')
  const chosen = port ?? (await freePort())
  const config = join(runFolder, `sentinel-${chosen}.conf`)
  if (sentinel !== undefined) await writeFile(config, sentinel)
  const child = spawn(
    redisServer,
    [
      // A replica writes its copy into a file, also without persistence, and whoever starts beside it would load it.
      ...(sentinel === undefined
        ? ['--save', '', '--appendonly', 'no', '--dbfilename', `redis-${randomUUID()}.rdb`]
        : [config, '--sentinel']),
      ...(certificates ? tlsSettings(chosen, certificates) : ['--port', String(chosen)]),
      ...['--bind', '127.0.0.1'],
      // The run's end stops by this file what a killed worker has left.
      ...['--pidfile', join(runFolder, `redis-${chosen}.pid`), '--dir', runFolder],
      ...settings,
    ],
    { stdio: 'ignore', detached: true },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code} on port ${chosen}`)))
    untilPong(chosen, certificates !== undefined).then(resolve, reject)
  })
  return {
    url: `${certificates ? 'rediss' : 'redis'}://127.0.0.1:${chosen}`,
    freeze: () => {
      child.kill('SIGSTOP')
    },
    thaw: () => {
      child.kill('SIGCONT')
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function untilPong(port: number, isEncrypted: boolean): Promise<void> {
  const deadline = Date.now() + SOON.timeout
  while (!(await pong(port, isEncrypted))) {
    if (Date.now() > deadline) throw new Error(`redis-server does not answer on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function pong(port: number, isEncrypted: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const ask = () => socket.write('PING\r\n')
    const place = { host: '127.0.0.1', port }
    const socket = isEncrypted
      ? connectTls({ ...place, rejectUnauthorized: false }, ask)
      : connect(place, ask)
    socket.setTimeout(1_000, () => socket.destroy())
    socket.once('data', (answer) => {
      // One that asks for a password answers, too.
      resolve(/^(\+PONG|-NOAUTH)/.test(answer.toString()))
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
