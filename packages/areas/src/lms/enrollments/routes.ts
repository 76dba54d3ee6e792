import { Type } from 'typebox'
import type { AnswerOf } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidParameters } from '#platform/errors.ts'
import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { linkNext } from '#platform/http/page.ts'
import { type Credential, credentialOf } from '#platform/http/viewer.ts'
import { idFromFilter, toId } from '#platform/ids.ts'
import { thumbnailOf } from '../courses/queries.ts'
import {
  alreadyEnrolled,
  courseFull,
  courseNotOpen,
  enrollmentEnded,
  prerequisitesMissing,
} from '../errors.ts'
import { courseId, enrollmentId } from '../ids.ts'
import { namedStudent } from '../named-student.ts'
import { blockersOf, toProgressOfLesson } from './blockers.ts'
import { getEnrollment, listEnrollments, listProgress, lockGrantsOfEnrollment } from './queries.ts'
import {
  Blocker,
  ById,
  Enrollment,
  EnrollmentChanges,
  EnrollmentProgress,
  ListedEnrollment,
  ListQuery,
  NewEnrollment,
} from './schema.ts'
import { deleteEnrollment, enroll, updateEnrollment } from './service.ts'

const read = { access: { secret: 'read:learning', user: 'self' } } as const
const write = { access: { secret: 'write:learning' } } as const

const enrollmentTag = defineTag('enrollments', EnrollmentChanges)

export function enrollmentRoutes(api: Api, deps: AreaDeps): void {
  listEnrollmentsRoute(api, deps)
  createEnrollmentRoute(api)
  getEnrollmentRoute(api)
  updateEnrollmentRoute(api)
  deleteEnrollmentRoute(api)
  getEnrollmentProgressRoute(api)
  listEnrollmentBlockersRoute(api)
}

function listEnrollmentsRoute(api: Api, { config }: AreaDeps): void {
  api.get(
    '/lms/enrollments',
    {
      config: { ...read, reads: 'replica' },
      schema: {
        operationId: 'listEnrollments',
        summary: 'List the enrollments of a member',
        description:
          'The newest enrollment comes first. With the token of a member, `student_id` is not needed. The next page is in `Link: <…>; rel="next"`.',
        querystring: ListQuery,
        response: { 200: Type.Object({ data: Type.Array(ListedEnrollment) }) },
      },
    },
    async (request, reply) => {
      const { student_id, ...page } = request.query
      if (page.course_id !== undefined) idFromFilter(courseId, 'course_id', page.course_id)
      const member = studentOf(credentialOf(request), student_id)
      const { enrollments } = await request.read({ enrollments: listEnrollments({ ...page, member }) })
      linkNext(request, reply, enrollments.pagination)
      return { data: enrollments.rows.map((row) => toListedEnrollment(row, config.BASE_URL)) }
    },
  )
}

function createEnrollmentRoute(api: Api): void {
  api.post(
    '/lms/enrollments',
    {
      config: {
        oneTransaction: true,
        access: { secret: 'write:learning', user: 'self' },
        etag: enrollmentTag,
        actingMember: 'body',
        errors: [courseNotOpen, courseFull, alreadyEnrolled, enrollmentEnded, prerequisitesMissing],
      },
      schema: {
        operationId: 'createEnrollment',
        summary: 'Enroll a member in a course',
        description:
          'With a token a member can enroll only themselves, and only if the price is 0 or if an order or a plan grants the course (403 otherwise). A plan grants a course by the feature `course:<slug>`. A secret key can enroll every member at every price. A member who is enrolled again after a canceled or expired enrollment continues with the earlier progress. With a token the access then ends when it would have ended before. If a secret key removed a member, only a secret key can enroll the member again.',
        body: NewEnrollment,
        response: { 201: envelope(Enrollment) },
      },
    },
    async (request) => {
      const who = whoActs(request, { field: 'student_id', id: request.body.student_id })
      return request.write((ctx) => enroll(ctx, who, request.body))
    },
  )
}

