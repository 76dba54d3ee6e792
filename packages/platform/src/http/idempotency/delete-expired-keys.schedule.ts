import { defineSchedule } from '../../jobs/schedules/define-schedule.ts'

const EVERY_MS = 10 * 60_000
/** Rows per statement, so that none holds many locks for long. */
const BATCH = 10_000

/** Deletes Idempotency-Keys that are older than 24 hours. They have no effect any more; deleting them frees space. */
export const forgetIdempotencyKeys = defineSchedule({
  name: 'platform.forget-idempotency-keys',
  every: EVERY_MS,
  run: async ({ housekeeping, signal, log }) => {
    let deleted = 0
    let last: number
    do {
      // The housekeeper's policy hides younger keys from it.
      const { rowCount } = await housekeeping.query(
        'delete from idempotency_keys where ctid = any (array(select ctid from idempotency_keys limit $1))',
        [BATCH],
      )
      last = rowCount ?? 0
      deleted += last
    } while (last === BATCH && !signal.aborted)
    log.info({ deleted }, 'idempotency keys forgotten')
  },
})
