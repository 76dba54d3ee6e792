import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineLookup, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'
import { isOpen, opensAt, seesMembers, statusNow } from '../access.ts'
import { certificateId, courseId, enrollmentId } from '../ids.ts'
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
