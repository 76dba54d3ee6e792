import { isOutage } from '../db/pg-errors.ts'
import { type ThrottledWarn, throttledWarn } from '../telemetry/throttled-warn.ts'
import type { WorkerDeps } from '../worker-deps.ts'
import type { WorkSignal } from './queues/work-signal.ts'

/** What is handled right now, counted and reported. */
export class Runs {
  readonly #running = new Set<Promise<void>>()
  readonly #deps: Pick<WorkerDeps, 'log' | 'metrics' | 'knowsKeys'>
  readonly #complainOfOutage: ThrottledWarn

  constructor(deps: Pick<WorkerDeps, 'log' | 'metrics' | 'knowsKeys'>) {
    this.#deps = deps
    this.#complainOfOutage = throttledWarn(deps.log, 'signals cannot be handled; the sweep repeats them')
  }

  /** @throws whatever the work throws, when it was logged */
  begin(signal: WorkSignal, work: () => Promise<void>): Promise<void> {
    const run = this.#counted(signal, work).finally(() => this.#running.delete(run))
    this.#running.add(run)
    return run
  }

  /** Resolves when nothing runs. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  async #counted(signal: WorkSignal, work: () => Promise<void>): Promise<void> {
    const { log, metrics, knowsKeys } = this.#deps
    const { lane, consumer, projectId, key } = signal
    metrics.inFlight.inc({ lane })
    try {
      await knowsKeys
      await work()
      this.#complainOfOutage.over()
    } catch (error) {
      if (isOutage(error)) this.#complainOfOutage(error)
      else
        log.error(
          { err: error, lane, consumer, projectId, key },
          'a signal could not be handled; the sweep repeats it',
        )
      throw error
    } finally {
      metrics.inFlight.dec({ lane })
    }
  }
}
