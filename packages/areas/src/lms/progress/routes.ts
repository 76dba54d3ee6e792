import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { defineError } from '#platform/define-error.ts'
import { ApiError } from '#platform/errors.ts'
import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { enrollmentEnded, lessonNotOpen } from '../errors.ts'
import { isJustNoted, note, recordProgress, toPost } from './record.ts'
import { BatchResult, LessonProgress, ProgressBatch, ProgressPost } from './schema.ts'

/** What 404 means here besides; its text is that of a missing enrollment. */
const notEnrolled = defineError({
  code: 'NOT_FOUND',
  status: 404,
  message: 'The member is not enrolled in the course',
})
const config = {
  access: { secret: 'write:learning', user: 'self' },
  actingMember: 'body',
  errors: [enrollmentEnded, lessonNotOpen, notEnrolled],
} as const

export function progressRoutes(api: Api): void {
  recordProgressRoute(api)
  recordProgressBatchRoute(api)
}

function recordProgressRoute(api: Api): void {
  api.post(
    '/lms/progress',
    {
      config,
      schema: {
        operationId: 'recordProgress',
        sdk: 'lms.progress.record',
        summary: 'Record progress in a lesson',
        description:
          'Progress never decreases, unless `reset` is true. With a secret key `completed: true` always counts. With the token of a member the rule of the lesson decides: with `view` a lesson is complete when the member says so, with `percent` from 90 % on; with `quiz` and `manual` the member cannot complete it here. With a token, `student_id` is not needed. A member who is not enrolled gets 404.',
        body: ProgressPost,
        response: { 200: Type.Object({ data: LessonProgress }) },
      },
    },
    async (request) => ({ data: await record(request, request.body) }),
  )
}

function recordProgressBatchRoute(api: Api): void {
  api.post(
    '/lms/progress/batch',
    {
      config,
      schema: {
        operationId: 'recordProgressBatch',
        sdk: 'lms.progress.recordBatch',
        summary: 'Record progress in many lessons',
        description:
          'Send up to 100 items, for example from a player that was offline. They are done one after the other. If one item is refused, the others are still done. The answer has one result for each item, in the same order.',
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
      return { succeeded, failed: results.length - succeeded, results }
    },
  )
}

/** Most posts complete nothing and take one statement; only the others take a transaction that looks first. */
async function record(request: FastifyRequest, input: ProgressPost): Promise<LessonProgress> {
  const who = whoActs(request, { field: 'student_id', id: input.student_id })
  const post = toPost(input)
  const noted = isJustNoted(post, who) ? await request.write(note(who, post)) : undefined
  return noted ?? request.write((ctx) => recordProgress(ctx, who, post))
}
