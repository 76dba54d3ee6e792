import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, contains, equals, word } from '#platform/lists/list-filters.ts'
import { fromMinor } from '#platform/values/money.ts'
import { seesCourse } from '../access.ts'
import { courseInUse, notACourse, prerequisiteCircle, slugTaken } from '../errors.ts'
import { courseId } from '../ids.ts'
import { type Course, CourseChanges, type CourseStatus, type FullCourse } from './schema.ts'

const CONSTRAINTS = {
  courses_slug_key: slugTaken,
  enrollments_course_fkey: courseInUse,
  certificates_course_fkey: courseInUse,
  course_ratings_course_fkey: courseInUse,
}

/** Courses with their counters: of each a few small rows. */
const courses = () =>
  query
    .selectFrom('courses as c')
    .select(['c.id', 'c.project_id', 'c.title', 'c.slug', 'c.description', 'c.thumbnail_file_id'])
    .select(['c.category', 'c.level', 'c.duration_hours', 'c.price_minor', 'c.currency', 'c.access_days'])
    .select(['c.capacity', 'c.certificates', 'c.status', 'c.created_at', 'c.updated_at'])
    .select([
      sql<number>`(select coalesce(sum(n.enrollments), 0)::int8 from enrollment_counts n
        where n.course_id = c.id and n.status <> 'canceled')`.as('enrolled_count'),
      sql<number>`(select coalesce(sum(n.ratings), 0)::int8 from rating_counts n where n.course_id = c.id)`.as(
        'rating_count',
      ),
      sql<number>`(select coalesce(sum(n.stars), 0)::int8 from rating_counts n where n.course_id = c.id)`.as(
        'stars',
      ),
      sql<string[]>`array(select p.required_course_id from course_prerequisites p
        where p.course_id = c.id order by 1)::text[]`.as('prerequisites'),
    ])
type CourseRow = InferResult<ReturnType<typeof courses>>[number]

/** A course as lists show it. @param baseUrl the API's address */
export function toCourse(row: CourseRow, baseUrl: string): Course {
  const { title, description, category, duration_hours, enrolled_count } = row
  return {
    ...{ id: toId(courseId, row.id), title, description, category, duration_hours, enrolled_count },
    ...thumbnailOf(row, baseUrl),
    level: row.level as Course['level'],
    price: fromMinor(row.price_minor, row.currency),
    rating: row.rating_count === 0 ? 0 : Number((row.stars / row.rating_count).toFixed(2)),
    status: row.status as Course['status'],
  }
}

/** A course as lists show it, with what `include` can ask for. */
export const toListedCourse = (row: CourseRow, baseUrl: string) => ({
  ...toCourse(row, baseUrl),
  ...pick(row, 'currency', 'created_at'),
})

/** All of a course but its outline. */
const toFullCourse = (row: CourseRow, { baseUrl }: { baseUrl: string }): FullCourse => ({
  ...toCourse(row, baseUrl),
  ...pick(row, 'slug', 'currency', 'access_days', 'capacity', 'certificates', 'rating_count'),
  ...pick(row, 'created_at', 'updated_at'),
  thumbnail_file_id: row.thumbnail_file_id === null ? null : toId('file', row.thumbnail_file_id),
  prerequisites: row.prerequisites.map((id) => toId(courseId, id)),
})

/** Where anybody reads the thumbnail of a course. */
export const thumbnailOf = (
  { project_id, thumbnail_file_id }: { project_id: string; thumbnail_file_id: string | null },
  baseUrl: string,
): { thumbnail_url?: string } =>
  thumbnail_file_id === null
    ? {}
    : {
        thumbnail_url: `${baseUrl}/api/v1/storage/public/${toId('project', project_id)}/${toId('file', thumbnail_file_id)}`,
      }

/** Which course, who asks, and the API's address. */
interface Seen extends Credential {
  id: string
  baseUrl: string
}
/** @throws ApiError 404, for a course that the viewer may not see too */
export const getCourse = defineQuery('course_by_id', (v: Seen) =>
  courses().where('c.id', '=', v.id).where(seesCourse(v)),
)
  .map(toFullCourse)
  .one('Course')

/** Courses of one status, the newest first. */
export const listCourses = defineList({
  label: 'courses',
  rows: courses,
  key: 'c.id',
  filters: {
    status: word<CourseStatus>('c.status'),
    category: equals<string>('c.category'),
    level: equals<string>('c.level'),
    ...between('c.created_at'),
  },
  // A project has 1,000 at the most. Their ids are in the order in which they were created.
  sorts: { created_at: ['c.id', 'uuid'], title: ['c.title', 'text'] },
  search: contains('c.title', 'c.description'),
  counts: false,
})

