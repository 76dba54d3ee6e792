import { areas } from '#areas/areas.ts'
import { catalogueOf } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import type { Schedule } from '#platform/jobs/schedules/define-schedule.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { forAreas, makeWorkerDeps } from '#platform/worker-deps.ts'

/** Runs a schedule once, now, as a worker does. One that visits each project visits none. */
export async function runSchedule(schedule: Schedule, config: Config): Promise<void> {
  const deps = makeWorkerDeps(config, makeLog('silent', 'worker'))
  const { signal } = new AbortController()
  try {
    await schedule.run({
      signal,
      deps: forAreas(deps, catalogueOf(areas)),
      housekeeping: deps.housekeeping,
      log: deps.log,
      inEachProject: async () => undefined,
    })
  } finally {
    await deps.close()
  }
}
