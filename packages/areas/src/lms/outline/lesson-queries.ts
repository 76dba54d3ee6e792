import { sql } from 'kysely'
import { Type } from 'typebox'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { definePatch, jsonField } from '#platform/http/define-patch.ts'
import { getLesson } from './queries.ts'
import { LessonChanges } from './schema.ts'

export type LessonRow = AnswerOf<typeof getLesson>

interface NewLessonRow {
  id: string
  course_id: string
  module_id: string
  type: string
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
export const insertLesson = defineQuery('insert_lesson', (v: NewLessonRow) =>
  query.insertInto('lessons').values({
    ...pick(v, 'id', 'course_id', 'module_id', 'type', 'title', 'content', 'content_html', 'url', 'file_id'),
    ...pick(v, 'duration_minutes', 'completion_rule', 'required', 'drip_days'),
    captions: sql<string>`${v.captions}::jsonb`,
    position: sql<number>`(select coalesce(max(position), 0) + 1 from lessons where course_id = ${v.course_id}::uuid)`,
    created_at: now,
    updated_at: now,
  }),
)

/** Changes what is sent of a lesson: files as stored ids, and the HTML that its content became. @throws ApiError 404; 412 */
export const patchLesson = definePatch('lessons', {
  body: Type.Object({ ...LessonChanges.properties, content_html: Type.Optional(Type.String()) }),
  current: getLesson,
  columns: [
    ...(['title', 'content', 'content_html', 'url', 'file_id', 'duration_minutes'] as const),
    ...(['completion_rule', 'required', 'drip_days'] as const),
  ],
  fields: { captions: jsonField('captions') },
  also: { updated_at: now },
})

/** Takes a lesson away from everybody, before a job removes what members did in it. @throws ApiError 404 */
export const hideLesson = defineQuery('hide_lesson', (v: { id: string }) =>
  query
    .updateTable('lessons')
    .set({ deleted_at: now })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning(['id', 'course_id']),
).one('Lesson')

/** Removes some of what members did in a lesson. @returns one row for each */
export const forgetProgress = defineQuery('forget_lesson_progress', (v: { id: string; limit: number }) =>
  query
    .deleteFrom('lesson_progress')
    .where('lesson_id', '=', v.id)
    .where('enrollment_id', 'in', (from) =>
      from.selectFrom('lesson_progress').select('enrollment_id').where('lesson_id', '=', v.id).limit(v.limit),
    )
    .returning('enrollment_id'),
)

export const removeHiddenLesson = defineQuery('remove_hidden_lesson', (v: { id: string }) =>
  query.deleteFrom('lessons').where('id', '=', v.id).where('deleted_at', 'is not', null),
)
