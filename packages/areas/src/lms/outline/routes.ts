import type { FastifyRequest } from 'fastify'
import { findReadyFiles } from '#areas/storage/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { assertUnchanged, taggedBy } from '#platform/http/etag.ts'
import { type Credential, credentialOf, KEY } from '#platform/http/viewer.ts'
import { getCourse } from '../courses/queries.ts'
import { ById } from '../courses/schema.ts'
import { moduleNotEmpty } from '../errors.ts'
import { lessonId, moduleId } from '../ids.ts'
import { filesOf, toLesson } from './lesson-body.ts'
import { getLesson, getModule, type LessonRow, patchLesson, patchModule } from './queries.ts'
import { outlineOf, toCourseDetail } from './rows.ts'
import {
  ByLesson,
  ByModule,
  CourseDetail,
  CourseModule,
  Lesson,
  LessonChanges,
  ModuleChanges,
  NewLesson,
  NewModule,
  Order,
} from './schema.ts'
import { createLesson, createModule, deleteLesson, deleteModule, reorder, updateLesson } from './service.ts'

const moduleTag = patchModule.tag
const lessonTag = patchLesson.tag
const write = { access: { secret: 'write:learning' } } as const

/** Modules and lessons. */
export function outlineRoutes(api: Api, deps: AreaDeps): void {
  createModuleRoute(api)
  getModuleRoute(api)
  updateModuleRoute(api)
  deleteModuleRoute(api)
  reorderCourseRoute(api, deps)
  createLessonRoute(api, deps)
  getLessonRoute(api, deps)
  updateLessonRoute(api, deps)
  deleteLessonRoute(api)
}

function createModuleRoute(api: Api): void {
  api.post(
    '/lms/courses/:id/modules',
    {
      config: { oneTransaction: true, ...write, etag: moduleTag, errors: [limitReached] },
      schema: {
        operationId: 'createModule',
        sdk: 'lms.modules.create',
        summary: 'Add a module to a course',
        description: 'The module is added at the end of the outline.',
        params: ById,
        body: NewModule,
        response: { 201: envelope(CourseModule) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => createModule(ctx, id, request.body))
    },
  )
}

function getModuleRoute(api: Api): void {
  api.get(
    '/lms/modules/:id',
    {
      config: { access: { secret: 'read:learning' }, etag: moduleTag },
      schema: {
        operationId: 'getModule',
        summary: 'Get a module',
        description: 'Its lessons are in the outline of the course.',
        params: ByModule,
        response: { 200: envelope(CourseModule) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { module } = await request.read({ module: getModule({ id }) })
      return module
    },
  )
}

function updateModuleRoute(api: Api): void {
  api.patch(
    '/lms/modules/:id',
    {
      config: { ...write, etag: moduleTag },
      schema: {
        operationId: 'updateModule',
        summary: 'Change a module',
        params: ByModule,
        body: ModuleChanges,
        response: { 200: envelope(CourseModule) },
      },
    },
    async (request) => {
      const { id } = request.params
      const patch = { id, changes: request.body, ifMatch: request.ifMatch }
      return request.write((ctx) => patchModule(ctx, patch))
    },
  )
}

function deleteModuleRoute(api: Api): void {
  api.delete(
    '/lms/modules/:id',
    {
      config: { ...write, etag: moduleTag, errors: [moduleNotEmpty] },
      schema: {
        operationId: 'deleteModule',
        summary: 'Delete a module',
        description: 'A module can be deleted while it has no lessons.',
        params: ByModule,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getModule)
        await deleteModule(ctx, id)
      })
      return deleted(moduleId, id)
    },
  )
}

function reorderCourseRoute(api: Api, { config }: AreaDeps): void {
  api.post(
    '/lms/courses/:id/reorder',
    {
      config: write,
      schema: {
        operationId: 'reorderCourse',
        summary: 'Reorder the outline of a course',
        description: 'The body names every module and every lesson once; lessons may move to other modules.',
        params: ById,
        body: Order,
        response: { 200: envelope(CourseDetail) },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write((ctx) => reorder(ctx, id, request.body))
      const { course, ...outline } = await request.read({
        course: getCourse({ id, baseUrl: config.BASE_URL, ...KEY }),
        ...outlineOf(id, KEY),
      })
      return toCourseDetail(KEY, course, outline)
    },
  )
}

function createLessonRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/lms/modules/:id/lessons',
    {
      config: { ...write, etag: lessonTag, errors: [limitReached] },
      schema: {
        operationId: 'createLesson',
        sdk: 'lms.lessons.create',
        summary: 'Add a lesson to a module',
        description:
          'The lesson is added at the end of the module. By default a video is complete after 90 %, a quiz is complete when it is passed, and every other lesson is complete when the member says so. Members who have completed the course keep that.',
        params: ByModule,
        body: NewLesson,
        response: { 201: envelope(Lesson) },
      },
    },
    async (request) => {
      const { id } = request.params
      const input = await rendered(deps, request, request.body)
      const lesson = await request.write(async (ctx) => withFiles(ctx, await createLesson(ctx, id, input)))
      return shown(deps, lesson)
    },
  )
}

function getLessonRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/lms/lessons/:id',
    {
      config: { access: { secret: 'read:learning', public: 'catalog', user: 'self' }, etag: lessonTag },
      schema: {
        operationId: 'getLesson',
        summary: 'Get a lesson',
        description:
          'Secret keys get the content, files and captions of the lesson. Enrolled members get them from the day on which the lesson opens for them. Otherwise `locked` says why they are left out.',
        params: ByLesson,
        response: { 200: envelope(Lesson) },
      },
    },
    async (request) => {
      const { id } = request.params
      const viewer = credentialOf(request)
      const { row } = await request.read({ row: getLesson({ id, ...viewer }) })
      const { files } = await request.read({ files: findReadyFiles(filesOf(row)) })
      return shown(deps, { row, files }, viewer)
    },
  )
}

function updateLessonRoute(api: Api, deps: AreaDeps): void {
  api.patch(
    '/lms/lessons/:id',
    {
      config: { ...write, etag: lessonTag },
      schema: {
        operationId: 'updateLesson',
        summary: 'Change a lesson',
        description: 'The type of a lesson cannot change. Completed lessons stay completed.',
        params: ByLesson,
        body: LessonChanges,
        response: { 200: envelope(Lesson) },
      },
    },
    async (request) => {
      const { id } = request.params
      const changes = await rendered(deps, request, request.body)
      const patch = { id, changes, ifMatch: request.ifMatch }
      const lesson = await request.write(async (ctx) => withFiles(ctx, await updateLesson(ctx, patch)))
      return shown(deps, lesson)
    },
  )
}

function deleteLessonRoute(api: Api): void {
  api.delete(
    '/lms/lessons/:id',
    {
      config: { ...write, etag: lessonTag },
      schema: {
        operationId: 'deleteLesson',
        summary: 'Delete a lesson',
        description:
          'The progress of members in this lesson is deleted too. Their progress in the course is counted again soon afterwards. A member who has done everything else then completes the course.',
        params: ByLesson,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id, ...KEY }, getLesson)
        await deleteLesson(ctx, id)
      })
      return deleted(lessonId, id)
    },
  )
}

const withFiles = async (ctx: Context, row: LessonRow) => ({
  row,
  files: await findReadyFiles(ctx, filesOf(row)),
})

/** Renders before the transaction, because it takes its time. */
const rendered = async <T extends { content?: string }>(
  { markdown }: AreaDeps,
  request: FastifyRequest,
  input: T,
) =>
  input.content === undefined
    ? input
    : { ...input, content_html: (await markdown.renderTyped(input.content, callerOf(request))).html }

/** Who learns sees less of a lesson; its ETag covers all of it. */
const shown = async (
  deps: AreaDeps,
  { row, files }: Awaited<ReturnType<typeof withFiles>>,
  viewer: Credential = KEY,
) => taggedBy(row, await toLesson(deps, viewer, row, files))
