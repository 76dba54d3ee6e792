import { audit } from '#platform/audit.ts'
import { limitReached } from '#platform/define-error.ts'
import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { deleted, deletedOther, envelope } from '#platform/http/envelope.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { attemptExpired, enrollmentEnded, lessonNotOpen, noAttemptsLeft, notAQuiz } from '../errors.ts'
import { lessonId, quizId } from '../ids.ts'
import { namedStudent } from '../named-student.ts'
import { ByLesson } from '../outline/schema.ts'
import { Attempt, ByAttempt, Submission } from './attempt-schema.ts'
import { deleteQuiz, getAttempt, getQuizOfLesson, listAttempts } from './queries.ts'
import { toAttempt, toQuiz } from './rows.ts'
import { ByQuiz, Quiz, QuizInput, QuizQuery } from './schema.ts'
import { beginAttempt, putQuiz, submitAttempt } from './service.ts'

const read = { access: { secret: 'read:learning', user: 'self' } } as const
const write = { access: { secret: 'write:learning' } } as const
const act = { access: { secret: 'write:learning', user: 'self' }, actingMember: 'header' } as const

export function quizRoutes(api: Api): void {
  putQuizRoute(api)
  getQuizRoute(api)
  deleteQuizRoute(api)
  beginAttemptRoute(api)
  getAttemptRoute(api)
  submitAttemptRoute(api)
}

function putQuizRoute(api: Api): void {
  api.put(
    '/lms/lessons/:id/quiz',
    {
      config: { ...write, errors: [notAQuiz, limitReached] },
      schema: {
        operationId: 'putQuiz',
        summary: 'Write the quiz of a lesson',
        description:
          'The quiz replaces the present quiz as a whole. A started attempt keeps its own questions. By default 80 % of the points pass, and each attempt has the questions in another order.',
        params: ByLesson,
        body: QuizInput,
        response: { 200: envelope(Quiz) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => putQuiz(ctx, id, request.body))
    },
  )
}

function getQuizRoute(api: Api): void {
  api.get(
    '/lms/lessons/:id/quiz',
    {
      config: read,
      schema: {
        operationId: 'getQuiz',
        summary: 'Get the quiz of a lesson',
        description:
          'A secret key gets the questions with their correct answers, and with `student_id` the attempts of that member. A member gets the rules of the quiz and own attempts.',
        params: ByLesson,
        querystring: QuizQuery,
        response: { 200: envelope(Quiz) },
      },
    },
    async (request) => {
      const { id } = request.params
      const viewer = credentialOf(request)
      const member = namedStudent(viewer, request.query.student_id)
      const { quiz } = await request.read({ quiz: getQuizOfLesson({ lesson: id, ...viewer }) })
      if (member === undefined) return toQuiz(viewer, quiz)
      const { attempts } = await request.read({ attempts: listAttempts({ quiz: quiz.id, member }) })
      return toQuiz(viewer, quiz, attempts)
    },
  )
}

function deleteQuizRoute(api: Api): void {
  api.delete(
    '/lms/lessons/:id/quiz',
    {
      config: write,
      schema: {
        operationId: 'deleteQuiz',
        summary: 'Delete the quiz of a lesson',
        description:
          'All attempts are deleted with the quiz. Members who have passed it keep the lesson completed.',
        params: ByLesson,
        response: { 200: deletedOther('quiz_01jcq3k8f7e8qtk4m3hbw7rn3e') },
      },
    },
    async (request) => {
      const { id } = request.params
      const quiz = await request.write(async (ctx) => {
        const gone = await deleteQuiz(ctx, { lesson: id })
        const before = { lesson_id: toId(lessonId, gone.lesson_id) }
        audit(ctx, { action: 'quiz.delete', target: toId(quizId, gone.id), before })
        return gone
      })
      return deleted(quizId, quiz.id)
    },
  )
}

function beginAttemptRoute(api: Api): void {
  api.post(
    '/lms/quizzes/:id/attempts',
    {
      config: {
        oneTransaction: true,
        ...act,
        errors: [enrollmentEnded, lessonNotOpen, noAttemptsLeft],
      },
      schema: {
        operationId: 'beginAttempt',
        sdk: 'lms.attempts.begin',
        summary: 'Begin an attempt at a quiz',
        description:
          'The questions are drawn now. If the member has an attempt whose time has not ended, the answer is that attempt with status 200. A member who is not enrolled gets 404.',
        params: ByQuiz,
        response: { 200: envelope(Attempt), 201: envelope(Attempt) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const who = whoActs(request)
      const { attempt, isNew } = await request.write((ctx) =>
        beginAttempt(ctx, credentialOf(request), who, id),
      )
      reply.code(isNew ? 201 : 200)
      return attempt
    },
  )
}

function getAttemptRoute(api: Api): void {
  api.get(
    '/lms/attempts/:id',
    {
      config: read,
      schema: {
        operationId: 'getAttempt',
        summary: 'Get an attempt at a quiz',
        description:
          'A member gets own attempts only. If the quiz reveals its answers, the correct answers are in the answer after the attempt is submitted.',
        params: ByAttempt,
        response: { 200: envelope(Attempt) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { attempt } = await request.read({ attempt: getAttempt({ id, ...credentialOf(request) }) })
      return toAttempt(attempt)
    },
  )
}

function submitAttemptRoute(api: Api): void {
  api.post(
    '/lms/attempts/:id/submit',
    {
      config: { oneTransaction: true, ...act, errors: [attemptExpired, enrollmentEnded] },
      schema: {
        operationId: 'submitAttempt',
        repeatCosts: true,
        summary: 'Submit an attempt at a quiz',
        description:
          'The attempt is graded at once; a question without an answer is wrong. Answers are accepted until 5 seconds after the end of the time, by the clock of the server. A second submit changes nothing and answers the result of the first. The best attempt counts.',
        params: ByAttempt,
        body: Submission,
        response: { 200: envelope(Attempt) },
      },
    },
    async (request) => {
      const { id } = request.params
      const who = whoActs(request)
      const { answers } = request.body
      return request.write((ctx) => submitAttempt(ctx, credentialOf(request), who, { id, answers }))
    },
  )
}
