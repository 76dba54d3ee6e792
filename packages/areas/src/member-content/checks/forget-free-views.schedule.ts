import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { forgetFreeViews } from './free-view-queries.ts'

/** Removes the free views of months that are over. */
export const forgetViews = defineSchedule({
  name: 'member-content.forget-free-views',
  every: 24 * 3_600_000,
  run: (run) => run.inEachProject(forgetFreeViews),
})
