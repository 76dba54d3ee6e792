import { randomInt } from 'node:crypto'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { type Credential, KEY } from '#platform/http/viewer.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { lockEnrollment } from '../enrollments/queries.ts'
import { attemptExpired, lessonNotOpen, noAttemptsLeft, notAQuiz } from '../errors.ts'
import { quizSubmitted } from '../events.ts'
import { courseId } from '../ids.ts'
import { assertOpen, completeLesson } from '../progress/record.ts'
import type { Answer, Attempt } from './attempt-schema.ts'
import { checkQuiz } from './check-quiz.ts'
import { checkAnswers, gradeAnswers } from './grade.ts'
import {
  findPresentQuiz,
  getAttempt,
  getQuiz,
  getQuizOfLesson,
  hasBegun,
  insertAttempt,
  insertQuizVersion,
  listAttempts,
  lockLesson,
  saveSubmission,
  upsertQuiz,
} from './queries.ts'
import { askedIn, toAttempt, toQuiz } from './rows.ts'
import type { Quiz, QuizInput } from './schema.ts'

/** Seeds fit the generator's 32 bits. */
const SEEDS = 2 ** 32

/**
 * Says what a lesson's quiz is. Other questions make a new version: attempts that are begun are graded by theirs.
 * @throws ApiError 404; 422 for a quiz that does not add up, NOT_A_QUIZ
 */
export async function putQuiz(ctx: Context, lesson: string, input: QuizInput): Promise<Quiz> {
  const { course_id, type } = await lockLesson(ctx, { id: lesson })
  if (type !== 'quiz') throw notAQuiz()
  checkQuiz(input)
  const questions = JSON.stringify(input.questions)
  const pools = JSON.stringify(input.pools ?? [])
  const before = await findPresentQuiz(ctx, { lesson, questions, pools })
  const id = before?.id ?? newUuid()
  const version = before === undefined ? 1 : before.version + (before.same ? 0 : 1)
  upsertQuiz(ctx, {
    ...{ id, course_id, lesson_id: lesson, version },
    pass_percentage: input.pass_percentage ?? 80,
    max_attempts: input.max_attempts ?? null,
    time_limit_seconds: input.time_limit_seconds ?? null,
    shuffle: input.shuffle ?? true,
    reveal_answers: input.reveal_answers ?? null,
  })
  if (version !== before?.version) insertQuizVersion(ctx, { quiz_id: id, version, questions, pools })
  return toQuiz(KEY, await getQuizOfLesson(ctx, { lesson, ...KEY }))
}

/**
 * Begins an attempt at a quiz. One that is begun and neither submitted nor over is answered again, so that a page that
 * is loaded anew costs no attempt.
 * @throws ApiError 404 for somebody who is not enrolled; 422 ENROLLMENT_ENDED, LESSON_NOT_OPEN, NO_ATTEMPTS_LEFT
 */
export async function beginAttempt(
  ctx: Context,
  viewer: Credential,
  who: WhoActs,
  id: string,
): Promise<{ attempt: Attempt; isNew: boolean }> {
  const quiz = await getQuiz(ctx, { id, ...viewer })
  const member = await actingMember(ctx, who)
  const enrollment = await lockEnrollment(ctx, { course: quiz.course_id, member: member.id })
  assertOpen(enrollment)
  const lesson = { enrollment: enrollment.id, lesson: quiz.lesson_id }
  if (who.byToken && !(await hasBegun(ctx, lesson))) throw lessonNotOpen()
  const attempts = await listAttempts(ctx, { quiz: id, member: member.id })
  const open = attempts.find(({ status }) => status === 'in_progress')
  if (open) return { attempt: toAttempt(await getAttempt(ctx, { id: open.id, ...KEY })), isNew: false }
  if (quiz.max_attempts !== null && attempts.length >= quiz.max_attempts) throw noAttemptsLeft()
  const attemptId = newUuid()
  insertAttempt(ctx, {
    ...{ id: attemptId, quiz_id: id, version: quiz.version },
    ...{ enrollment_id: enrollment.id, member_id: member.id },
    number: attempts.length + 1,
    seed: randomInt(SEEDS),
    seconds: quiz.time_limit_seconds,
  })
  return { attempt: toAttempt(await getAttempt(ctx, { id: attemptId, ...KEY })), isNew: true }
}

/**
 * Grades an attempt; where it passes, its lesson is done. A second submit answers the first.
 * @throws ApiError 404, for another member's attempt too; 422 for answers that fit no question of it, ATTEMPT_EXPIRED,
 * ENROLLMENT_ENDED
 */
export async function submitAttempt(
  ctx: Context,
  viewer: Credential,
  who: WhoActs,
  { id, answers }: { id: string; answers: readonly Answer[] },
): Promise<Attempt> {
  const found = await getAttempt(ctx, { id, ...viewer })
  const member = await actingMember(ctx, who)
  if (member.id !== found.member_id) throw notFound('Attempt')
  // Who submits twice at once takes turns at the enrollment, and the second one finds what the first one left.
  const enrollment = await lockEnrollment(ctx, { course: found.course_id, member: member.id })
  const attempt = await getAttempt(ctx, { id, ...viewer })
  if (attempt.submitted_at !== null) return toAttempt(attempt)
  assertOpen(enrollment)
  if (attempt.status === 'expired') throw attemptExpired()
  const asked = askedIn(attempt)
  checkAnswers(asked, answers)
  const grade = gradeAnswers(asked, answers, attempt.pass_percentage)
  saveSubmission(ctx, { id, answers: JSON.stringify(answers), ...grade })
  const graded = toAttempt(await getAttempt(ctx, { id, ...KEY }))
  emit(ctx, quizSubmitted, {
    id: graded.id,
    attempt_id: graded.id,
    quiz_id: graded.quiz_id,
    lesson_id: graded.lesson_id,
    course_id: toId(courseId, attempt.course_id),
    enrollment_id: graded.enrollment_id,
    student_id: graded.student_id,
    number: graded.number,
    percentage: grade.percentage,
    passed: grade.passed,
    submitted_at: graded.submitted_at ?? '',
  })
  if (grade.passed) await completeLesson(ctx, enrollment, attempt.lesson_id)
  return graded
}
