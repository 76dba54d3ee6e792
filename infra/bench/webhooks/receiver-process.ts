/** What the bench asks the receiver. */
import { fileURLToPath } from 'node:url'
import type { Rig } from '../rig.ts'

/** A receiver and what it has seen. */
export interface ReceiverProcess {
  readonly url: string
  /** Forgets everything. */
  clear(): Promise<void>
  /** When each message came first, in milliseconds since 1970, by its number. */
  times(): Promise<Map<number, number>>
  /** Waits until so many messages have come. @throws Error where they do not within the seconds given */
  waitFor(count: number, seconds: number): Promise<void>
}

const POLL_MS = 50

export async function startReceiverProcess(rig: Rig): Promise<ReceiverProcess> {
  const { origin } = await rig.serve({
    name: 'receiver',
    script: fileURLToPath(new URL('receiver.ts', import.meta.url)),
    environment: {},
  })
  const count = async () => ((await (await fetch(origin)).json()) as { count: number }).count
  return {
    url: `${origin}/hooks`,
    clear: async () => {
      await (await fetch(origin, { method: 'DELETE' })).arrayBuffer()
    },
    times: async () => new Map((await (await fetch(`${origin}/times`)).json()) as [number, number][]),
    waitFor: async (wanted, seconds) => {
      const deadline = Date.now() + seconds * 1_000
      for (let got = await count(); got < wanted; got = await count()) {
        if (Date.now() > deadline) throw new Error(`only ${got} of ${wanted} messages came in ${seconds} s`)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
  }
}

/** This moment, by the clock that the receiver writes down, to parts of a millisecond. */
export const now = (): number => performance.timeOrigin + performance.now()
