import type { FanOut } from '#platform/events/fan-out.ts'
import { JOBS_CONSUMER } from '#platform/jobs/queues/work-signal.ts'
import { CAUSES } from './causes.ts'
import { notify } from './notify.job.ts'

const TYPES = Object.keys(CAUSES)
  .map((type) => `'${type}'`)
  .join(', ')

/** A job for each event that notifies somebody. It has the event's id, so that there is one. */
export const fanOutToNotifications: FanOut = {
  ctes: `
    notifications_asked as (
      insert into jobs (project_id, id, name, lane, payload, due_at, traceparent, request_id, created_at)
      select n.project_id, n.id, '${notify.name}', '${notify.lane}', json_build_object('event_id', n.id),
        n.occurred_at, n.traceparent, n.request_id, n.occurred_at
      from emitted n where n.type in (${TYPES})
      on conflict (project_id, id) do nothing
      returning project_id
    )`,
  signals: `
    select distinct '${notify.lane}' as lane, '${JOBS_CONSUMER}' as consumer, a.project_id, a.project_id::text as key
    from notifications_asked as a`,
}
