import { defineJob } from '#platform/jobs/define-job.ts'
import { tellSubscribers } from './ask.ts'
import { sendDigest } from './send-digest.ts'

/** Tells at once, after a post, whoever has had no mail within the hour. */
export const notifySubscribersJob = defineJob({
  ...tellSubscribers,
  attempts: 8,
  run: (run, { discussion_id: id }) => run.record((ctx) => sendDigest(ctx, run.deps.config, id)),
})
