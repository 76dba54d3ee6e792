import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, ok } from '#platform/http/envelope.ts'
import { idFromPath, toId } from '#platform/ids.ts'
import { memberOf, viewerOf } from '../access.ts'
import { codes } from '../errors.ts'
import { attemptId, lessonId, quizId } from '../ids.ts'
import { ByLesson } from '../outline/schema.ts'
import { Attempt, ByAttempt, Submission } from './attempt-schema.ts'
import { deleteQuizRow, getAttempt, getQuizOfLesson, listAttempts } from './queries.ts'
import { toAttempt, toQuiz } from './rows.ts'
import { ByQuiz, Quiz, QuizInput } from './schema.ts'
import { beginAttempt, putQuiz, submitAttempt } from './service.ts'

const tags = ['Courses']
const read = { access: { secret: 'read:learning', user: 'self' } } as const
const write = { access: { secret: 'write:learning' } } as const
const act = { access: { secret: 'write:learning', user: 'self' }, actingMember: 'header' } as const

export function quizRoutes(api: Api): void {
  api.put(
    '/lms/lessons/:id/quiz',
    {
      config: { ...write, errors: codes('NOT_A_QUIZ') },
      schema: {
        tags,
        operationId: 'putQuiz',
        summary: 'Write the quiz of a lesson',
        description:
          'The whole quiz, in place of the one that was there. Attempts that are begun are graded by the questions that they were given. Unless told otherwise 80 % pass, and the order is shuffled for each attempt.',
        params: ByLesson,
        body: QuizInput,
        response: { 200: envelope(Quiz) },
      },
    },
    async (request) => {
      const id = idFromPath(lessonId, request.params.id)
      return ok(await request.inProject((ctx) => putQuiz(ctx, id, request.body)))
    },
  )

  api.get(
    '/lms/lessons/:id/quiz',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getQuiz',
        summary: 'Get the quiz of a lesson',
        description:
          'A secret key sees the questions with their right answers; a member what to expect, and their own attempts.',
        params: ByLesson,
        response: { 200: envelope(Quiz) },
      },
    },
    async (request) => {
      const id = idFromPath(lessonId, request.params.id)
      const viewer = viewerOf(request)
      const member = memberOf(viewer)
      return ok(
        await request.inProject(async (ctx) => {
          const quiz = await getQuizOfLesson(ctx, viewer, id)
          return toQuiz(viewer, quiz, member === null ? [] : await listAttempts(ctx, quiz.id, member))
        }),
      )
    },
  )

  api.delete(
    '/lms/lessons/:id/quiz',
    {
      config: write,
      schema: {
        tags,
        operationId: 'deleteQuiz',
        summary: 'Delete the quiz of a lesson',
        description:
          'All attempts are deleted with the quiz. Members who have passed it keep the lesson completed.',
        params: ByLesson,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(lessonId, request.params.id)
      const quiz = await request.inProject((ctx) => deleteQuizRow(ctx, id))
      return deleted(toId(quizId, quiz.id))
    },
  )

  api.post(
    '/lms/quizzes/:id/attempts',
    {
      config: { ...act, errors: codes('ENROLLMENT_ENDED', 'LESSON_NOT_OPEN', 'NO_ATTEMPTS_LEFT') },
      schema: {
        tags,
        operationId: 'beginAttempt',
        summary: 'Begin an attempt at a quiz',
        description:
          'Draws the questions. An attempt that is begun already, and whose time is not over, is answered again with 200. 404 for somebody who is not enrolled.',
        params: ByQuiz,
        response: { 200: envelope(Attempt), 201: envelope(Attempt) },
      },
    },
    async (request, reply) => {
      const id = idFromPath(quizId, request.params.id)
      const who = whoActs(request)
      const { attempt, isNew } = await request.inProject((ctx) =>
        beginAttempt(ctx, viewerOf(request), who, id),
      )
      return reply.code(isNew ? 201 : 200).send(ok(attempt))
    },
  )

  api.get(
    '/lms/attempts/:id',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getAttempt',
        summary: 'Get an attempt at a quiz',
        description:
          'A member sees their own. Right answers are told after the submit, if the quiz tells them.',
        params: ByAttempt,
        response: { 200: envelope(Attempt) },
      },
    },
    async (request) => {
      const id = idFromPath(attemptId, request.params.id)
      const viewer = viewerOf(request)
      return ok(toAttempt(await request.inProject((ctx) => getAttempt(ctx, viewer, id))))
    },
  )

  api.post(
    '/lms/attempts/:id/submit',
    {
      config: { ...act, errors: codes('ATTEMPT_EXPIRED', 'ENROLLMENT_ENDED') },
      schema: {
        tags,
        operationId: 'submitAttempt',
        summary: 'Submit an attempt at a quiz',
        description:
          'Graded at once; what is not answered is wrong. Taken until 5 seconds after its time, by the database’s clock. A second submit changes nothing and answers the first. The best attempt counts.',
        params: ByAttempt,
        body: Submission,
        response: { 200: envelope(Attempt) },
      },
    },
    async (request) => {
      const id = idFromPath(attemptId, request.params.id)
      const who = whoActs(request)
      const { answers } = request.body
      return ok(await request.inProject((ctx) => submitAttempt(ctx, viewerOf(request), who, { id, answers })))
    },
  )
}
