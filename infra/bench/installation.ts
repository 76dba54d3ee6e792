/** What `npm start` starts, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../ports.ts'
import { endChild, hasEnded } from '../processes.ts'
import { StartError } from '../start-error.ts'
import type { Rig } from './rig.ts'

/** An installation that runs. */
export interface Installation {
  readonly pid: number
  readonly baseUrl: string
  /** Of the demo project. */
  readonly secretKey: string
  /** Milliseconds from the command to the last line of its greeting. */
  readonly startedAfter: number
  stop(): Promise<void>
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** The arguments of Node behind each command of `npm run`. */
export const commandOf = (name: string, ...rest: string[]): string[] => [
  script('../bootstrap.mjs'),
  script(name),
  ...rest,
]
const LAUNCHER = '../launcher/main.ts'
const STOP_TIMEOUT_MS = 15_000
/** Where the bench itself runs, so that the installation has servers of its own. */
const OTHERS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL', 'SECRET_KEY', 'BASE_URL', 'WORKER_PORT']

/** The environment of an installation's commands. */
export function environmentOf(dataDir: string): NodeJS.ProcessEnv {
  const environment = { ...process.env, DATA_DIR: dataDir }
  for (const name of OTHERS) Reflect.deleteProperty(environment, name)
  return environment
}

/** Starts an installation with the data of a folder, and waits until it says that it runs. */
export async function startInstallation(rig: Rig, dataDir: string): Promise<Installation> {
  const begun = performance.now()
  const child = spawn(process.execPath, commandOf(LAUNCHER), {
    env: { ...environmentOf(dataDir), PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'inherit'],
    // In a process group of its own: a Ctrl-C is for the bench, which stops things in their order.
    detached: true,
  })
  const stop = () => endChild(child, 'SIGTERM', 'SIGKILL', STOP_TIMEOUT_MS)
  rig.onClose(stop)
  const ready = await lastLineOf(child)
  return {
    pid: child.pid ?? 0,
    baseUrl: ready.base_url,
    secretKey: ready.secret_key,
    startedAfter: performance.now() - begun,
    stop,
  }
}

/** The line of the greeting that is for scripts. */
async function lastLineOf(child: ChildProcess): Promise<{ base_url: string; secret_key: string }> {
  if (child.stdout === null) throw new TypeError('its output is not read')
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('{')) return JSON.parse(line)
  throw new StartError(`npm start has ended${hasEnded(child) ? ` with ${child.exitCode}` : ''}`)
}
