import { courseId } from '#areas/entitlements/ids.ts'
import { attachFile, findReadyFile } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { STAFF } from '../access.ts'
import { lockCourse } from '../courses/queries.ts'
import { notAFile, refused } from '../errors.ts'
import { lessonId, moduleId } from '../ids.ts'
import { recomputeCourse, removeLesson } from '../job-types.ts'
import { hideLesson, insertLessonRow, type LessonValues, updateLessonRow } from './lesson-queries.ts'
import { outlineIds, outlineSizes, placeAll } from './order-queries.ts'
import {
  deleteModuleRow,
  getLesson,
  getModule,
  insertModuleRow,
  type LessonRow,
  updateModuleRow,
} from './queries.ts'
import type {
  CourseModule,
  LessonChanges,
  LessonType,
  ModuleChanges,
  NewLesson,
  NewModule,
  Order,
} from './schema.ts'

const MOST_MODULES = 100
const MOST_LESSONS = 500

/** What is written of a lesson, and the HTML that its content became. */
type Written<T> = T & { readonly content_html?: string }

/** @throws ApiError 404; 422 OUTLINE_FULL */
export async function createModule(ctx: Context, course: string, input: NewModule): Promise<CourseModule> {
  await lockCourse(ctx, course)
  if ((await outlineSizes(ctx, course)).modules >= MOST_MODULES) throw refused('OUTLINE_FULL')
  const id = newUuid()
  insertModuleRow(ctx, { id, course, title: input.title, description: input.description ?? '' })
  return toModule(await getModule(ctx, id))
}

/** @throws ApiError 404 */
export async function updateModule(ctx: Context, id: string, changes: ModuleChanges): Promise<CourseModule> {
  const before = await getModule(ctx, id)
  if (Object.keys(changes).length === 0) return toModule(before)
  const { title, description } = { ...before, ...changes }
  updateModuleRow(ctx, { id, title, description })
  return toModule(await getModule(ctx, id))
}

/** @throws ApiError 404; 422 MODULE_NOT_EMPTY */
export async function deleteModule(ctx: Context, id: string): Promise<void> {
  const { course_id } = await getModule(ctx, id)
  await lockCourse(ctx, course_id)
  await deleteModuleRow(ctx, id)
}

/**
 * Adds a lesson at the end of a module.
 * @throws ApiError 404; 422 OUTLINE_FULL, or for a rule or a file that does not fit
 */
export async function createLesson(
  ctx: Context,
  module: string,
  input: Written<NewLesson>,
): Promise<LessonRow> {
  const { course_id: course } = await getModule(ctx, module)
  const { status } = await lockCourse(ctx, course)
  if ((await outlineSizes(ctx, course)).lessons >= MOST_LESSONS) throw refused('OUTLINE_FULL')
  const id = newUuid()
  const values = await toValues(ctx, id, input.type, EMPTY[input.type], input)
  await insertLessonRow(ctx, { ...values, course, module, type: input.type })
  if (status !== 'draft') enqueue(ctx, recomputeCourse, { course_id: course })
  return getLesson(ctx, STAFF, id)
}

/** @throws ApiError 404; 422 for a rule or a file that does not fit */
export async function updateLesson(
  ctx: Context,
  id: string,
  changes: Written<LessonChanges>,
): Promise<LessonRow> {
  const before = await getLesson(ctx, STAFF, id)
  if (Object.keys(changes).length === 0) return before
  const type = before.type as LessonType
  const captions = JSON.stringify(before.captions)
  updateLessonRow(ctx, await toValues(ctx, id, type, { ...before, captions }, changes))
  if (changes.required !== undefined && changes.required !== before.required)
    enqueue(ctx, recomputeCourse, { course_id: before.course_id })
  return getLesson(ctx, STAFF, id)
}

