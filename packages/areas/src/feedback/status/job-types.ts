import { Type } from 'typebox'
import type { JobType } from '#platform/jobs/enqueue.ts'

/** What is asked for here and done in notify-voters.job.ts. */
export const notifyVotersJob = {
  name: 'feedback.notify-voters',
  lane: 'mail',
  payload: Type.Object({ change_id: Type.String() }),
} as const satisfies JobType
