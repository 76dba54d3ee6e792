import type { FanOut } from '../events/fan-out.ts'
import type { Job } from './define-job.ts'
import type { Measure } from './define-measure.ts'
import type { KeyedConsumer, Sweep } from './queues/work-signal.ts'
import type { Schedule } from './schedules/define-schedule.ts'

/** Everything that happens outside of requests: the registry that areas hand to the worker. */
export interface Background {
  readonly jobs: readonly Job[]
  readonly consumers: readonly KeyedConsumer[]
  readonly fanOuts: readonly FanOut[]
  readonly sweeps: readonly Sweep[]
  readonly schedules: readonly Schedule[]
  /** What workers count for /metrics beside their own work. */
  readonly measures?: readonly Measure[]
}
