import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { defineError } from '#platform/define-error.ts'
import { ApiError } from '#platform/errors.ts'
import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { codes } from '../errors.ts'
import { isJustNoted, note, recordProgress, toPost } from './record.ts'
import { BatchResult, LessonProgress, ProgressBatch, ProgressPost } from './schema.ts'

const tags = ['Courses']
/** What 404 means here besides; its text is that of a missing enrollment. */
const notEnrolled = defineError({
  code: 'NOT_FOUND',
  status: 404,
  message: 'The member is not enrolled in the course',
})
const config = {
  access: { secret: 'write:learning', user: 'self' },
  actingMember: 'body',
  errors: [...codes('ENROLLMENT_ENDED', 'LESSON_NOT_OPEN'), notEnrolled],
} as const

export function progressRoutes(api: Api): void {
  api.post(
    '/lms/progress',
    {
      config,
      schema: {
        tags,
        operationId: 'recordProgress',
        summary: 'Record progress in a lesson',
        description:
          'Progress never goes back unless `reset` says so. With a key `completed: true` always counts; with a member’s token by the lesson’s rule: for `view` when the member says so, for `percent` from 90 % on, for `quiz` and `manual` never. With a token `student_id` may be left out. 404 for somebody who is not enrolled.',
        body: ProgressPost,
        response: { 200: Type.Object({ data: LessonProgress }) },
      },
    },
    async (request) => ({ data: await record(request, request.body) }),
  )

  api.post(
    '/lms/progress/batch',
    {
      config,
      schema: {
        tags,
        operationId: 'recordProgressBatch',
        summary: 'Record progress in many lessons',
        description:
          'Up to 100, one after the other, for players that were offline. One that is refused leaves the others be; each is answered in its place.',
        body: ProgressBatch,
        response: { 200: envelope(BatchResult) },
      },
    },
    async (request) => {
      const results: BatchResult['results'] = []
      for (const item of request.body.items) {
        const { lesson_id } = item
        try {
          results.push({ lesson_id, success: true, progress: await record(request, item) })
        } catch (error) {
          if (!(error instanceof ApiError) || error.status >= 500) throw error
          results.push({ lesson_id, success: false, error: error.message, code: error.code })
        }
      }
      const succeeded = results.filter(({ success }) => success).length
      return ok({ succeeded, failed: results.length - succeeded, results })
    },
  )
}

/** Most posts complete nothing and take one statement; only the others take a transaction that looks first. */
async function record(request: FastifyRequest, input: ProgressPost): Promise<LessonProgress> {
  const who = whoActs(request, { field: 'student_id', id: input.student_id })
  const post = toPost(input)
  const noted = isJustNoted(post, who) ? await request.inProject((ctx) => note(ctx, who, post)) : undefined
  return noted ?? request.inProject((ctx) => recordProgress(ctx, who, post))
}
