/** A Node process of our own under supervision: its log goes to a file, and it is started again when it dies. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endChild, hasEnded } from '../processes.ts'
import { StartError } from '../start-error.ts'
import type { Environment, Part } from './part.ts'

/** What to run: the script, and how to know that it is up. */
export type ProcessOptions = {
  name: string
  script: string
  /** Node's own flags. */
  flags?: readonly string[]
  logs: string
  /** Answers true once the process does its work. */
  isReady(): Promise<boolean>
}

const START_TIMEOUT = 60_000
const FIRST_WAIT = 250
const LONGEST_WAIT = 10_000
/** Between two looks whether it is up. Each takes processor time that the process itself needs to start. */
const LOOK_MS = 100
/** A process that lived this long was well, so that its next death is a new story. */
const WELL_AFTER = 30_000
const LARGEST_LOG = 20 * 1024 * 1024
const EXIT_WITH_PARENT = new URL('./exit-with-parent.ts', import.meta.url).href

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Runs a script as a process of its own. */
export function supervised(options: ProcessOptions): Part {
  let child: ChildProcess | undefined
  let stopping = false
  let log: WriteStream | undefined
  let restart: NodeJS.Timeout | undefined
  let lastComplaint = ''
  let up = false

  function take(line: string): void {
    log?.write(`${line}\n`)
    const complaint = complaintIn(line)
    if (complaint === undefined) return
    lastComplaint = complaint
    // Before it is up, what it says last becomes the reason of the failed start.
    if (up) process.stderr.write(`${options.name}: ${complaint}\n`)
  }

  function launch(environment: Environment): ChildProcess {
    const started = spawn(
      process.execPath,
      [...(options.flags ?? []), '--import', EXIT_WITH_PARENT, options.script],
      {
        env: { ...process.env, ...environment },
        // In a process group of its own: a Ctrl-C is for the launcher, which stops things in their order.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    for (const stream of [started.stdout, started.stderr]) {
      if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', take)
    }
    return started
  }

  /** Keeps it running: each death in quick succession is answered more slowly. */
  function supervise(supervisee: ChildProcess, environment: Environment, wait: number): void {
    const startedAt = Date.now()
    const startAgain = () => {
      if (stopping) return
      const pause = Date.now() - startedAt > WELL_AFTER ? FIRST_WAIT : wait
      take(`ended unexpectedly (${ending(supervisee)}), starts again in ${pause} ms`)
      restart = setTimeout(() => {
        child = launch(environment)
        supervise(child, environment, Math.min(pause * 2, LONGEST_WAIT))
      }, pause)
    }
    if (hasEnded(supervisee)) startAgain()
    else supervisee.once('exit', startAgain)
  }

  return {
    name: options.name,
    async start(environment) {
      const path = join(options.logs, `${options.name}.log`)
      if (((await stat(path).catch(() => undefined))?.size ?? 0) > LARGEST_LOG)
        await rename(path, `${path}.old`)
      log = createWriteStream(path, { flags: 'a', mode: 0o600 })
      child = launch(environment)
      const deadline = Date.now() + START_TIMEOUT
      while (!stopping && !(await options.isReady().catch(() => false))) {
        if (hasEnded(child)) {
          const reason = lastComplaint || `it ended with ${ending(child)}`
          throw new StartError(`The ${options.name} process did not start: ${reason} (its log: ${path})`)
        }
        if (Date.now() > deadline) {
          throw new StartError(`The ${options.name} process did not become ready in time (its log: ${path})`)
        }
        await sleep(LOOK_MS)
      }
      up = true
      supervise(child, environment, FIRST_WAIT)
      return {}
    },
    async stop(milliseconds) {
      stopping = true
      clearTimeout(restart)
      if (child) await endChild(child, 'SIGTERM', 'SIGKILL', milliseconds)
      log?.end()
    },
  }
}

function ending(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`
}

/** What a log line has to say to a person: warnings and worse; and whatever is not a log line at all. */
function complaintIn(line: string): string | undefined {
  if (!line.trim()) return undefined
  if (!line.startsWith('{')) return line
  // Cheap for the many lines of everyday, parsed only for the few that matter.
  const level = /"level":(\d+)/.exec(line)?.[1]
  if (level !== undefined && Number(level) < 40) return undefined
  try {
    const entry = JSON.parse(line) as { msg?: string; err?: { message?: string } }
    return [entry.msg, entry.err?.message].filter(Boolean).join(': ') || line
  } catch {
    return line
  }
}
