import { defineMeasure } from '../define-measure.ts'
import { LANES } from './lanes.ts'

/** Jobs by lane: those that are due wait for a worker, and those that failed are set aside until an operator looks. */
const jobs = defineMeasure({
  name: 'guildhall_jobs',
  help: 'Jobs by lane and state: due, later, running, failed in the last 7 days; at most 100,000 of the open and of the failed ones',
  labels: { lane: LANES, state: ['due', 'later', 'running', 'failed'] },
  sql: `
    select lane, case when state = 'running' then 'running' when due_at <= now() then 'due' else 'later' end as state,
      count(*)::int as count
    from (select lane, state, due_at from jobs where due_at is not null limit 100000) as open group by 1, 2
    union all
    select lane, 'failed', count(*)::int from (select lane from jobs where state = 'failed' limit 100000) as failed group by 1`,
})

const outbox = defineMeasure({
  name: 'guildhall_outbox_rows',
  help: 'Rows that wait for the relay, and rows that it has set aside because they fail; at most 100,000 of both',
  labels: { state: ['waiting', 'aside'] },
  sql: `
    select case when retry_at > now() then 'aside' else 'waiting' end as state, count(*)::int as count
    from (select retry_at from outbox limit 100000) as rows group by 1`,
})

/** What the platform measures of its own queues. */
export const queueMeasures = [jobs, outbox]