/** Deletes a lesson. What members did in it is removed by a job, which also counts anew. @throws ApiError 404 */
export async function deleteLesson(ctx: Context, id: string): Promise<void> {
  const { course_id } = await hideLesson(ctx, id)
  enqueue(ctx, removeLesson, { lesson_id: id, course_id })
}

/**
 * Puts an outline in a new order.
 * @throws ApiError 404; 422 where it does not name each module and each lesson once
 */
export async function reorder(ctx: Context, course: string, { modules }: Order): Promise<void> {
  await lockCourse(ctx, course)
  const there = await outlineIds(ctx, course)
  const left = new Set(there.map(({ kind, id }) => toId(kind === 'module' ? moduleId : lessonId, id)))
  const take = (id: string, field: string) => {
    if (!left.delete(id)) throw invalidField(field, 'exists', 'is not in this course, or is named twice')
  }
  for (const [m, { id, lessons }] of modules.entries()) {
    take(id, `modules[${m}].id`)
    for (const [l, lesson] of lessons.entries()) take(lesson, `modules[${m}].lessons[${l}]`)
  }
  const [missing] = left
  if (missing !== undefined)
    throw invalidField('modules', 'complete', `must name everything in the outline: ${missing} is missing`)
  const uuid = (resource: typeof moduleId | typeof lessonId, id: string) => parseId(resource, id) ?? ''
  placeAll(ctx, course, {
    modules: modules.map(({ id }) => uuid(moduleId, id)),
    lessons: modules.flatMap(({ id, lessons }) =>
      lessons.map((lesson) => ({ id: uuid(lessonId, lesson), module: uuid(moduleId, id) })),
    ),
  })
}

const BLANK = {
  title: '',
  content: '',
  content_html: '',
  url: null,
  file_id: null,
  captions: '[]',
  duration_minutes: null,
  required: true,
  drip_days: 0,
}
/** What a new lesson has that nobody has said. */
const EMPTY: Readonly<Record<LessonType, Omit<LessonValues, 'id'>>> = {
  video: { ...BLANK, completion_rule: 'percent' },
  text: { ...BLANK, completion_rule: 'view' },
  file: { ...BLANK, completion_rule: 'view' },
  quiz: { ...BLANK, completion_rule: 'quiz' },
}

/** What is kept of a lesson: what it had, and what is written now. @throws ApiError 422 */
async function toValues(
  ctx: Context,
  id: string,
  type: LessonType,
  before: Omit<LessonValues, 'id'>,
  { file_id, captions, ...written }: Written<LessonChanges>,
): Promise<LessonValues> {
  const rule = written.completion_rule ?? before.completion_rule
  if (rule === 'quiz' && type !== 'quiz')
    throw invalidField('completion_rule', 'type', 'can be quiz only for a lesson of the type quiz')
  return {
    ...before,
    ...written,
    id,
    file_id: file_id === undefined ? before.file_id : await useFile(ctx, id, file_id, 'file_id'),
    captions: captions === undefined ? before.captions : await useCaptions(ctx, id, captions),
  }
}

async function useCaptions(
  ctx: Context,
  lesson: string,
  captions: NonNullable<LessonChanges['captions']>,
): Promise<string> {
  const kept = []
  for (const [i, { file_id, ...caption }] of captions.entries())
    kept.push({ ...caption, file_id: await useFile(ctx, lesson, file_id, `captions[${i}].file_id`) })
  return JSON.stringify(kept)
}

/** Keeps a file for a lesson. @throws ApiError 422 */
async function useFile(
  ctx: Context,
  lesson: string,
  fileId: string | null,
  field: string,
): Promise<string | null> {
  if (fileId === null) return null
  const id = parseId('file', fileId)
  if (id === undefined || (await findReadyFile(ctx, id)) === undefined) throw notAFile(field)
  attachFile(ctx, id, { kind: 'lesson', id: lesson })
  return id
}

const toModule = (row: CourseModule): CourseModule => ({
  ...row,
  id: toId(moduleId, row.id),
  course_id: toId(courseId, row.course_id),
})
