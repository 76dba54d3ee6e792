import { Type } from 'typebox'
import type { JobType } from '#platform/jobs/enqueue.ts'

const Payload = Type.Object({ discussion_id: Type.String({ format: 'uuid' }) })

/** Tells subscribers of a discussion what is new in it. */
export const tellSubscribers = {
  name: 'discussions.tell-subscribers',
  lane: 'mail',
  payload: Payload,
} as const satisfies JobType<typeof Payload>
