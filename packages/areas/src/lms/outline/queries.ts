import { type InferResult, sql } from 'kysely'
import { Type } from 'typebox'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { definePatch, jsonField } from '#platform/http/define-patch.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { isOpen, opensAt, seesCourse, statusNow } from '../access.ts'
import { courseId, moduleId } from '../ids.ts'
import { type CourseModule, LessonChanges, ModuleChanges } from './schema.ts'

/** The modules of an outline, in their order. */
export const listModules = defineQuery('course_modules', (v: { course: string }) =>
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

/** The enrollment `e` of the viewer in the course of the lesson `l`, and how far it has come in it. */
const lessons = (v: { memberId: string | null }) =>
  query
    .selectFrom('lessons as l')
    .leftJoin('quizzes as q', 'q.lesson_id', 'l.id')
    .leftJoin('enrollments as e', (on) =>
      on
        .onRef('e.course_id', '=', 'l.course_id')
        .on('e.member_id', '=', v.memberId)
        .on('e.status', '<>', 'canceled'),
    )
    .leftJoin('lesson_progress as p', (on) =>
      on.onRef('p.enrollment_id', '=', 'e.id').onRef('p.lesson_id', '=', 'l.id'),
    )
    .select(lessonColumns)
    .select(['q.id as quiz_id', 'e.id as enrollment_id', 'p.progress_percentage', 'p.completed_at'])
    .select(opensAt.as('opens_at'))
    .where('l.deleted_at', 'is', null)

/** The lessons of an outline, in their order, with what the member, if any, did in them. */
export const listLessons = defineQuery('course_lessons', (v: { course: string; memberId: string | null }) =>
  lessons(v).where('l.course_id', '=', v.course).orderBy('l.position').orderBy('l.id'),
)

/** The enrollment of a member in a course. */
export const findOwnEnrollment = defineQuery(
  'course_enrollment',
  (v: { course: string; memberId: string | null }) =>
    query
      .selectFrom('enrollments as e')
      .select(['e.id', 'e.progress_percentage', 'e.enrolled_at', 'e.expires_at', 'e.completed_at'])
      .select(statusNow.as('status'))
      .where('e.course_id', '=', v.course)
      .where('e.member_id', '=', v.memberId)
      .where('e.status', '<>', 'canceled'),
).first()

const moduleColumns = ['id', 'course_id', 'title', 'description', 'created_at', 'updated_at'] as const
const modules = () => query.selectFrom('course_modules').select(moduleColumns)
const toModule = (row: InferResult<ReturnType<typeof modules>>[number]): CourseModule => ({
  ...row,
  id: toId(moduleId, row.id),
  course_id: toId(courseId, row.course_id),
})
const moduleById = defineLookup('course_module', (v: { id: string }) => modules().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getModule = moduleById.map(toModule).one('Module')
/** The stored id of the course that a module belongs to. @throws ApiError 404 */
export const courseOfModule = moduleById.map(({ course_id }) => course_id).one('Module')

export const insertModule = defineQuery(
  'insert_course_module',
  (v: { id: string; course_id: string; title: string; description: string }) =>
    query
      .insertInto('course_modules')
      .values({
        ...pick(v, 'id', 'course_id', 'title', 'description'),
        position: sql<number>`(select coalesce(max(position), 0) + 1 from course_modules where course_id = ${v.course_id}::uuid)`,
        created_at: now,
        updated_at: now,
      })
      .returning(moduleColumns),
)
  .map(toModule)
  .single()

export const patchModule = definePatch('course_modules', {
  body: ModuleChanges,
  current: getModule,
  columns: ['title', 'description'],
  also: { updated_at: now },
})

/** Whether a module has lessons. */
export const hasLessons = defineQuery('course_module_lesson', (v: { id: string; course: string }) =>
  query.selectNoFrom(
    sql<boolean>`exists (select from lessons where course_id = ${v.course}::uuid and module_id = ${v.id}::uuid
      and deleted_at is null)`.as('has_lessons'),
  ),
)
  .map(({ has_lessons }) => has_lessons)
  .single()

export const removeModule = defineQuery('delete_course_module', (v: { id: string }) =>
  query.deleteFrom('course_modules').where('id', '=', v.id).returning('title'),
).one('Module')

/** A lesson with what the viewer did in it. @throws ApiError 404, for one of a course that the viewer may not see too */
export const getLesson = defineQuery('lesson_for_viewer', (v: Credential & { id: string }) =>
  lessons(v)
    .innerJoin('courses as c', 'c.id', 'l.course_id')
    .select(['l.course_id', 'l.content', 'l.content_html', 'l.url', 'l.file_id', 'l.captions'])
    .select(['l.created_at', 'l.updated_at', 'p.last_position'])
    .select([isOpen.as('is_open'), sql<boolean>`${opensAt} <= ${now}`.as('has_begun')])
    .where('l.id', '=', v.id)
    .where(seesCourse(v)),
).one('Lesson')

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
    .returning(['id', 'course_id', 'title']),
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

/** Stored ids of all that is in an outline. */
export const outlineIds = defineQuery('outline_ids', (v: { course: string }) =>
  query
    .selectFrom('lessons')
    .select(['id', sql<string>`'lesson'`.as('kind')])
    .where('course_id', '=', v.course)
    .where('deleted_at', 'is', null)
    .unionAll(
      query
        .selectFrom('course_modules')
        .select(['id', sql<string>`'module'`.as('kind')])
        .where('course_id', '=', v.course),
    ),
)

/** @param v `modules` in their order */
export const placeModules = defineQuery(
  'place_modules',
  (v: { course: string; modules: readonly string[] }) =>
    sql`update course_modules set position = o.place
      from unnest(${v.modules}::uuid[]) with ordinality as o (id, place)
      where course_modules.id = o.id and course_id = ${v.course}::uuid`,
)

/** @param v `lessons` in the order of the whole course, and to each of them in `parents` the module that it belongs to */
export const placeLessons = defineQuery(
  'place_lessons',
  (v: { course: string; lessons: readonly string[]; parents: readonly string[] }) =>
    sql`update lessons set position = o.place, module_id = o.module_id
      from unnest(${v.lessons}::uuid[], ${v.parents}::uuid[]) with ordinality as o (id, module_id, place)
      where lessons.id = o.id and course_id = ${v.course}::uuid`,
)
