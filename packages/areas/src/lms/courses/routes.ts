import { Type } from 'typebox'
import { courseId } from '#areas/entitlements/ids.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { linkNext } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { memberOf, STAFF, viewerOf } from '../access.ts'
import { codes } from '../errors.ts'
import { getOutline } from '../outline/queries.ts'
import { toCourseDetail } from '../outline/rows.ts'
import { CourseDetail } from '../outline/schema.ts'
import { getCourse, listCourses } from './queries.ts'
import { toCourse, toFullCourse } from './rows.ts'
import { ById, Course, CourseChanges, FullCourse, ListQuery, NewCourse } from './schema.ts'
import { archiveCourse, createCourse, deleteCourse, publishCourse, updateCourse } from './service.ts'

const tags = ['Courses']
const read = { access: { secret: 'read:learning', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:learning' } } as const

const courseTag = defineTag('courses', CourseChanges)

export function courseRoutes(api: Api, { config }: AreaDeps): void {
  api.get(
    '/lms/courses',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        tags,
        operationId: 'listCourses',
        summary: 'List courses',
        description: 'Published courses, newest first. The next page is in `Link: <…>; rel="next"`.',
        querystring: ListQuery,
        response: { 200: Type.Object({ data: Type.Array(Course) }) },
      },
    },
    async (request, reply) => {
      const { status = 'published' } = request.query
      if (request.query.status !== undefined && viewerOf(request).kind !== 'staff')
        throw forbidden('Only a secret key can list courses that are not published: leave out status')
      const { rows, pagination } = await request.inProject((ctx) =>
        listCourses(ctx, { ...request.query, status }),
      )
      linkNext(request, reply, pagination)
      return { data: rows.map((row) => toCourse(row, config.BASE_URL)) }
    },
  )

  api.post(
    '/lms/courses',
    {
      config: { oneTransaction: true, ...write, etag: courseTag, errors: codes('SLUG_TAKEN') },
      schema: {
        tags,
        operationId: 'createCourse',
        summary: 'Create a course',
        description:
          'The course is a draft: only secret keys see it until it is published. Without `slug`, the slug is made from the title.',
        body: NewCourse,
        response: { 201: envelope(FullCourse) },
      },
    },
    async (request, reply) => {
      const course = await request.inProject((ctx) => createCourse(ctx, config, request.body))
      return reply.code(201).send(ok(course))
    },
  )

  api.get(
    '/lms/courses/:id',
    {
      config: { ...read, etag: courseTag },
      schema: {
        tags,
        operationId: 'getCourse',
        summary: 'Get a course with its outline',
        description:
          'The answer has the modules and lessons in their order, without the content of the lessons. With the token of a member it also has the enrollment, and says for each lesson if it is completed and when it opens. Tokens and public keys see published courses. A member also sees the courses in which the member is enrolled.',
        params: ById,
        response: { 200: envelope(CourseDetail) },
      },
    },
    async (request) => {
      const id = idFromPath(courseId, request.params.id)
      const viewer = viewerOf(request)
      const [course, outline] = await request.inProject((ctx) =>
        getCourse(ctx, viewer, id).and(getOutline(ctx, id, memberOf(viewer))),
      )
      return ok(toCourseDetail(course, outline, config.BASE_URL))
    },
  )

  api.patch(
    '/lms/courses/:id',
    {
      config: { ...write, etag: courseTag, errors: codes('SLUG_TAKEN', 'PREREQUISITE_CIRCLE') },
      schema: {
        tags,
        operationId: 'updateCourse',
        summary: 'Change a course',
        description: 'A change of `access_days` applies to new enrollments only.',
        params: ById,
        body: CourseChanges,
        response: { 200: envelope(FullCourse) },
      },
    },
    async (request) => {
      const id = idFromPath(courseId, request.params.id)
      return ok(
        await request.inProject((ctx) =>
          ifUnchanged(ctx, request, current(ctx, id), () => updateCourse(ctx, config, id, request.body)),
        ),
      )
    },
  )

  api.delete(
    '/lms/courses/:id',
    {
      config: { ...write, etag: courseTag, errors: codes('COURSE_IN_USE') },
      schema: {
        tags,
        operationId: 'deleteCourse',
        summary: 'Delete a course',
        description: 'A course can be deleted if nobody was ever enrolled in it. Otherwise archive it.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(courseId, request.params.id)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, current(ctx, id), () => deleteCourse(ctx, id)),
      )
      return deleted(request.params.id)
    },
  )

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
  for (const { verb, act, summary, description } of verbs)
    api.post(
      `/lms/courses/:id/${verb}`,
      {
        config: { ...write, etag: courseTag },
        schema: {
          tags,
          operationId: `${verb}Course`,
          summary,
          description,
          params: ById,
          response: { 200: envelope(FullCourse) },
        },
      },
      async (request) => {
        const id = idFromPath(courseId, request.params.id)
        return ok(await request.inProject((ctx) => act(ctx, config, id)))
      },
    )

  function current(ctx: Context, id: string) {
    const read = async () => toFullCourse(await getCourse(ctx, STAFF, id), config.BASE_URL)
    return { id, read }
  }
}
