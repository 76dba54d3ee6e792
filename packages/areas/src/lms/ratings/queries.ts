import { defineList, keptIn } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberOf, seesCourse, type Viewer } from '../access.ts'

const columns = ['course_id', 'member_id', 'rating', 'text', 'created_at', 'updated_at'] as const

const course = statements(
  'course_to_rate',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    query
      .selectFrom('courses as c')
      .select('c.id')
      .where('c.id', '=', v.id)
      .where(seesCourse(kind, v.member)),
)
/** @throws ApiError 404, for a course that the viewer may not see too */
export const assertCourse = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(course(viewer.kind), { id, member: memberOf(viewer) }, 'Course')

/** Ratings of a course, the newest first. */
export const listRatings = defineList({
  label: 'course_ratings',
  rows: () => query.selectFrom('course_ratings').select(['id', ...columns]),
  key: 'id',
  scope: { course_id: equals<string>('course_id') },
  kept: keptIn('rating_counts', 'ratings'),
})

const enrolled = statement('was_enrolled', (v: { course: string; member: string }) =>
  query
    .selectFrom('enrollments')
    .select('id')
    .where('course_id', '=', v.course)
    .where('member_id', '=', v.member),
)
/** Whether a member is or was enrolled in a course. */
export const wasEnrolled = (ctx: Context, course: string, member: string) =>
  ctx.tx.first(enrolled, { course, member }).map((row) => row !== undefined)

interface Values {
  id: string
  course: string
  member: string
  rating: number
  text: string
}
const put = statement('put_rating', (v: Values) =>
  query
    .insertInto('course_ratings')
    .values({
      id: v.id,
      course_id: v.course,
      member_id: v.member,
      rating: v.rating,
      text: v.text,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'course_id', 'member_id'])
        .doUpdateSet({ rating: v.rating, text: v.text, updated_at: now }),
    )
    .returning(columns),
)
/** The one rating that a member gives a course. */
export const putRating = (ctx: Context, values: Values) => ctx.tx.single(put, values)