/** What is written of a new course. */
type NewCourseRow = Omit<
  CourseRow,
  | 'project_id'
  | 'status'
  | 'created_at'
  | 'updated_at'
  | 'enrolled_count'
  | 'rating_count'
  | 'stars'
  | 'prerequisites'
>
/** @throws ApiError 422 SLUG_TAKEN */
export const insertCourse = defineQuery(
  'insert_course',
  (v: NewCourseRow) =>
    query.insertInto('courses').values({
      ...pick(v, 'id', 'title', 'slug', 'description', 'thumbnail_file_id', 'category', 'level'),
      ...pick(v, 'duration_hours', 'price_minor', 'currency', 'access_days', 'capacity', 'certificates'),
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)

/** Those of these courses that exist. */
export const findCourses = defineLookup('courses_that_there_are', (v: { ids: readonly string[] }) =>
  query.selectFrom('courses').select('id').where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

export const isSlugTaken = defineQuery('course_by_slug', (v: { slug: string }) =>
  query.selectNoFrom(sql<boolean>`exists (select from courses where slug = ${v.slug}::text)`.as('is_taken')),
)
  .map(({ is_taken }) => is_taken)
  .single()

/**
 * Changes what is sent of a course: the price in minor units, the thumbnail as a stored id. What the course requires is
 * written by `setPrerequisites`.
 * @throws ApiError 404; 412; 422 SLUG_TAKEN
 */
export const patchCourse = definePatch('courses', {
  body: CourseChanges,
  current: getCourse,
  columns: [
    ...(['title', 'slug', 'description', 'thumbnail_file_id', 'category', 'level'] as const),
    ...(['duration_hours', 'currency', 'access_days', 'capacity', 'certificates'] as const),
  ],
  fields: {
    price: field(
      (price_minor: number) => ({ price_minor }),
      (v) => ({ price_minor: v.price_minor }),
    ),
    prerequisites: field(
      () => ({}),
      () => ({}),
    ),
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
})

/** Holds a course still: its outline, its places, its price. @throws ApiError 404 */
export const lockCourse = defineQuery('lock_course', (v: { id: string }) =>
  query
    .selectFrom('courses')
    .select(['id', 'status', 'capacity', 'price_minor', 'currency'])
    .where('id', '=', v.id)
    .forNoKeyUpdate(),
).one('Course')

export const setCourseStatus = defineQuery('set_course_status', (v: { id: string; status: CourseStatus }) =>
  query.updateTable('courses').set({ status: v.status, updated_at: now }).where('id', '=', v.id),
)

/** @throws ApiError 404; 422 COURSE_IN_USE if members are or were enrolled */
export const deleteCourse = defineQuery(
  'delete_course',
  (v: { id: string }) => query.deleteFrom('courses').where('id', '=', v.id).returning('title'),
  CONSTRAINTS,
).one('Course')

const removePrerequisites = defineQuery('delete_prerequisites', (v: { id: string }) =>
  query.deleteFrom('course_prerequisites').where('course_id', '=', v.id),
)
const insertPrerequisites = defineQuery(
  'insert_prerequisites',
  (v: { id: string; required: readonly string[] }) =>
    query
      .insertInto('course_prerequisites')
      .columns(['course_id', 'required_course_id'])
      .expression(sql`select ${v.id}::uuid, r from unnest(${v.required}::uuid[]) as r`),
  { course_prerequisites_required_fkey: (cause) => notACourse('prerequisites', cause) },
)
const lockPrerequisites = defineQuery('lock_prerequisites', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('prerequisites ' || app.current_project(), 0))`.as('locked'),
  ),
)
const findCircle = defineQuery('prerequisite_circle', (v: { id: string }) =>
  query
    .withRecursive('needed(id)', (cte) =>
      cte
        .selectFrom('course_prerequisites as p')
        .select('p.required_course_id as id')
        .where('p.course_id', '=', v.id)
        .union((from) =>
          from
            .selectFrom('needed as n')
            .innerJoin('course_prerequisites as p', 'p.course_id', 'n.id')
            .select('p.required_course_id as id'),
        ),
    )
    .selectFrom('needed')
    .select('id')
    .where('id', '=', v.id),
).first()

/**
 * Says what a course requires, in place of what it required. Two at once take turns, or each would miss the other's.
 * @throws ApiError 422 for a course that does not exist, PREREQUISITE_CIRCLE
 */
export async function setPrerequisites(ctx: Context, id: string, required: readonly string[]): Promise<void> {
  lockPrerequisites(ctx)
  removePrerequisites(ctx, { id })
  insertPrerequisites(ctx, { id, required })
  if ((await findCircle(ctx, { id })) !== undefined) throw prerequisiteCircle()
}
