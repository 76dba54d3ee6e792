/** Real servers that can be made to fail: PostgreSQL and Redis in a folder of their own, and Guildhall's processes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NODE_FLAGS } from '../node-flags.ts'
import { freePort } from '../ports.ts'
import { startPostgres } from '../postgres/server.ts'
import { endChild, hasEnded, processIdentity, waitForEnd } from '../processes.ts'

const START_TIMEOUT_MS = 90_000
const STOP_TIMEOUT_MS = 10_000
/** This checkout. */
export const HERE = fileURLToPath(new URL('../../', import.meta.url))

/** A server that can go away and come back where it was. */
export interface Server {
  readonly url: string
  readonly pid: number
  /** Whether it has not been killed since it was started. */
  isRunning(): boolean
  /** Ends as abruptly as the signal says. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Comes back on the same port, with what it has kept. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL, durable. */
export async function openPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const dataDir = join(folder, 'postgres')
  let postgres = await startPostgres({ dataDir, settings })
  return {
    get url() {
      return postgres.url
    },
    get pid() {
      return postgres.pid
    },
    isRunning: () => processIdentity(postgres.pid) !== undefined,
    kill: async (signal) => {
      process.kill(postgres.pid, signal)
      await waitForEnd(postgres.pid, STOP_TIMEOUT_MS)
    },
    restart: async () => {
      postgres = await startPostgres({ dataDir, settings })
    },
    stop: () => postgres.stop(),
  }
}

/** Whether this machine has a Redis. */
export const findRedis = () => findProgram(['redis-server', 'valkey-server'])

/**
 * Redis with its log written every second, as in production; undefined where the machine has none.
 * @param settings further arguments
 */
export async function openRedis(
  folder: string,
  { name = 'redis', settings }: { name?: string; settings?: (port: number) => readonly string[] } = {},
): Promise<Server | undefined> {
  const program = await findRedis()
  if (program === undefined) return undefined
  const dir = join(folder, name)
  await mkdir(dir, { recursive: true })
  const port = await freePort()
  const durable = [
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--maxmemory-policy',
    'noeviction',
  ]
  const start = async () => {
    const own = settings?.(port) ?? ['--port', String(port)]
    const args = [...own, '--bind', '127.0.0.1', '--dir', dir, ...durable]
    const started = spawn(program, args, { stdio: 'ignore', detached: true })
    await once(started, 'spawn')
    return started
  }
  let child = await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0
    },
    isRunning: () => !hasEnded(child),
    kill: async (signal) => {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    restart: async () => {
      child = await start()
    },
    stop: () => endChild(child, 'SIGTERM', 'SIGKILL', STOP_TIMEOUT_MS),
  }
}

async function findProgram(names: readonly string[]): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name)
      if (
        await open(file).then(
          (handle) => handle.close().then(() => true),
          () => false,
        )
      )
        return file
    }
  }
  return undefined
}

/** One of Guildhall's processes. */
export interface Program {
  readonly child: ChildProcess
  readonly pid: number
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<unknown>
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly script: 'apps/api/src/main.ts' | 'apps/worker/src/main.ts' | 'infra/s3/main.ts'
  /** Another checkout than this one. */
  readonly root?: string
  /** Modules that are loaded before it. */
  readonly preload?: readonly string[]
  /** Of its command line. */
  readonly args?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Where its output goes. */
  readonly log: string
}

/** Starts a process; it is not waited for. */
export async function startProgram({
  script,
  preload = [],
  args = [],
  environment,
  log,
  root = HERE,
}: ProgramOptions): Promise<Program> {
  const out = await open(log, 'a')
  const imports = preload.flatMap((file) => ['--import', join(HERE, 'infra/faults', file)])
  const child = spawn(process.execPath, [...NODE_FLAGS, ...imports, join(root, script), ...args], {
    cwd: root,
    // Nothing of whoever runs this: a test runner's own variables are configuration to Guildhall.
    env: { ...passedOn(), ...environment },
    stdio: ['ignore', out.fd, out.fd],
    detached: true,
  })
  const ended = once(child, 'exit')
  await out.close()
  return {
    child,
    pid: child.pid ?? 0,
    ended,
    stop: () => endChild(child, 'SIGTERM', 'SIGKILL', STOP_TIMEOUT_MS),
  }
}

/** Runs an operator's command of a checkout. @returns what it prints */
export async function runCommand(
  root: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'apps/cli/src/main.ts'), ...args],
    {
      cwd: root,
      env: { ...passedOn(), ...environment },
    },
  )
  return stdout
}

/** Waits until an address answers. @throws Error with the output of the process, where it ends before */
export async function untilAnswered(url: string, program: Program, log: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await answers(url))) {
    if (hasEnded(program.child) || Date.now() > deadline)
      throw new Error(`${url} does not answer: ${(await readFile(log, 'utf8')).slice(-2_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.arrayBuffer().then(() => response.ok),
    () => false,
  )

/** Megabytes that a process has used at the most since it began; 0 where that is unknown. */
export async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000)
}

/** What every process is given of this one's environment. */
function passedOn(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }
}
