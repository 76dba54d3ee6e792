import { type Lane, SLOTS } from './lanes.ts'
import type { WorkSignal } from './work-signal.ts'

/**
 * The runs that the process of a relay begins by itself, without the queue. A lane has as many of them as it has slots.
 * Further ones go to the queue, where any process may take them.
 */
export class DirectRuns {
  readonly #running: Map<Lane, number>
  readonly #allows: (consumer: string) => boolean

  /**
   * @param lanes that this process serves
   * @param allows whether a consumer's runs may begin here now
   */
  constructor(lanes: readonly Lane[], allows: (consumer: string) => boolean) {
    this.#running = new Map(lanes.map((lane) => [lane, 0]))
    this.#allows = allows
  }

  /**
   * Begins a run where that is possible.
   * @param run reports its failures itself
   * @returns false where the queue has to be asked
   */
  begin({ lane, consumer }: WorkSignal, run: () => Promise<void>): boolean {
    const running = this.#running.get(lane)
    if (running === undefined || running >= SLOTS[lane] || !this.#allows(consumer)) return false
    this.#running.set(lane, running + 1)
    const ended = () => this.#running.set(lane, (this.#running.get(lane) ?? 1) - 1)
    run().then(ended, ended)
    return true
  }
}
