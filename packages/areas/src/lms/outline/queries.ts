import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { isOpen, memberOf, opensAt, seesCourse, statusNow, type Viewer } from '../access.ts'
import { refused } from '../errors.ts'

const modules = statement('course_modules', (v: { course: string }) =>
  query
    .selectFrom('course_modules')
    .select(['id', 'title', 'description'])
    .where('course_id', '=', v.course)
    .orderBy('position')
    .orderBy('id'),
)

const lessonColumns = [
  'l.id',
  'l.module_id',
  'l.title',
  'l.type',
  'l.duration_minutes',
  'l.completion_rule',
  'l.required',
  'l.drip_days',
] as const

/** All lessons in one statement, with what the viewer, if any, did in them. */
const lessons = statement('course_lessons', (v: { course: string; member: string | null }) =>
  query
    .selectFrom('lessons as l')
    .leftJoin('quizzes as q', 'q.lesson_id', 'l.id')
    .leftJoin('enrollments as e', (on) =>
      on
        .onRef('e.course_id', '=', 'l.course_id')
        .on('e.member_id', '=', v.member)
        .on('e.status', '<>', 'canceled'),
    )
    .leftJoin('lesson_progress as p', (on) =>
      on.onRef('p.enrollment_id', '=', 'e.id').onRef('p.lesson_id', '=', 'l.id'),
    )
    .select(lessonColumns)
    .select(['q.id as quiz_id', 'e.id as enrollment_id', 'p.progress_percentage', 'p.completed_at'])
    .select(opensAt.as('opens_at'))
    .where('l.course_id', '=', v.course)
    .where('l.deleted_at', 'is', null)
    .orderBy('l.position')
    .orderBy('l.id'),
)

const own = statement('course_enrollment', (v: { course: string; member: string | null }) =>
  query
    .selectFrom('enrollments as e')
    .select(['e.id', 'e.progress_percentage', 'e.enrolled_at', 'e.expires_at', 'e.completed_at'])
    .select(statusNow.as('status'))
    .where('e.course_id', '=', v.course)
    .where('e.member_id', '=', v.member)
    .where('e.status', '<>', 'canceled'),
)

/**
 * The outline of a course, in three statements however long it is.
 * @param member whose enrollment and progress is told beside it, or null
 */
export const getOutline = (ctx: Context, course: string, member: string | null) =>
  ctx.tx
    .all(modules, { course })
    .and(ctx.tx.all(lessons, { course, member }))
    .and(ctx.tx.first(own, { course, member }))
    .map(([[moduleRows, lessonRows], enrollment]) => ({
      modules: moduleRows,
      lessons: lessonRows,
      enrollment,
      ofMember: member !== null,
    }))

const module_ = lookup('course_module', (v: { id: string }) =>
  query
    .selectFrom('course_modules')
    .select(['id', 'course_id', 'title', 'description', 'created_at', 'updated_at'])
    .where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getModule = (ctx: Context, id: string) => ctx.tx.one(module_, { id }, 'Module')

const insertOne = statement(
  'insert_course_module',
  (v: { id: string; course: string; title: string; description: string }) =>
    query.insertInto('course_modules').values({
      id: v.id,
      course_id: v.course,
      title: v.title,
      description: v.description,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from course_modules where course_id = ${v.course}::uuid)`,
      created_at: now,
      updated_at: now,
    }),
)
export const insertModuleRow = (
  ctx: Context,
  row: { id: string; course: string; title: string; description: string },
) => ctx.tx.run(insertOne, row)

const update = statement('update_course_module', (v: { id: string; title: string; description: string }) =>
  query
    .updateTable('course_modules')
    .set({ title: v.title, description: v.description, updated_at: now })
    .where('id', '=', v.id),
)
export const updateModuleRow = (ctx: Context, row: { id: string; title: string; description: string }) =>
  ctx.tx.run(update, row)

const filled = statement('course_module_lesson', (v: { id: string }) =>
  query
    .selectFrom('lessons')
    .select('id')
    .where('course_id', '=', (from) =>
      from.selectFrom('course_modules').select('course_id').where('id', '=', v.id),
    )
    .where('module_id', '=', v.id)
    .where('deleted_at', 'is', null)
    .limit(1),
)
const remove = statement('delete_course_module', (v: { id: string }) =>
  query.deleteFrom('course_modules').where('id', '=', v.id),
)
/** @throws ApiError 422 MODULE_NOT_EMPTY */
export async function deleteModuleRow(ctx: Context, id: string): Promise<void> {
  if ((await ctx.tx.first(filled, { id })) !== undefined) throw refused('MODULE_NOT_EMPTY')
  await ctx.tx.run(remove, { id })
}

const lesson = statements(
  'lesson_for_viewer',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    query
      .selectFrom('lessons as l')
      .innerJoin('courses as c', 'c.id', 'l.course_id')
      .leftJoin('quizzes as q', 'q.lesson_id', 'l.id')
      .leftJoin('enrollments as e', (on) =>
        on
          .onRef('e.course_id', '=', 'l.course_id')
          .on('e.member_id', '=', v.member)
          .on('e.status', '<>', 'canceled'),
      )
      .leftJoin('lesson_progress as p', (on) =>
        on.onRef('p.enrollment_id', '=', 'e.id').onRef('p.lesson_id', '=', 'l.id'),
      )
      .select(lessonColumns)
      .select(['l.course_id', 'l.content', 'l.content_html', 'l.url', 'l.file_id', 'l.captions'])
      .select(['l.created_at', 'l.updated_at', 'q.id as quiz_id', 'e.id as enrollment_id'])
      .select(['p.progress_percentage', 'p.completed_at', 'p.last_position'])
      .select([
        opensAt.as('opens_at'),
        isOpen.as('is_open'),
        sql<boolean>`${opensAt} <= ${now}`.as('has_begun'),
      ])
      .where('l.id', '=', v.id)
      .where('l.deleted_at', 'is', null)
      .where(seesCourse(kind, v.member)),
)
/** A lesson with what the viewer did in it. @throws ApiError 404, for one of a course that the viewer may not see too */
export const getLesson = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(lesson(viewer.kind), { id, member: memberOf(viewer) }, 'Lesson')
export type LessonRow = Awaited<ReturnType<typeof getLesson>>
