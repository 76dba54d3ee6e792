import { defineSchedule } from '../jobs/schedules/define-schedule.ts'
import { makeProjectBox } from '../secrets/project-box.ts'
import { rotateSigningKey, SIGNING_KEYS_PURPOSE } from './rotate-signing-key.ts'

const DAY_SECONDS = 86_400
/** NIST SP 800-57 allows up to three years. Frequent rotations show that a rotation works. */
const MAX_AGE_DAYS = 90

/**
 * Replaces the key that signs access tokens. A new key is published a day before it is used, and an old key until its
 * last token has expired.
 */
export const rotateSigningKeys = defineSchedule({
  name: 'auth.rotate-signing-key',
  every: '17 3 * * *',
  run: async ({ deps, housekeeping, log }) => {
    const made = await rotateSigningKey({
      pool: housekeeping,
      box: makeProjectBox(deps.config, SIGNING_KEYS_PURPOSE),
      aheadSeconds: DAY_SECONDS,
      unlessYoungerThanSeconds: MAX_AGE_DAYS * DAY_SECONDS,
    })
    if (made) log.info({ kid: made.id, signs_from: made.signs_from }, 'a new signing key was made')
  },
})
