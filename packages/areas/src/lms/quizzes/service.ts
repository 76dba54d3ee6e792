import { randomInt } from 'node:crypto'
import { courseId } from '#areas/entitlements/ids.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { STAFF, type Viewer } from '../access.ts'
import { lockEnrollment } from '../enrollments/queries.ts'
import { refused } from '../errors.ts'
import { quizSubmitted } from '../events.ts'
import { assertOpen, completeLesson } from '../progress/record.ts'
import { getAttempt, hasBegun, insertAttemptRow, listAttempts, saveSubmission } from './attempt-queries.ts'
import type { Answer, Attempt } from './attempt-schema.ts'
import { checkQuiz } from './check-quiz.ts'
import { checkAnswers, gradeAnswers } from './grade.ts'
import {
  deleteQuizRow,
  findPresentQuiz,
  getQuiz,
  getQuizOfLesson,
  holdLesson,
  insertQuizVersionRow,
  putQuizRow,
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
  const { course_id, type } = await holdLesson(ctx, lesson)
  if (type !== 'quiz') throw refused('NOT_A_QUIZ')
  checkQuiz(input)
  const questions = JSON.stringify(input.questions)
  const pools = JSON.stringify(input.pools ?? [])
  const before = await findPresentQuiz(ctx, { lesson, questions, pools })
  const id = before?.id ?? newUuid()
  const version = before === undefined ? 1 : before.version + (before.same ? 0 : 1)
  await putQuizRow(ctx, {
    id,
    course: course_id,
    lesson,
    version,
    pass_percentage: input.pass_percentage ?? 80,
    max_attempts: input.max_attempts ?? null,
    time_limit_seconds: input.time_limit_seconds ?? null,
    shuffle: input.shuffle ?? true,
    reveal_answers: input.reveal_answers ?? null,
  })
  if (version !== before?.version) insertQuizVersionRow(ctx, { id, version, questions, pools })
  return toQuiz(STAFF, await getQuizOfLesson(ctx, STAFF, lesson), [])
}

/**
 * Begins an attempt at a quiz. One that is begun and neither submitted nor over is answered again, so that a page that
 * is loaded anew costs no attempt.
 * @throws ApiError 404 for somebody who is not enrolled; 422 ENROLLMENT_ENDED, LESSON_NOT_OPEN, NO_ATTEMPTS_LEFT
 */
export async function beginAttempt(
  ctx: Context,
  viewer: Viewer,
  who: WhoActs,
  id: string,
): Promise<{ attempt: Attempt; isNew: boolean }> {
  const quiz = await getQuiz(ctx, viewer, id)
  const member = await actingMember(ctx, who)
  const enrollment = await lockEnrollment(ctx, quiz.course_id, member.id)
  assertOpen(enrollment)
  if (who.byToken && !(await hasBegun(ctx, enrollment.id, quiz.lesson_id))) throw refused('LESSON_NOT_OPEN')
  const attempts = await listAttempts(ctx, id, member.id)
  const open = attempts.find(({ status }) => status === 'in_progress')
  if (open) return { attempt: toAttempt(await getAttempt(ctx, STAFF, open.id)), isNew: false }
  if (quiz.max_attempts !== null && attempts.length >= quiz.max_attempts) throw refused('NO_ATTEMPTS_LEFT')
  const attemptId = newUuid()
  insertAttemptRow(ctx, {
    id: attemptId,
    quiz: id,
    version: quiz.version,
    enrollment: enrollment.id,
    member: member.id,
    number: attempts.length + 1,
    seed: randomInt(SEEDS),
    seconds: quiz.time_limit_seconds,
  })
  return { attempt: toAttempt(await getAttempt(ctx, STAFF, attemptId)), isNew: true }
}

/**
 * Grades an attempt; where it passes, its lesson is done. A second submit answers the first.
 * @throws ApiError 404, for another member's attempt too; 422 for answers that fit no question of it, ATTEMPT_EXPIRED,
 * ENROLLMENT_ENDED
 */
export async function submitAttempt(
  ctx: Context,
  viewer: Viewer,
  who: WhoActs,
  { id, answers }: { id: string; answers: readonly Answer[] },
): Promise<Attempt> {
  const found = await getAttempt(ctx, viewer, id)
  const member = await actingMember(ctx, who)
  if (member.id !== found.member_id) throw notFound('Attempt')
  // Who submits twice at once takes turns at the enrollment, and the second one finds what the first one left.
  const enrollment = await lockEnrollment(ctx, found.course_id, member.id)
  const attempt = await getAttempt(ctx, viewer, id)
  if (attempt.submitted_at !== null) return toAttempt(attempt)
  assertOpen(enrollment)
  if (attempt.status === 'expired') throw refused('ATTEMPT_EXPIRED')
  const asked = askedIn(attempt)
  checkAnswers(asked, answers)
  const grade = gradeAnswers(asked, answers, attempt.pass_percentage)
  saveSubmission(ctx, { id, answers: JSON.stringify(answers), ...grade })
  const graded = toAttempt(await getAttempt(ctx, STAFF, id))
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

/** Deletes the quiz of a lesson with its attempts. @throws ApiError 404 */
export const deleteQuiz = (ctx: Context, lesson: string) => deleteQuizRow(ctx, lesson)