function getEnrollmentRoute(api: Api): void {
  api.get(
    '/lms/enrollments/:id',
    {
      config: { ...read, etag: enrollmentTag },
      schema: {
        operationId: 'getEnrollment',
        summary: 'Get an enrollment',
        params: ById,
        response: { 200: envelope(Enrollment) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { enrollment } = await request.read({
        enrollment: getEnrollment({ id, ...credentialOf(request) }),
      })
      return enrollment
    },
  )
}

function updateEnrollmentRoute(api: Api): void {
  api.patch(
    '/lms/enrollments/:id',
    {
      config: { ...write, etag: enrollmentTag, errors: [courseFull] },
      schema: {
        operationId: 'updateEnrollment',
        summary: 'Change an enrollment',
        description:
          '`expires_at` sets the end of the access. It applies to all reasons for which the member has the course now. An order that is paid later has its own end. `status` cancels or reopens the enrollment. A completed course stays completed.',
        params: ById,
        body: EnrollmentChanges,
        response: { 200: envelope(Enrollment) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        lockGrantsOfEnrollment(ctx, { id })
        await assertUnchanged(ctx, request, { id, ...credentialOf(request) }, getEnrollment)
        return updateEnrollment(ctx, id, request.body)
      })
    },
  )
}

function deleteEnrollmentRoute(api: Api): void {
  api.delete(
    '/lms/enrollments/:id',
    {
      config: { access: { secret: 'write:learning', user: 'self' }, etag: enrollmentTag },
      schema: {
        operationId: 'deleteEnrollment',
        summary: 'Cancel an enrollment',
        description:
          'The progress is kept for a later enrollment, and a certificate stays valid. Members can enroll themselves again if they canceled the enrollment themselves. If a secret key cancels it, only a secret key can enroll the member again.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      const viewer = credentialOf(request)
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id, ...viewer }, getEnrollment)
        await deleteEnrollment(ctx, viewer, id)
      })
      return deleted(enrollmentId, id)
    },
  )
}

function getEnrollmentProgressRoute(api: Api): void {
  api.get(
    '/lms/enrollments/:id/progress',
    {
      config: read,
      schema: {
        operationId: 'getEnrollmentProgress',
        summary: 'Get the progress of an enrollment',
        description: 'The answer has every lesson of the course, in the order of the course.',
        params: ById,
        response: { 200: envelope(EnrollmentProgress) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { enrollment, lessons } = await request.read({
        enrollment: getEnrollment({ id, ...credentialOf(request) }),
        lessons: listProgress({ id }),
      })
      return {
        enrollment_id: toId(enrollmentId, id),
        status: enrollment.status,
        progress_percentage: enrollment.progress_percentage,
        lessons: lessons.map(toProgressOfLesson),
      }
    },
  )
}

function listEnrollmentBlockersRoute(api: Api): void {
  api.get(
    '/lms/enrollments/:id/blockers',
    {
      config: read,
      schema: {
        operationId: 'listEnrollmentBlockers',
        summary: 'List the lessons that a member must still complete',
        description:
          'Required lessons that are not completed, each with the reason. The list is empty after the course is completed.',
        params: ById,
        response: { 200: envelope(Type.Array(Blocker)) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { enrollment, lessons } = await request.read({
        enrollment: getEnrollment({ id, ...credentialOf(request) }),
        lessons: listProgress({ id }),
      })
      return enrollment.completed_at === null ? blockersOf(lessons) : []
    },
  )
}

/** Whose enrollments are meant. @throws ApiError 400 where a key names nobody, and as `namedStudent` */
function studentOf(viewer: Credential, named: string | undefined): string {
  const id = namedStudent(viewer, named)
  if (id !== undefined) return id
  throw invalidParameters([
    { field: 'student_id', rule: 'required', message: 'is required with a secret key' },
  ])
}

type ListedRow = AnswerOf<typeof listEnrollments>['rows'][number]

function toListedEnrollment(row: ListedRow, baseUrl: string): ListedEnrollment {
  const id = toId(courseId, row.course_id)
  const { progress_percentage, enrolled_at, title, duration_hours } = row
  return {
    ...{ id: toId(enrollmentId, row.id), course_id: id, progress_percentage, enrolled_at },
    status: row.status as ListedEnrollment['status'],
    courses: {
      ...{ id, title, duration_hours, ...thumbnailOf(row, baseUrl) },
      level: row.level as ListedEnrollment['courses']['level'],
    },
  }
}
