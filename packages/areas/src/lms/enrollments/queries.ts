import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, equals, hasId } from '#platform/lists/list-filters.ts'
import { isOpen, opensAt, seesMembers, statusNow } from '../access.ts'
import { alreadyEnrolled, notACourse } from '../errors.ts'
import { certificateId, courseId, enrollmentId } from '../ids.ts'
import { type Access, endOfSpans, type Given } from './access-bases.ts'
import type { Enrollment } from './schema.ts'

const enrollments = () =>
  query
    .selectFrom('enrollments as e')
    .leftJoin('certificates as t', (on) =>
      on.onRef('t.enrollment_id', '=', 'e.id').on('t.replaced_by', 'is', null),
    )
    .select(['e.id', 'e.course_id', 'e.member_id', 'e.progress_percentage', 'e.source', 'e.basis'])
    .select([
      'e.enrolled_at',
      'e.expires_at',
      'e.completed_at',
      statusNow.as('status'),
      't.id as certificate_id',
    ])

/** A row as clients see it. */
export const toEnrollment = ({
  member_id,
  ...row
}: InferResult<ReturnType<typeof enrollments>>[number]): Enrollment => ({
  ...row,
  id: toId(enrollmentId, row.id),
  course_id: toId(courseId, row.course_id),
  student_id: toId('member', member_id),
  status: row.status as Enrollment['status'],
  source: row.source as Enrollment['source'],
  basis: row.basis as Enrollment['basis'],
  certificate_id: row.certificate_id === null ? null : toId(certificateId, row.certificate_id),
})

/** @throws ApiError 404, for another member's too unless staff asks */
export const getEnrollment = defineLookup('enrollment_by_id', (v: Credential & { id: string }) =>
  enrollments().where('e.id', '=', v.id).where(seesMembers('e', v)),
)
  .map(toEnrollment)
  .one('Enrollment')

/** Enrollments of a member, the newest first. */
export const listEnrollments = defineList({
  label: 'enrollments_of_member',
  rows: () =>
    query
      .selectFrom('enrollments as e')
      .innerJoin('courses as c', 'c.id', 'e.course_id')
      .select(['e.id', 'e.course_id', 'e.progress_percentage', 'e.enrolled_at', statusNow.as('status')])
      .select(['c.project_id', 'c.title', 'c.thumbnail_file_id', 'c.level', 'c.duration_hours']),
  key: 'e.id',
  scope: { member: equals<string>('e.member_id') },
  filters: {
    course_id: hasId('e.course_id', (id) => parseId(courseId, id)),
    ...between('e.enrolled_at'),
  },
  // A member has one in each course at the most. Their ids are in the order in which they began.
  sorts: { enrolled_at: ['e.id', 'uuid'] },
  counts: false,
})

const locked = () =>
  query
    .selectFrom('enrollments as e')
    .select(['e.id', 'e.course_id', 'e.member_id', 'e.status'])
    .select([statusNow.as('status_now'), isOpen.as('is_open')])
    .orderBy('e.id')
    .forNoKeyUpdate()

/** Holds the enrollment of a member in a course, if there is one. Whoever completes it holds it. */
export const lockEnrollment = defineQuery('lock_enrollment', (v: { course: string; member: string | null }) =>
  locked().where('e.course_id', '=', v.course).where('e.member_id', '=', v.member),
).first()
export type LockedEnrollment = NonNullable<AnswerOf<typeof lockEnrollment>>

/** @throws ApiError 404, for another member's too unless staff asks */
export const lockEnrollmentById = defineQuery('lock_enrollment_by_id', (v: Credential & { id: string }) =>
  locked().where('e.id', '=', v.id).where(seesMembers('e', v)),
).one('Enrollment')

/** Holds all enrollments of members. */
export const lockEnrollmentsOf = defineQuery(
  'lock_enrollments_of_members',
  (v: { members: readonly string[] }) =>
    locked().where('e.member_id', '=', sql<string>`any (${v.members}::uuid[])`),
)

