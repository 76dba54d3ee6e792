/** Writes at a steady rate, as a customer's server makes them. */
import { setTimeout as sleep } from 'node:timers/promises'

/** What became of a write, as far as its sender knows. */
export interface Written {
  /** Of the member, where the answer was a 201. */
  readonly id: string
  /** Milliseconds since 1970 at which the answer came. */
  readonly at: number
}

export interface Traffic {
  /** Writes that were answered 201. */
  readonly answered: Written[]
  /** Writes of which nobody knows whether they were committed. */
  failed: number
  /** Ends it when all its writes are answered. */
  stop(): Promise<void>
}

let made = 0

/** @param perSecond writes */
export function startTraffic(origin: string, key: string, perSecond: number): Traffic {
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  const traffic: Traffic = {
    answered: [],
    failed: 0,
    stop: async () => {
      stopping.abort()
      await loop
      await Promise.all(open)
    },
  }
  const write = async () => {
    made += 1
    const body = JSON.stringify({ email: `member${made}.${process.pid}@example.com` })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    try {
      const response = await fetch(`${origin}/api/v1/members`, { method: 'POST', headers, body })
      const answer = (await response.json()) as { member?: { id: string } }
      if (response.status === 201 && answer.member)
        traffic.answered.push({ id: answer.member.id, at: Date.now() })
      else traffic.failed += 1
    } catch {
      traffic.failed += 1
    }
  }
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const writing = write().finally(() => open.delete(writing))
      open.add(writing)
      await sleep(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return traffic
}
