import { toId } from '../ids.ts'
import type { AreaWorkerDeps } from '../worker-deps.ts'
import type { KeyedConsumer, RunningConsumer, WorkSignal } from './queues/work-signal.ts'

interface Parts {
  readonly deps: AreaWorkerDeps
  readonly consumers: readonly KeyedConsumer[]
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal
  readonly sendSignals: (signals: readonly WorkSignal[]) => Promise<void>
}

/** The consumers of this process, each started when it is first needed. */
export class Consumers {
  readonly #parts: Parts
  readonly #known: ReadonlyMap<string, KeyedConsumer>
  readonly #running = new Map<string, RunningConsumer>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#known = new Map(parts.consumers.map((consumer) => [consumer.name, consumer]))
  }

  /** Whether runs need not come by the queue. */
  mayBegin(name: string): boolean {
    return this.#known.get(name)?.runsDirectly === true && !this.#parts.stopping.aborted
  }

  /** Does the due work of a key; nothing where this release does not know the consumer. */
  async run({ lane, consumer: name, projectId, key }: WorkSignal): Promise<void> {
    const { deps, stopping, sendSignals } = this.#parts
    const again = await this.#get(name)?.run({
      projectId,
      key,
      lane,
      signal: stopping,
      deps,
      log: deps.log.child({ consumer: name, project_id: toId('project', projectId), key }),
      ...deps.asSystem(projectId, name),
    })
    if (again !== undefined) await sendSignals([{ lane, consumer: name, projectId, key, delay: again }])
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map((consumer) => consumer.close()))
  }

  #get(name: string): RunningConsumer | undefined {
    const running = this.#running.get(name) ?? this.#known.get(name)?.start(this.#parts.deps)
    if (running !== undefined) this.#running.set(name, running)
    return running
  }
}
