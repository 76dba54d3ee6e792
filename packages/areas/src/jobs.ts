import { forgetIdempotencyKeys } from '#platform/http/forget-idempotency-keys.schedule.ts'
import type { Background } from '#platform/jobs/background.ts'

/** Everything that areas do outside of requests, alphabetical. */
export const background: Background = {
  jobs: [],
  drains: [],
  fanOuts: [],
  sweeps: [],
  schedules: [forgetIdempotencyKeys],
}