/** All lessons of an enrollment with how far it has come in each. */
export const listProgress = defineQuery('enrollment_progress', (v: { id: string }) =>
  query
    .selectFrom('enrollments as e')
    .innerJoin('lessons as l', 'l.course_id', 'e.course_id')
    .leftJoin('lesson_progress as p', (on) =>
      on.onRef('p.enrollment_id', '=', 'e.id').onRef('p.lesson_id', '=', 'l.id'),
    )
    .leftJoin('quizzes as q', 'q.lesson_id', 'l.id')
    .select(['l.id', 'l.title', 'l.type', 'l.completion_rule', 'l.required', 'q.id as quiz_id'])
    .select(['p.progress_percentage', 'p.last_position', 'p.completed_at', opensAt.as('opens_at')])
    .select(sql<boolean>`${opensAt} <= ${now}`.as('has_begun'))
    .where('e.id', '=', v.id)
    .where('l.deleted_at', 'is', null)
    .orderBy('l.position')
    .orderBy('l.id'),
)
export type ProgressRow = AnswerOf<typeof listProgress>[number]

/** Ids of some enrollments that are not completed, in their order. @param v `after` the last one seen, or null */
export const listUnfinished = defineQuery(
  'unfinished_enrollments',
  (v: { course: string; after: string | null; limit: number }) =>
    query
      .selectFrom('enrollments')
      .select('id')
      .where('course_id', '=', v.course)
      .where('status', '=', 'active')
      .where(sql<boolean>`(${v.after}::uuid is null or id > ${v.after}::uuid)`)
      .orderBy('id')
      .limit(v.limit),
).map(({ id }) => id)

/** Holds an enrollment if it is still not completed; undefined otherwise. */
export const lockUnfinished = defineQuery('lock_unfinished_enrollment', (v: { id: string }) =>
  query
    .selectFrom('enrollments')
    .select('id')
    .where('id', '=', v.id)
    .where('status', '=', 'active')
    .forNoKeyUpdate(),
).first()

