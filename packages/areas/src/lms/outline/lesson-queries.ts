import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

export interface LessonValues {
  id: string
  title: string
  content: string
  content_html: string
  url: string | null
  file_id: string | null
  /** JSON. */
  captions: string
  duration_minutes: number | null
  completion_rule: string
  required: boolean
  drip_days: number
}

const valuesOf = (v: LessonValues) => ({
  title: v.title,
  content: v.content,
  content_html: v.content_html,
  url: v.url,
  file_id: v.file_id,
  captions: sql<string>`${v.captions}::jsonb`,
  duration_minutes: v.duration_minutes,
  completion_rule: v.completion_rule,
  required: v.required,
  drip_days: v.drip_days,
})

const insert = statement(
  'insert_lesson',
  (v: LessonValues & { course: string; module: string; type: string }) =>
    query.insertInto('lessons').values({
      id: v.id,
      course_id: v.course,
      module_id: v.module,
      type: v.type,
      ...valuesOf(v),
      position: sql<number>`(select coalesce(max(position), 0) + 1 from lessons where course_id = ${v.course}::uuid)`,
      created_at: now,
      updated_at: now,
    }),
)
export const insertLessonRow = (
  ctx: Context,
  row: LessonValues & { course: string; module: string; type: string },
) => ctx.tx.run(insert, row)

const update = statement('update_lesson', (v: LessonValues) =>
  query
    .updateTable('lessons')
    .set({ ...valuesOf(v), updated_at: now })
    .where('id', '=', v.id),
)
export const updateLessonRow = (ctx: Context, row: LessonValues) => ctx.tx.run(update, row)

const hide = statement('hide_lesson', (v: { id: string }) =>
  query
    .updateTable('lessons')
    .set({ deleted_at: now })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning(['id', 'course_id']),
)
/** Takes a lesson away from everybody, before a job removes what members did in it. @throws ApiError 404 */
export const hideLesson = (ctx: Context, id: string) => ctx.tx.one(hide, { id }, 'Lesson')

/** Rows that one transaction of the job removes. */
const BATCH = 1_000

const forget = statement('forget_lesson_progress', (v: { id: string }) =>
  query
    .deleteFrom('lesson_progress')
    .where('lesson_id', '=', v.id)
    .where('enrollment_id', 'in', (from) =>
      from.selectFrom('lesson_progress').select('enrollment_id').where('lesson_id', '=', v.id).limit(BATCH),
    )
    .returning('enrollment_id'),
)
/** Removes some of what members did in a lesson. @returns whether there is more */
export const forgetProgress = (ctx: Context, id: string) =>
  ctx.tx.all(forget, { id }).map((rows) => rows.length === BATCH)

const remove = statement('remove_hidden_lesson', (v: { id: string }) =>
  query.deleteFrom('lessons').where('id', '=', v.id).where('deleted_at', 'is not', null),
)
export const removeLessonRow = (ctx: Context, id: string) => ctx.tx.run(remove, { id })
