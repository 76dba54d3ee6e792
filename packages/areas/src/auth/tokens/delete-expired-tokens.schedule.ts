import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { deleteExpired } from '#platform/jobs/schedules/housekeeping.ts'

const HOUR_MS = 3_600_000
const TABLES = [
  'one_time_tokens',
  'passkey_challenges',
  'refresh_tokens',
  'sessions',
  'signing_keys',
  'sso_assertions',
  'sso_codes',
  'sso_logins',
]

/** Deletes tokens that have expired, and sessions that ended a month ago. */
export const forgetTokens = defineSchedule({
  name: 'auth.forget-tokens',
  every: HOUR_MS,
  run: async (run) => {
    for (const table of TABLES) await deleteExpired(table, run)
  },
})