/** A course for whoever enrolls in it; undefined where there is none. */
export const findCourseToEnroll = defineQuery('course_to_enroll_in', (v: { id: string }) =>
  query.selectFrom('courses').select(['id', 'status', 'price_minor', 'capacity']).where('id', '=', v.id),
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

/**
 * Keeps what a member is given as it is until this transaction ends: whoever changes grants holds the member. Taken before
 * the enrollment, as by them.
 */
export const lockGrantsOf = defineQuery('lock_grants_of_student', (v: { member: string }) =>
  query.selectFrom('members').select('id').where('id', '=', v.member).forShare(),
)
/** The same for the member of an enrollment. */
export const lockGrantsOfEnrollment = defineQuery('lock_grants_of_enrollment', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select('id')
    .where('id', '=', (from) => from.selectFrom('enrollments').select('member_id').where('id', '=', v.id))
    .forShare(),
)

/** Members of a plan who are or were enrolled in anything, in the order of their ids. @param v `after` the last one seen, or null */
export const listEnrolledOnPlan = defineQuery(
  'enrolled_on_plan',
  (v: { plan: string; after: string | null; limit: number }) =>
    sql<{ id: string }>`select m.id from members m
      where m.plan_id = ${v.plan}::uuid and (${v.after}::uuid is null or m.id > ${v.after}::uuid)
        and exists (select from enrollments e where e.member_id = m.id)
      order by m.id limit ${v.limit}`,
).map(({ id }) => id)

/** An enrollment, if there is one, and what it can rest on. */
export interface Standing extends Given {
  readonly id: string | null
  readonly course_id: string
  readonly member_id: string
  /** Empty where there is no enrollment. */
  readonly status: string
  readonly completed_at: string | null
  readonly expires_at: string | null
  readonly source: string
  readonly basis: string
  readonly basis_id: string | null
  readonly closed_by: 'member' | 'key' | null
  readonly access: Access
}

const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const span = sql`'begins', ${iso('g.starts_at')}, 'ends', ${iso('g.expires_at')}`
const hasNotEnded = sql`(g.expires_at is null or g.expires_at > ${now})`

interface Asked {
  members: readonly string[]
  courses: readonly string[]
}
interface Row extends Omit<Standing, 'feature'> {
  readonly feature: string | null
  readonly is_of_default: boolean
  readonly feature_spans: { begins: string; ends: string | null }[]
}
/**
 * What members have of courses now. Hold the members and their enrollments first. A feature is that of the slug of the
 * course, or of the slug that it had when the member was enrolled.
 */
export const readStandings = defineQuery(
  'standings_in_courses',
  (
    v: Asked,
  ) => sql<Row>`select m.id as member_id, c.id as course_id, c.access_days, e.id, coalesce(e.status, '') as status,
      e.completed_at, e.expires_at, coalesce(e.source, '') as source, coalesce(e.basis, 'key') as basis, e.basis_id, e.closed_by, coalesce(e.access, '{"list": []}') as access,
      date_trunc('milliseconds', ${now}) as now,
      (select coalesce(json_agg(json_build_object('id', g.source_id, ${span}) order by g.starts_at, g.id), '[]')
        from grants g where g.member_id = m.id and g.course_id = c.id and ${hasNotEnded}) as lines,
      case when f.names && p.features or exists (select from grants g where g.member_id = m.id and f.names && g.features
        and g.starts_at <= ${now} and ${hasNotEnded}) then 'course:' || c.slug end as feature,
      exists (select from plans d where d.is_default and f.names && d.features) as is_of_default,
      (select coalesce(json_agg(json_build_object(${span})), '[]') from grants g left join plans of_grant on of_grant.id = g.plan_id
        where g.member_id = m.id and (f.names && g.features or f.names && of_grant.features) and ${hasNotEnded}) as feature_spans
    from members m join plans p on p.id = m.plan_id cross join courses c
      left join enrollments e on e.course_id = c.id and e.member_id = m.id
      cross join lateral (select array_remove(array['course:' || c.slug, (select b ->> 'id'
        from jsonb_array_elements(e.access -> 'list') b where b ->> 'type' = 'feature')], null) as names) as f
    where m.id = any (${v.members}::uuid[]) and c.id = any (${v.courses}::uuid[])
    order by e.id`,
).map(({ feature, is_of_default, feature_spans, ...row }): Standing => {
  const known = row.access.list.find(({ type }) => type === 'feature')?.id
  const ends = is_of_default || feature_spans.length === 0 ? null : endOfSpans(feature_spans, row.now)
  return { ...row, feature: feature === null ? null : { name: known ?? feature, ends } }
})

interface Written {
  id: string
  status: string
  source: string
  basis: string
  basis_id: string | null
  closed_by: string | null
  expires_at: string | null
  /** JSON. */
  access: string
}
/** @throws ApiError 422 ALREADY_ENROLLED */
export const insertEnrollment = defineQuery(
  'insert_enrollment',
  (v: Written & { course_id: string; member_id: string }) =>
    query.insertInto('enrollments').values({
      ...pick(v, 'id', 'course_id', 'member_id', 'status', 'source', 'basis', 'basis_id', 'closed_by'),
      ...pick(v, 'expires_at'),
      access: sql`${v.access}::jsonb`,
      enrolled_at: now,
      updated_at: now,
    }),
  {
    enrollments_member_key: alreadyEnrolled,
    enrollments_course_fkey: (cause) => notACourse('course_id', cause),
  },
)

export const writeEnrollment = defineQuery('write_enrollment', (v: Written) =>
  query
    .updateTable('enrollments')
    .set({
      ...pick(v, 'status', 'source', 'basis', 'basis_id', 'closed_by', 'expires_at'),
      access: sql`${v.access}::jsonb`,
      updated_at: now,
    })
    .where('id', '=', v.id),
)

/** Ends an enrollment by a word: the member's, or a key's. */
export const cancelEnrollment = defineQuery(
  'cancel_enrollment',
  (v: { id: string; closed_by: 'member' | 'key' }) =>
    query
      .updateTable('enrollments')
      .set({ status: 'canceled', ...pick(v, 'closed_by'), updated_at: now })
      .where('id', '=', v.id),
)

/** The courses of these from which a key has removed a member. */
export const listRemovals = defineQuery(
  'courses_a_member_was_removed_from',
  (v: { member: string; courses: readonly string[] }) =>
    query
      .selectFrom('enrollments')
      .select('course_id')
      .where('course_id', '=', sql<string>`any (${v.courses}::uuid[])`)
      .where('member_id', '=', v.member)
      .where('closed_by', '=', 'key'),
).map(({ course_id }) => course_id)
