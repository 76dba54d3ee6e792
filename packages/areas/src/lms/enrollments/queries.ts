import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookups, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { isOpen, memberOf, opensAt, seesMembers, statusNow, type Viewer } from '../access.ts'

const enrollmentColumns = [
  'e.id',
  'e.course_id',
  'e.member_id',
  'e.progress_percentage',
  'e.source',
  'e.enrolled_at',
  'e.expires_at',
  'e.completed_at',
] as const

const enrollments = () =>
  query
    .selectFrom('enrollments as e')
    .leftJoin('certificates as t', 't.enrollment_id', 'e.id')
    .select(enrollmentColumns)
    .select([statusNow.as('status'), 't.id as certificate_id'])

const byId = lookups(
  'enrollment_by_id',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    enrollments()
      .where('e.id', '=', v.id)
      .where(seesMembers(kind, 'e', v.member)),
)
/** @throws ApiError 404, for another member's too unless staff asks */
export const getEnrollment = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(byId(viewer.kind), { id, member: memberOf(viewer) }, 'Enrollment')

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

const lockOne = statement('lock_enrollment', (v: { course: string; member: string }) =>
  query
    .selectFrom('enrollments as e')
    .select([
      'e.id',
      'e.course_id',
      'e.member_id',
      'e.status',
      statusNow.as('status_now'),
      isOpen.as('is_open'),
    ])
    .where('e.course_id', '=', v.course)
    .where('e.member_id', '=', v.member)
    .forNoKeyUpdate(),
)
/** Holds the enrollment of a member in a course, if there is one. Whoever completes it holds it. */
export const lockEnrollment = (ctx: Context, course: string, member: string) =>
  ctx.tx.first(lockOne, { course, member })
export type LockedEnrollment = NonNullable<Awaited<ReturnType<typeof lockEnrollment>>>

const lockId = statements(
  'lock_enrollment_by_id',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    query
      .selectFrom('enrollments as e')
      .select([
        'e.id',
        'e.course_id',
        'e.member_id',
        'e.status',
        statusNow.as('status_now'),
        isOpen.as('is_open'),
      ])
      .where('e.id', '=', v.id)
      .where(seesMembers(kind, 'e', v.member))
      .forNoKeyUpdate(),
)
/** @throws ApiError 404, for another member's too unless staff asks */
export const lockEnrollmentById = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(lockId(viewer.kind), { id, member: memberOf(viewer) }, 'Enrollment')

const ofGrant = statement('enrollments_of_grant', (v: { type: string; id: string }) =>
  query
    .selectFrom('enrollments')
    .select(['id', 'course_id', 'member_id', 'status'])
    .where('grant_type', '=', v.type)
    .where('grant_id', '=', v.id)
    .where('status', 'in', ['active', 'completed'])
    .orderBy('id')
    .forNoKeyUpdate(),
)
/** Enrollments that a grant made, and holds them. */
export const lockEnrollmentsOfGrant = (ctx: Context, type: string, id: string) =>
  ctx.tx.all(ofGrant, { type, id })

const close = statement('close_enrollment', (v: { id: string }) =>
  query.updateTable('enrollments').set({ expires_at: now, updated_at: now }).where('id', '=', v.id),
)
/** Ends the access of one that is completed, and leaves it completed. */
export const closeEnrollment = (ctx: Context, id: string) => ctx.tx.run(close, { id })

const progress = statement('enrollment_progress', (v: { id: string }) =>
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
/** All lessons of an enrollment with how far it has come in each. */
export const listProgress = (ctx: Context, id: string) => ctx.tx.all(progress, { id })
export type ProgressRow = Awaited<ReturnType<typeof listProgress>>[number]
