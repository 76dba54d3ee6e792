import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import type { Schedule } from '#platform/jobs/schedules/define-schedule.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { forAreas, makeWorkerDeps } from '#platform/worker-deps.ts'

interface Observer {
  /** Takes the lines of the log; nothing is logged without it. */
  readonly logTo?: (line: string) => void
  /** Takes the metrics of the worker, as /metrics shows them, after the run. */
  readonly metricsTo?: (text: string) => void
}

/** Runs a schedule once, now, as a worker does. One that visits each project visits none. */
export async function runSchedule(
  schedule: Schedule,
  config: Config,
  { logTo, metricsTo }: Observer = {},
): Promise<void> {
  const log = logTo ? makeLog('info', 'worker', { write: logTo }) : makeLog('silent', 'worker')
  const deps = makeWorkerDeps(config, log)
  const { signal } = new AbortController()
  try {
    await schedule.run({
      signal,
      deps: forAreas(deps, catalogueOf(areas)),
      housekeeping: deps.housekeeping,
      auditing: deps.auditing,
      log: deps.log,
      inEachProject: async () => undefined,
    })
    metricsTo?.(await deps.metrics.registry.metrics())
  } finally {
    await deps.close()
  }
}
