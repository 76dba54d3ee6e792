/** An endpoint whose attempts take longer than this, 95 in 100, has no place among quick ones. */
const SLOW_MS = 3_000
/** Attempts that are remembered, and those that it takes to call an endpoint slow. */
const REMEMBERED = 20
const ENOUGH = 5
/** Endpoints remembered at the most; the oldest go first. */
const CAPACITY = 10_000

export type SendLane = 'webhooks' | 'slow'

/** How quickly endpoints have answered lately, as far as this process has seen. */
export class LatencyTracker {
  readonly #durations = new Map<string, number[]>()

  /**
   * Notes an attempt and answers the lane that the endpoint belongs to. Leaving the slow lane takes a whole memory of
   * quick answers, so that nobody goes to and fro.
   * @param lane where it is now
   */
  note(endpointId: string, durationMs: number, lane: SendLane): SendLane {
    const durations = this.#durations.get(endpointId) ?? []
    if (durations.length === 0) this.#remember(endpointId, durations)
    durations.push(durationMs)
    if (durations.length > REMEMBERED) durations.shift()
    const needed = lane === 'slow' ? REMEMBERED : ENOUGH
    if (durations.length < needed) return lane
    const p95 = durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * 0.95) - 1] ?? 0
    return p95 > SLOW_MS ? 'slow' : 'webhooks'
  }

  #remember(endpointId: string, durations: number[]): void {
    if (this.#durations.size >= CAPACITY) this.#durations.delete(this.#durations.keys().next().value ?? '')
    this.#durations.set(endpointId, durations)
  }
}
