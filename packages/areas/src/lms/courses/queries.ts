import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { contains, equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberOf, seesCourse, type Viewer } from '../access.ts'
import { notACourse, refused, slugTaken } from '../errors.ts'
import { type CourseValues, courseColumns } from './rows.ts'
import type { CourseStatus } from './schema.ts'

const CONSTRAINTS = {
  courses_slug_key: slugTaken,
  enrollments_course_fkey: (cause: unknown) => refused('COURSE_IN_USE', cause),
  certificates_course_fkey: (cause: unknown) => refused('COURSE_IN_USE', cause),
  course_ratings_course_fkey: (cause: unknown) => refused('COURSE_IN_USE', cause),
}

/** Courses with their counters: of each a few small rows. */
const courses = () =>
  query
    .selectFrom('courses as c')
    .select(courseColumns)
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

const byId = statements(
  'course_by_id',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    courses().where('c.id', '=', v.id).where(seesCourse(kind, v.member)),
)

/** @throws ApiError 404, for a course that the viewer may not see too */
export const getCourse = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(byId(viewer.kind), { id, member: memberOf(viewer) }, 'Course')

/** Courses of one status, the newest first. */
export const listCourses = defineList({
  label: 'courses',
  rows: courses,
  key: 'c.id',
  scope: { status: equals<CourseStatus>('c.status') },
  filters: { category: equals<string>('c.category'), level: equals<string>('c.level') },
  search: contains('c.title', 'c.description'),
  counts: false,
})

const valuesOf = (v: CourseValues) => ({
  title: v.title,
  slug: v.slug,
  description: v.description,
  thumbnail_file_id: v.thumbnail_file_id,
  category: v.category,
  level: v.level,
  duration_hours: v.duration_hours,
  price_minor: v.price_minor,
  currency: v.currency,
  access_days: v.access_days,
  capacity: v.capacity,
  certificates: v.certificates,
})

const insert = statement(
  'insert_course',
  (v: CourseValues) =>
    query.insertInto('courses').values({ id: v.id, ...valuesOf(v), created_at: now, updated_at: now }),
  CONSTRAINTS,
)
/** @throws ApiError 422 SLUG_TAKEN */
export const insertCourseRow = (ctx: Context, course: CourseValues) => ctx.tx.run(insert, course)

const known = lookup('courses_that_there_are', (v: { ids: readonly string[] }) =>
  query.selectFrom('courses').select('id').where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)
/** Those of these courses that there are. */
export const findCourses = (ctx: Context, ids: readonly string[]) => ctx.tx.all(known, { ids })

const bySlug = statement('course_by_slug', (v: { slug: string }) =>
  query.selectFrom('courses').select('id').where('slug', '=', v.slug),
)
export const isSlugTaken = (ctx: Context, slug: string) =>
  ctx.tx.first(bySlug, { slug }).map((row) => row !== undefined)

const update = statement(
  'update_course',
  (v: CourseValues) =>
    query
      .updateTable('courses')
      .set({ ...valuesOf(v), updated_at: now })
      .where('id', '=', v.id),
  CONSTRAINTS,
)
/** @throws ApiError 422 SLUG_TAKEN */
export const updateCourseRow = (ctx: Context, course: CourseValues) => ctx.tx.run(update, course)

const lock = statement('lock_course', (v: { id: string }) =>
  query.selectFrom('courses').select(['id', 'status', 'capacity']).where('id', '=', v.id).forNoKeyUpdate(),
)
/** Holds a course still: its outline, its places. @throws ApiError 404 */
export const lockCourse = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Course')

const setStatus = statement('set_course_status', (v: { id: string; status: string }) =>
  query.updateTable('courses').set({ status: v.status, updated_at: now }).where('id', '=', v.id),
)
export const setCourseStatus = (ctx: Context, id: string, status: CourseStatus) =>
  ctx.tx.run(setStatus, { id, status })

const remove = statement(
  'delete_course',
  (v: { id: string }) => query.deleteFrom('courses').where('id', '=', v.id).returning('id'),
  CONSTRAINTS,
)
/** @throws ApiError 404; 422 COURSE_IN_USE */
export const deleteCourseRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Course')

const forget = statement('delete_prerequisites', (v: { id: string }) =>
  query.deleteFrom('course_prerequisites').where('course_id', '=', v.id),
)
const require = statement(
  'insert_prerequisites',
  (v: { id: string; required: readonly string[] }) =>
    query
      .insertInto('course_prerequisites')
      .columns(['course_id', 'required_course_id'])
      .expression(sql`select ${v.id}::uuid, r from unnest(${v.required}::uuid[]) as r`),
  { course_prerequisites_required_fkey: (cause) => notACourse('prerequisites', cause) },
)
const lockAll = statement('lock_prerequisites', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('prerequisites ' || app.current_project(), 0))`.as('locked'),
  ),
)
const circle = statement('prerequisite_circle', (v: { id: string }) =>
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
)

/**
 * Says what a course requires, in place of what it required. Two at once take turns, or each would miss the other's.
 * @throws ApiError 422 for a course that there is not, PREREQUISITE_CIRCLE
 */
export async function setPrerequisites(ctx: Context, id: string, required: readonly string[]): Promise<void> {
  ctx.tx.run(lockAll, {})
  ctx.tx.run(forget, { id })
  ctx.tx.run(require, { id, required })
  if ((await ctx.tx.first(circle, { id })) !== undefined) throw refused('PREREQUISITE_CIRCLE')
}
