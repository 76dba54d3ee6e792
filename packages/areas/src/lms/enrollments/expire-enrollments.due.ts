import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { emitEach } from '#platform/events/emit.ts'
import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { enrollmentExpired } from '../events.ts'
import { toEnrollment } from './queries.ts'

/** Enrollments that one transaction ends. */
const BATCH = 500

const nextToExpire = defineQuery('next_enrollment_to_expire', () =>
  query
    .selectFrom('enrollments')
    .select('expires_at')
    .where('status', '=', 'active')
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .limit(1),
)
  .map(({ expires_at }) => expires_at)
  .first()

const expire = defineQuery('expire_enrollments', () =>
  query
    .updateTable('enrollments')
    .set({ status: 'expired', updated_at: now })
    .where('id', 'in', (from) =>
      from
        .selectFrom('enrollments')
        .select('id')
        .where('status', '=', 'active')
        // Due times are compared to the millisecond, and so is this.
        .where('expires_at', '<', sql<string>`${now} + interval '1 millisecond'`)
        .orderBy('expires_at')
        .limit(BATCH)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .returning([
      'id',
      'course_id',
      'member_id',
      'status',
      'progress_percentage',
      'source',
      'basis',
      'enrolled_at',
      'expires_at',
      'completed_at',
      sql<string | null>`null::uuid`.as('certificate_id'),
    ]),
).map(toEnrollment)

/**
 * Ends enrollments whose time is over, and announces it once of each. Access itself compares the clock, so nobody gets
 * in between the end and this job.
 */
export const expireEnrollments = defineDueWork({
  name: 'lms.expire-enrollments',
  next: async (ctx) => (await nextToExpire(ctx)) ?? null,
  workOff: (run) => run.write(async (ctx) => emitEach(ctx, enrollmentExpired, await expire(ctx))),
})
