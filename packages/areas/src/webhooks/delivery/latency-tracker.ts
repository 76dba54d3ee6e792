import { LRUCache } from 'lru-cache'

/** Milliseconds. An endpoint belongs to the slow lane if more than 5 of 100 attempts take longer. */
const SLOW_MS = 3_000
/** The number of attempts that are remembered, and the number that is needed to call an endpoint slow. */
const REMEMBERED = 20
const ENOUGH = 5
/** Endpoints remembered at the most; those that were called longest ago go first. */
const CAPACITY = 10_000

export type SendLane = 'webhooks' | 'slow'

/** How quickly endpoints have answered lately, as far as this process has seen. */
export class LatencyTracker {
  readonly #durations = new LRUCache<string, number[]>({ max: CAPACITY })

  /**
   * Notes an attempt and returns the lane that the endpoint belongs to. An endpoint leaves the slow lane only after all
   * remembered attempts were fast, so that it does not change lanes all the time.
   * @param lane its present lane
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
