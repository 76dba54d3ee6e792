import { attachFile, findReadyFile } from '#areas/storage/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { lockCourse } from '../courses/queries.ts'
import { moduleNotEmpty, notAFile } from '../errors.ts'
import { lessonId, moduleId } from '../ids.ts'
import { recomputeCourse, removeLesson } from '../recompute-course.job.ts'
import {
  courseOfModule,
  getLesson,
  hasLessons,
  hideLesson,
  insertLesson,
  insertModule,
  type LessonRow,
  outlineIds,
  patchLesson,
  placeLessons,
  placeModules,
  removeModule,
} from './queries.ts'
import type { CourseModule, LessonChanges, LessonType, NewLesson, NewModule, Order } from './schema.ts'

/** What is written of a lesson, and the HTML that its content became. */
type Written<T> = T & { readonly content_html?: string }

/** @throws ApiError 404; 422 LIMIT_REACHED */
export async function createModule(ctx: Context, course: string, input: NewModule): Promise<CourseModule> {
  await lockCourse(ctx, { id: course })
  const { title, description = '' } = input
  return insertModule(ctx, { id: newUuid(), course_id: course, title, description })
}

/** @throws ApiError 404; 422 MODULE_NOT_EMPTY */
export async function deleteModule(ctx: Context, id: string): Promise<void> {
  const course = await courseOfModule(ctx, { id })
  await lockCourse(ctx, { id: course })
  if (await hasLessons(ctx, { id, course })) throw moduleNotEmpty()
  const { title } = await removeModule(ctx, { id })
  audit(ctx, { action: 'module.delete', target: toId(moduleId, id), before: { title } })
}

/**
 * Adds a lesson at the end of a module.
 * @throws ApiError 404; 422 LIMIT_REACHED, or for a rule or a file that does not fit
 */
export async function createLesson(
  ctx: Context,
  module: string,
  input: Written<NewLesson>,
): Promise<LessonRow> {
  const course = await courseOfModule(ctx, { id: module })
  const { status } = await lockCourse(ctx, { id: course })
  assertRule(input.type, input.completion_rule)
  const id = newUuid()
  insertLesson(ctx, {
    ...BLANK,
    completion_rule: RULES[input.type],
    ...input,
    ...{ id, course_id: course, module_id: module },
    file_id: await useFile(ctx, id, input.file_id ?? null, 'file_id'),
    captions: JSON.stringify(await useCaptions(ctx, id, input.captions ?? [])),
  })
  if (status !== 'draft') enqueue(ctx, recomputeCourse, { course_id: course })
  return getLesson(ctx, { id, ...KEY })
}

/** Changes what is sent of a lesson, and nothing else. @throws ApiError 404; 412; 422 for a rule or a file that does not fit */
export async function updateLesson(
  ctx: Context,
  { id, changes, ifMatch }: PatchValues<Written<LessonChanges>> & { readonly id: string },
): Promise<LessonRow> {
  const before = await getLesson(ctx, { id, ...KEY })
  assertRule(before.type as LessonType, changes.completion_rule)
  const { file_id, captions } = changes
  const stored = { ...changes }
  if (file_id !== undefined) stored.file_id = await useFile(ctx, id, file_id, 'file_id')
  if (captions !== undefined) stored.captions = await useCaptions(ctx, id, captions)
  const lesson = await patchLesson(ctx, { id, ...KEY, changes: stored, ifMatch })
  if (changes.required !== undefined && changes.required !== before.required)
    enqueue(ctx, recomputeCourse, { course_id: lesson.course_id })
  return lesson
}

/** Deletes a lesson. What members did in it is removed by a job, which also counts anew. @throws ApiError 404 */
export async function deleteLesson(ctx: Context, id: string): Promise<void> {
  const { course_id, title } = await hideLesson(ctx, { id })
  enqueue(ctx, removeLesson, { lesson_id: id, course_id })
  audit(ctx, { action: 'lesson.delete', target: toId(lessonId, id), before: { title } })
}

/**
 * Puts an outline in a new order.
 * @throws ApiError 404; 422 where it does not name each module and each lesson once
 */
export async function reorder(ctx: Context, course: string, { modules }: Order): Promise<void> {
  await lockCourse(ctx, { id: course })
  const there = await outlineIds(ctx, { course })
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
  placeModules(ctx, { course, modules: modules.map(({ id }) => uuid(moduleId, id)) })
  placeLessons(ctx, {
    course,
    lessons: modules.flatMap(({ lessons }) => lessons.map((lesson) => uuid(lessonId, lesson))),
    parents: modules.flatMap(({ id, lessons }) => lessons.map(() => uuid(moduleId, id))),
  })
}

/** What a new lesson has by default. */
const BLANK = {
  content: '',
  content_html: '',
  url: null,
  duration_minutes: null,
  required: true,
  drip_days: 0,
}
const RULES: Readonly<Record<LessonType, string>> = {
  video: 'percent',
  text: 'view',
  file: 'view',
  quiz: 'quiz',
}

/** @throws ApiError 422 */
function assertRule(type: LessonType, rule: LessonChanges['completion_rule']): void {
  if (rule === 'quiz' && type !== 'quiz')
    throw invalidField('completion_rule', 'type', 'can be quiz only for a lesson of the type quiz')
}

/** Keeps the files of captions for a lesson. @returns the captions with the stored ids of their files @throws ApiError 422 */
async function useCaptions(
  ctx: Context,
  lesson: string,
  captions: NonNullable<LessonChanges['captions']>,
): Promise<typeof captions> {
  const kept: typeof captions = []
  for (const [i, { file_id, ...caption }] of captions.entries())
    kept.push({ ...caption, file_id: await useFile(ctx, lesson, file_id, `captions[${i}].file_id`) })
  return kept
}

/** Keeps a file for a lesson. @returns its stored id @throws ApiError 422 */
async function useFile<F extends string | null>(
  ctx: Context,
  lesson: string,
  fileId: F,
  field: string,
): Promise<string | Extract<F, null>> {
  if (fileId === null) return fileId as Extract<F, null>
  const id = parseId('file', fileId)
  if (id === undefined || (await findReadyFile(ctx, { id })) === undefined) throw notAFile(field)
  attachFile(ctx, id, { kind: 'lesson', id: lesson })
  return id
}
