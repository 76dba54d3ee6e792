import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { seesCourse } from '../access.ts'

const quizzes = (v: Credential) =>
  query
    .selectFrom('quizzes as q')
    .innerJoin('quiz_versions as v', (on) =>
      on.onRef('v.quiz_id', '=', 'q.id').onRef('v.version', '=', 'q.version'),
    )
    .innerJoin('lessons as l', 'l.id', 'q.lesson_id')
    .innerJoin('courses as c', 'c.id', 'q.course_id')
    .select(['q.id', 'q.course_id', 'q.lesson_id', 'q.version', 'q.pass_percentage', 'q.max_attempts'])
    .select(['q.time_limit_seconds', 'q.shuffle', 'q.reveal_answers', 'q.created_at', 'q.updated_at'])
    .select(['v.questions', 'v.pools'])
    .where('l.deleted_at', 'is', null)
    .where(seesCourse(v))
export type QuizRow = InferResult<ReturnType<typeof quizzes>>[number]

/** @throws ApiError 404 */
export const getQuizOfLesson = defineQuery('quiz_of_lesson', (v: Credential & { lesson: string }) =>
  quizzes(v).where('q.lesson_id', '=', v.lesson),
).one('Quiz')

/** @throws ApiError 404 */
export const getQuiz = defineQuery('quiz_by_id', (v: Credential & { id: string }) =>
  quizzes(v).where('q.id', '=', v.id),
).one('Quiz')

interface NewQuiz {
  id: string
  course_id: string
  lesson_id: string
  version: number
  pass_percentage: number
  max_attempts: number | null
  time_limit_seconds: number | null
  shuffle: boolean
  reveal_answers: boolean | null
}
/** The quiz of a lesson, in place of the one that there was. Hold the lesson first. */
export const upsertQuiz = defineQuery('put_quiz', (v: NewQuiz) => {
  const rules = pick(
    v,
    ...([
      'version',
      'pass_percentage',
      'max_attempts',
      'time_limit_seconds',
      'shuffle',
      'reveal_answers',
    ] as const),
  )
  return query
    .insertInto('quizzes')
    .values({ ...pick(v, 'id', 'course_id', 'lesson_id'), ...rules, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'lesson_id']).doUpdateSet({ ...rules, updated_at: now }),
    )
})

/** The quiz of a lesson, and whether these are its questions already; undefined where there is none. */
export const findPresentQuiz = defineQuery(
  'present_quiz',
  (v: { lesson: string; questions: string; pools: string }) =>
    query
      .selectFrom('quizzes as q')
      .innerJoin('quiz_versions as v', (on) =>
        on.onRef('v.quiz_id', '=', 'q.id').onRef('v.version', '=', 'q.version'),
      )
      .select(['q.id', 'q.version'])
      .select(sql<boolean>`(v.questions = ${v.questions}::jsonb and v.pools = ${v.pools}::jsonb)`.as('same'))
      .where('q.lesson_id', '=', v.lesson),
).first()

export const insertQuizVersion = defineQuery(
  'insert_quiz_version',
  (v: { quiz_id: string; version: number; questions: string; pools: string }) =>
    query.insertInto('quiz_versions').values({
      ...pick(v, 'quiz_id', 'version'),
      questions: sql`${v.questions}::jsonb`,
      pools: sql`${v.pools}::jsonb`,
      created_at: now,
    }),
)

/** Holds a lesson still. @throws ApiError 404 */
export const lockLesson = defineQuery('lock_lesson', (v: { id: string }) =>
  query
    .selectFrom('lessons')
    .select(['id', 'course_id', 'type'])
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
).one('Lesson')

/** Deletes the quiz of a lesson with its attempts. @throws ApiError 404 */
export const deleteQuiz = defineQuery('delete_quiz', (v: { lesson: string }) =>
  query.deleteFrom('quizzes').where('lesson_id', '=', v.lesson).returning('id'),
).one('Quiz')
