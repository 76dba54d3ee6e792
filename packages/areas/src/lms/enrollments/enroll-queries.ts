import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { notACourse, refused } from '../errors.ts'

/** A course for whoever enrolls in it; undefined where there is none. */
export const findCourseToEnroll = defineQuery('course_to_enroll_in', (v: { id: string }) =>
  query
    .selectFrom('courses')
    .select(['id', 'slug', 'status', 'price_minor', 'capacity'])
    .where('id', '=', v.id),
).first()

/** How many are enrolled and not yet done. Hold the course first. */
export const countTakenPlaces = defineQuery('taken_places', (v: { course: string }) =>
  query.selectNoFrom(
    sql<number>`(select coalesce(sum(enrollments), 0)::int8 from enrollment_counts
        where course_id = ${v.course}::uuid and status = 'active')
      - (select count(*) from enrollments where course_id = ${v.course}::uuid and status = 'active'
        and expires_at <= ${now})`.as('taken'),
  ),
)
  .map(({ taken }) => taken)
  .single()

/** A course that a member must complete first; undefined where nothing is missing. */
export const findMissingPrerequisite = defineQuery(
  'missing_prerequisites',
  (v: { course: string; member: string }) =>
    query
      .selectFrom('course_prerequisites as p')
      .select('p.required_course_id as id')
      .where('p.course_id', '=', v.course)
      .where(
        sql<boolean>`not exists (select from enrollments d where d.course_id = p.required_course_id
          and d.member_id = ${v.member}::uuid and d.completed_at is not null)`,
      )
      .limit(1),
).first()

/** What gives a member a course besides a grant; of several the one that lasts longest. */
export const findOtherGrant = defineQuery(
  'other_grant_of_course',
  (v: { course: string; member: string; type: string; id: string }) =>
    query
      .selectFrom('grants')
      .select(['source_type', 'source_id', 'expires_at'])
      .where('member_id', '=', v.member)
      .where('course_id', '=', v.course)
      .where(sql<boolean>`(source_type, source_id) <> (${v.type}::text, ${v.id}::uuid)`)
      .where(sql<boolean>`(expires_at is null or expires_at > ${now})`)
      .orderBy('expires_at', (order) => order.desc().nullsFirst())
      .limit(1),
).first()

export interface EnrollValues {
  id: string
  course: string
  member: string
  source: string
  grantType: string | null
  grantId: string | null
  /** Whether `expiresAt` counts in place of what the course says. */
  fixed: boolean
  expiresAt: string | null
}

const expiry = (v: EnrollValues) =>
  sql<string | null>`case when ${v.fixed}::boolean then ${v.expiresAt}::timestamptz
    else date_trunc('milliseconds', ${now}) + c.access_days * interval '1 day' end`

/** @throws ApiError 422 ALREADY_ENROLLED */
export const insertEnrollment = defineQuery(
  'insert_enrollment',
  (v: EnrollValues) =>
    query
      .insertInto('enrollments')
      .columns([
        'id',
        'course_id',
        'member_id',
        'source',
        'grant_type',
        'grant_id',
        'enrolled_at',
        'expires_at',
        'updated_at',
      ])
      .expression(
        query
          .selectFrom('courses as c')
          .select([
            sql<string>`${v.id}::uuid`.as('id'),
            'c.id as course_id',
            sql<string>`${v.member}::uuid`.as('member_id'),
            sql<string>`${v.source}::text`.as('source'),
            sql<string>`${v.grantType}::text`.as('grant_type'),
            sql<string>`${v.grantId}::uuid`.as('grant_id'),
            now.as('enrolled_at'),
            expiry(v).as('expires_at'),
            now.as('updated_at'),
          ])
          .where('c.id', '=', v.course),
      ),
  {
    enrollments_member_key: (cause) => refused('ALREADY_ENROLLED', cause),
    enrollments_course_fkey: (cause) => notACourse('course_id', cause),
  },
)

/** Opens an enrollment again, with the progress that it had. */
export const reviveEnrollment = defineQuery('revive_enrollment', (v: EnrollValues) =>
  query
    .updateTable('enrollments as e')
    .from('courses as c')
    .set({
      // What was completed is completed.
      status: sql<string>`case when e.completed_at is null then 'active' else 'completed' end`,
      source: v.source,
      grant_type: v.grantType,
      grant_id: v.grantId,
      expires_at: expiry(v),
      updated_at: now,
    })
    .whereRef('c.id', '=', 'e.course_id')
    .where('e.id', '=', v.id),
)

/** Has an enrollment that is open last as long as something that was given since, where that is longer. */
export const extendEnrollment = defineQuery('extend_enrollment', (v: EnrollValues) =>
  query
    .updateTable('enrollments as e')
    .from('courses as c')
    .set({
      source: v.source,
      grant_type: v.grantType,
      grant_id: v.grantId,
      expires_at: expiry(v),
      updated_at: now,
    })
    .whereRef('c.id', '=', 'e.course_id')
    .where('e.id', '=', v.id)
    .where(sql<boolean>`coalesce(${expiry(v)}, 'infinity') > coalesce(e.expires_at, 'infinity')`),
)

export const cancelEnrollment = defineQuery('cancel_enrollment', (v: { id: string }) =>
  query.updateTable('enrollments').set({ status: 'canceled', updated_at: now }).where('id', '=', v.id),
)

export const setEnrollmentExpiry = defineQuery(
  'set_enrollment_expiry',
  (v: { id: string; expiresAt: string | null }) =>
    query
      .updateTable('enrollments')
      .set({
        expires_at: v.expiresAt,
        // A later end opens again what had expired.
        status: sql<string>`case when status = 'expired'
        and (${v.expiresAt}::timestamptz is null or ${v.expiresAt}::timestamptz > ${now})
        then 'active' else status end`,
        updated_at: now,
      })
      .where('id', '=', v.id),
)
