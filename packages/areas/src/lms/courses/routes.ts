import { Type } from 'typebox'
import { audit } from '#platform/audit.ts'
import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { including } from '#platform/http/include.ts'
import { linkNext } from '#platform/http/page.ts'
import { credentialOf, KEY } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { courseInUse, prerequisiteCircle, slugTaken } from '../errors.ts'
import { courseId } from '../ids.ts'
import { outlineOf, toCourseDetail } from '../outline/rows.ts'
import { CourseDetail } from '../outline/schema.ts'
import { deleteCourse, getCourse, listCourses, patchCourse, toListedCourse } from './queries.ts'
import { ById, Course, CourseChanges, FullCourse, INCLUDES, ListQuery, NewCourse } from './schema.ts'
import { archiveCourse, createCourse, publishCourse, updateCourse } from './service.ts'

const read = { access: { secret: 'read:learning', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:learning' } } as const

const courseTag = patchCourse.tag

/** What becomes of a course as a whole. */
const verbs = [
  {
    verb: 'publish',
    act: publishCourse,
    summary: 'Publish a course',
    description: 'The course is then in lists, and members can enroll.',
  },
  {
    verb: 'archive',
    act: archiveCourse,
    summary: 'Archive a course',
    description:
      'The course is then not in lists, and nobody can enroll. Members who are enrolled keep their access.',
  },
] as const

export function courseRoutes(api: Api, deps: AreaDeps): void {
  listCoursesRoute(api, deps)
  createCourseRoute(api, deps)
  getCourseRoute(api, deps)
  updateCourseRoute(api, deps)
  deleteCourseRoute(api, deps)
  courseVerbRoutes(api, deps)
}

function listCoursesRoute(api: Api, { config }: AreaDeps): void {
  const baseUrl = config.BASE_URL

  api.get(
    '/lms/courses',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        operationId: 'listCourses',
        summary: 'List courses',
        description: 'Published courses, newest first. The next page is in `Link: <…>; rel="next"`.',
        querystring: ListQuery,
        response: { 200: Type.Object({ data: Type.Array(Course) }) },
      },
    },
    async (request, reply) => {
      const { status = 'published', include, ...query } = request.query
      if (request.query.status !== undefined && !credentialOf(request).isKey)
        throw forbidden('Only a secret key can list courses that are not published: leave out status')
      const chosen = status === 'all' ? query : { ...query, status }
      const { courses } = await request.read({ courses: listCourses(chosen) })
      linkNext(request, reply, courses.pagination)
      const shown = including(INCLUDES, include)
      return { data: courses.rows.map((row) => shown(toListedCourse(row, baseUrl))) }
    },
  )
}

function createCourseRoute(api: Api, { config }: AreaDeps): void {
  api.post(
    '/lms/courses',
    {
      config: {
        oneTransaction: true,
        ...write,
        etag: courseTag,
        errors: [slugTaken, limitReached],
      },
      schema: {
        operationId: 'createCourse',
        summary: 'Create a course',
        description:
          'The course is a draft: only secret keys see it until it is published. Without `slug`, the slug is made from the title.',
        body: NewCourse,
        response: { 201: envelope(FullCourse) },
      },
    },
    async (request) => {
      return request.write((ctx) => createCourse(ctx, config, request.body))
    },
  )
}

function getCourseRoute(api: Api, { config }: AreaDeps): void {
  const baseUrl = config.BASE_URL

  api.get(
    '/lms/courses/:id',
    {
      config: { ...read, etag: courseTag },
      schema: {
        operationId: 'getCourse',
        summary: 'Get a course with its outline',
        description:
          'The answer has the modules and lessons in their order, without the content of the lessons. With the token of a member it also has the enrollment, and says for each lesson whether it is completed and when it opens. Tokens and public keys see published courses. A member also sees the courses in which the member is enrolled.',
        params: ById,
        response: { 200: envelope(CourseDetail) },
      },
    },
    async (request) => {
      const { id } = request.params
      const viewer = credentialOf(request)
      const { course, ...outline } = await request.read({
        course: getCourse({ id, baseUrl, ...viewer }),
        ...outlineOf(id, viewer),
      })
      return toCourseDetail(viewer, course, outline)
    },
  )
}

function updateCourseRoute(api: Api, { config }: AreaDeps): void {
  api.patch(
    '/lms/courses/:id',
    {
      config: { ...write, etag: courseTag, errors: [slugTaken, prerequisiteCircle] },
      schema: {
        operationId: 'updateCourse',
        summary: 'Change a course',
        description: 'A change of `access_days` applies to new enrollments only.',
        params: ById,
        body: CourseChanges,
        response: { 200: envelope(FullCourse) },
      },
    },
    async (request) => {
      const { id } = request.params
      const patch = { id, changes: request.body, ifMatch: request.ifMatch }
      return request.write((ctx) => updateCourse(ctx, config, patch))
    },
  )
}

function deleteCourseRoute(api: Api, { config }: AreaDeps): void {
  const baseUrl = config.BASE_URL

  api.delete(
    '/lms/courses/:id',
    {
      config: { ...write, etag: courseTag, errors: [courseInUse] },
      schema: {
        operationId: 'deleteCourse',
        summary: 'Delete a course',
        description: 'A course can be deleted if nobody was ever enrolled in it. Otherwise archive it.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id, baseUrl, ...KEY }, getCourse)
        const { title } = await deleteCourse(ctx, { id })
        audit(ctx, { action: 'course.delete', target: toId(courseId, id), before: { title } })
      })
      return deleted(courseId, id)
    },
  )
}

function courseVerbRoutes(api: Api, { config }: AreaDeps): void {
  for (const { verb, act, summary, description } of verbs)
    api.post(
      `/lms/courses/:id/${verb}`,
      {
        config: { ...write, etag: courseTag },
        schema: {
          operationId: `${verb}Course`,
          summary,
          description,
          params: ById,
          response: { 200: envelope(FullCourse) },
        },
      },
      async (request) => {
        const { id } = request.params
        return request.write((ctx) => act(ctx, config, id))
      },
    )
}
