/** An abuser, a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { endChild } from '../../processes.ts'
import type { AbuseRequest, Manner } from './abuse.ts'

/** What to send, and for how long. Plain data: it travels between processes. */
export interface Attack {
  readonly origin: string
  /** Of the client, unless a request names another one. */
  readonly address: string
  readonly connections: number
  readonly seconds: number
  readonly manner: Manner
  readonly requests: readonly AbuseRequest[]
}

/** What came of it. */
export interface Sent {
  /** Answers by status; `later` is a 503 with Retry-After, `broken` a request without an answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** The first 5xx without Retry-After, or what broke. */
  readonly firstFault?: string
}

/** Sends everything. @throws Error where the process of the abuser ends early */
export async function sendAttack(attack: Attack): Promise<Sent> {
  const child = fork(fileURLToPath(new URL('sender.ts', import.meta.url)), { detached: true, execArgv: [] })
  try {
    const died = once(child, 'exit').then(([code]): never => {
      throw new Error(`the abuser ended with ${code}`)
    })
    // Its end is news only to whoever waits for an outcome.
    died.catch(() => undefined)
    child.send(attack)
    const [sent] = await Promise.race([once(child, 'message'), died])
    return sent as Sent
  } finally {
    await endChild(child, 'SIGTERM', 'SIGKILL', 1_000)
  }
}
