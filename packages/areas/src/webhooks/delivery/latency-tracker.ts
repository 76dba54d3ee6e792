import { LRUCache } from 'lru-cache'

/** An endpoint whose attempts take longer than this, 95 in 100, has no place among quick ones. */
const SLOW_MS = 3_000
/** Attempts that are remembered, and those that it takes to call an endpoint slow. */
const REMEMBERED = 20
const ENOUGH = 5
/** Endpoints remembered at the most; those that were called longest ago go first. */
const CAPACITY = 10_000

export type SendLane = 'webhooks' | 'slow'

/** How quickly endpoints have answered lately, as far as this process has seen. */
export class LatencyTracker {
  readonly #durations = new LRUCache<string, number[]>({ max: CAPACITY })

  /**
   * Notes an attempt and answers the lane that the endpoint belongs to. Leaving the slow lane takes a whole memory of
   * quick answers, so that nobody goes to and fro.
   * @param lane where it is now
   */
  note(endpointId: string, durationMs: number, lane: SendLane): SendLane {
    const durations = this.#durations.get(endpointId) ?? []
    if (durations.length === 0) this.#durations.set(endpointId, durations)
    durations.push(durationMs)
    if (durations.length > REMEMBERED) durations.shift()
    const needed = lane === 'slow' ? REMEMBERED : ENOUGH
    if (durations.length < needed) return lane
    const p95 = durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.95) - 1] ?? 0
    return p95 > SLOW_MS ? 'slow' : 'webhooks'
  }
}
