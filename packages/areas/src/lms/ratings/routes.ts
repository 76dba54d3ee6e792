import { showingPeople } from '#areas/profiles/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import { ById } from '../courses/schema.ts'
import { notEnrolled } from '../errors.ts'
import { assertCourse, findEnrollment, listRatings, putRating } from './queries.ts'
import { ListQuery, Rating, RatingInput } from './schema.ts'

export function ratingRoutes(api: Api, deps: AreaDeps): void {
  rateCourseRoute(api)
  listCourseRatingsRoute(api, deps)
}

function rateCourseRoute(api: Api): void {
  api.put(
    '/lms/courses/:id/rating',
    {
      config: {
        access: { secret: 'write:learning', user: 'self' },
        actingMember: 'header',
        whileSuspended: 'refused',
        errors: [notEnrolled],
      },
      schema: {
        operationId: 'rateCourse',
        sdk: 'lms.courses.rate',
        summary: 'Rate a course',
        description:
          'The rating replaces an earlier rating of the member. Only members who are or were enrolled can rate a course.',
        params: ById,
        body: RatingInput,
        response: { 200: envelope(Rating) },
      },
    },
    async (request) => {
      const { id } = request.params
      const who = whoActs(request)
      const { rating, text = '' } = request.body
      return request.write(async (ctx) => {
        await assertCourse(ctx, { id, ...credentialOf(request) })
        const member = await actingMember(ctx, who)
        if ((await findEnrollment(ctx, { course: id, member: member.id })) === undefined) throw notEnrolled()
        return putRating(ctx, { id: newUuid(), course_id: id, member_id: member.id, rating, text })
      })
    },
  )
}

function listCourseRatingsRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPeople(config)
  api.get(
    '/lms/courses/:id/ratings',
    {
      config: { access: { secret: 'read:learning', public: 'catalog', user: 'self' } },
      schema: {
        operationId: 'listCourseRatings',
        summary: 'List the ratings of a course',
        description: 'The newest rating comes first.',
        params: ById,
        querystring: ListQuery,
        response: { 200: listEnvelope(Rating) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { ratings } = await request.read({
        course: assertCourse({ id, ...credentialOf(request) }),
        ratings: listRatings({ ...request.query, course_id: id }),
      })
      return people.show(request, ratings)
    },
  )
}
