import type { InferResult } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { defineList, keptIn } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'
import { seesCourse } from '../access.ts'
import { courseId } from '../ids.ts'
import type { Rating } from './schema.ts'

const given = ['id', 'course_id', 'member_id', 'rating', 'text'] as const
const columns = [...given, 'created_at', 'updated_at'] as const
const ratings = () => query.selectFrom('course_ratings').select(columns)

/** A row as clients see it. */
const toRating = (row: InferResult<ReturnType<typeof ratings>>[number]): Rating => ({
  ...pick(row, 'rating', 'text', 'created_at', 'updated_at'),
  course_id: toId(courseId, row.course_id),
  student_id: toId('member', row.member_id),
})

/** @throws ApiError 404, for a course that the viewer may not see too */
export const assertCourse = defineQuery('course_to_rate', (v: Credential & { id: string }) =>
  query.selectFrom('courses as c').select('c.id').where('c.id', '=', v.id).where(seesCourse(v)),
).one('Course')

/** Ratings of a course, the newest first. */
export const listRatings = defineList({
  label: 'course_ratings',
  rows: ratings,
  map: toRating,
  key: 'id',
  scope: { course_id: equals<string>('course_id') },
  kept: keptIn('rating_counts', 'ratings'),
})

/** The enrollment of a member in a course, also one that has ended. */
export const findEnrollment = defineQuery('enrollment_to_rate', (v: { course: string; member: string }) =>
  query
    .selectFrom('enrollments')
    .select('id')
    .where('course_id', '=', v.course)
    .where('member_id', '=', v.member),
).first()

/** The one rating that a member gives a course. */
export const putRating = defineQuery(
  'put_rating',
  (v: { id: string; course_id: string; member_id: string; rating: number; text: string }) =>
    query
      .insertInto('course_ratings')
      .values({ ...pick(v, ...given), created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'course_id', 'member_id'])
          .doUpdateSet({ ...pick(v, 'rating', 'text'), updated_at: now }),
      )
      .returning(columns),
)
  .map(toRating)
  .single()
