import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { deleteOldImports } from './queries.ts'

/** Deletes imports that are a week old, with their faults and their maps. */
export const forgetImports = defineSchedule({
  name: 'community.forget-imports',
  every: 3_600_000,
  run: (run) => run.inEachProject((ctx) => deleteOldImports(ctx)),
})
