/** The load generator, a process of its own, as the bench talks to it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { endChild } from '../processes.ts'

/** What to send, over how many connections, for how long. Plain data: it travels between processes. */
export interface Load {
  readonly origin: string
  readonly connections: number
  readonly seconds: number
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** One is picked at random for each request. */
  readonly paths: readonly string[]
  /** Paths by project, in place of `paths`, each asked for with the authorization at the same place. */
  readonly pathsByProject?: readonly (readonly string[])[]
  /** Values of the Authorization header, used in turn; empty where none is sent. */
  readonly authorizations: readonly string[]
  /** Further headers, each with values that are used in turn; every `{n}` becomes a number, as in a body. */
  readonly headers?: Readonly<Record<string, readonly string[]>>
  /** The statuses of a good answer; without them, any 2xx. */
  readonly expects?: readonly number[]
  /** A JSON body, or several that are used in turn; every `{n}` becomes a number that no other request of this generator has. */
  readonly body?: string | readonly string[]
}

/** What came of it. */
export interface Outcome {
  readonly answered: number
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Answers of another status than expected, and requests that got none. */
  readonly errors: number
  /** The first of them, for the reader. */
  readonly firstError: string | undefined
}

export interface Generator {
  run(load: Load): Promise<Outcome>
  stop(): Promise<void>
}

/** Starts a generator. It runs one load at a time. */
export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL('generator.ts', import.meta.url)), { detached: true })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${code}`)
  })
  // Its end is news only to whoever waits for an outcome.
  died.catch(() => {})
  return {
    async run(load) {
      child.send(load)
      const [outcome] = await Promise.race([once(child, 'message'), died])
      return outcome as Outcome
    },
    stop: () => endChild(child, 'SIGTERM', 'SIGKILL', 1_000),
  }
}
