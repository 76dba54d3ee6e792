import { type AnswerOf, pick } from '#platform/db/query.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { attemptId, courseId, enrollmentId, lessonId, quizId } from '../ids.ts'
import type { Answer, Attempt } from './attempt-schema.ts'
import { countDrawn, drawQuestions } from './draw.ts'
import { explain } from './grade.ts'
import type { AttemptRow, listAttempts, QuizRow } from './queries.ts'
import type { Question, QuestionPool, Quiz } from './schema.ts'

type OwnAttempt = AnswerOf<typeof listAttempts>[number]

const contentOf = (row: { questions: unknown; pools: unknown }) => ({
  questions: row.questions as Question[],
  pools: row.pools as QuestionPool[],
})

/** A quiz as the viewer may see it: members see no question before they begin. */
export function toQuiz(viewer: Credential, row: QuizRow, attempts?: readonly OwnAttempt[]): Quiz {
  const content = contentOf(row)
  return {
    id: toId(quizId, row.id),
    lesson_id: toId(lessonId, row.lesson_id),
    course_id: toId(courseId, row.course_id),
    ...pick(row, 'version', 'pass_percentage', 'max_attempts', 'time_limit_seconds', 'shuffle'),
    ...pick(row, 'reveal_answers', 'created_at', 'updated_at'),
    question_count: countDrawn(content),
    ...(viewer.isKey && content),
    ...(attempts && {
      attempts: attempts.map((attempt) => ({
        ...attempt,
        id: toId(attemptId, attempt.id),
        status: attempt.status as Attempt['status'],
      })),
    }),
  }
}

/** The questions of an attempt, with their right answers. */
export const askedIn = (row: AttemptRow): Question[] =>
  drawQuestions({ ...contentOf(row), shuffle: row.shuffle }, row.seed)

/** An attempt as anybody may see it: of right answers nothing before it is submitted. */
export function toAttempt(row: AttemptRow): Attempt {
  const asked = askedIn(row)
  return {
    id: toId(attemptId, row.id),
    quiz_id: toId(quizId, row.quiz_id),
    lesson_id: toId(lessonId, row.lesson_id),
    enrollment_id: toId(enrollmentId, row.enrollment_id),
    student_id: toId('member', row.member_id),
    ...pick(row, 'number', 'started_at', 'expires_at', 'submitted_at'),
    status: row.status as Attempt['status'],
    questions: asked.map(({ id, type, text, points = 1, options }) => ({
      id,
      type,
      text,
      points,
      ...(options && { options }),
    })),
    result:
      row.submitted_at === null
        ? null
        : {
            points: row.points ?? 0,
            max_points: row.max_points ?? 0,
            percentage: row.percentage ?? 0,
            passed: row.passed ?? false,
            questions: explain(asked, row.answers as unknown as Answer[], row.reveals),
          },
  }
}
