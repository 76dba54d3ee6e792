import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { nextEnd } from './queries.ts'
import { endSuspensions } from './service.ts'

/** Announces suspensions that have ended. */
export const endSuspensionsWhenDue = defineDueWork({
  name: 'moderation.end-suspensions',
  next: nextEnd,
  workOff: (run) => run.write(endSuspensions),
})
