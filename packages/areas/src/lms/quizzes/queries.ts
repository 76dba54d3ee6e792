import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberOf, seesCourse, type Viewer } from '../access.ts'

const quizColumns = [
  'q.id',
  'q.course_id',
  'q.lesson_id',
  'q.version',
  'q.pass_percentage',
  'q.max_attempts',
  'q.time_limit_seconds',
  'q.shuffle',
  'q.reveal_answers',
  'q.created_at',
  'q.updated_at',
] as const

const quizzes = (kind: Viewer['kind'], member: string | null) =>
  query
    .selectFrom('quizzes as q')
    .innerJoin('quiz_versions as v', (on) =>
      on.onRef('v.quiz_id', '=', 'q.id').onRef('v.version', '=', 'q.version'),
    )
    .innerJoin('lessons as l', 'l.id', 'q.lesson_id')
    .innerJoin('courses as c', 'c.id', 'q.course_id')
    .select(quizColumns)
    .select(['v.questions', 'v.pools'])
    .where('l.deleted_at', 'is', null)
    .where(seesCourse(kind, member))

const ofLesson = statements(
  'quiz_of_lesson',
  (kind: Viewer['kind']) => (v: { lesson: string; member: string | null }) =>
    quizzes(kind, v.member).where('q.lesson_id', '=', v.lesson),
)
/** @throws ApiError 404 */
export const getQuizOfLesson = (ctx: Context, viewer: Viewer, lesson: string) =>
  ctx.tx.one(ofLesson(viewer.kind), { lesson, member: memberOf(viewer) }, 'Quiz')

const byId = statements(
  'quiz_by_id',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    quizzes(kind, v.member).where('q.id', '=', v.id),
)
/** @throws ApiError 404 */
export const getQuiz = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(byId(viewer.kind), { id, member: memberOf(viewer) }, 'Quiz')
export type QuizRow = Awaited<ReturnType<typeof getQuiz>>

export interface QuizValues {
  id: string
  course: string
  lesson: string
  version: number
  pass_percentage: number
  max_attempts: number | null
  time_limit_seconds: number | null
  shuffle: boolean
  reveal_answers: boolean | null
}

const put = statement('put_quiz', (v: QuizValues) => {
  const values = {
    version: v.version,
    pass_percentage: v.pass_percentage,
    max_attempts: v.max_attempts,
    time_limit_seconds: v.time_limit_seconds,
    shuffle: v.shuffle,
    reveal_answers: v.reveal_answers,
  }
  return query
    .insertInto('quizzes')
    .values({
      id: v.id,
      course_id: v.course,
      lesson_id: v.lesson,
      ...values,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'lesson_id']).doUpdateSet({ ...values, updated_at: now }),
    )
})
/** The quiz of a lesson. Hold the lesson first. */
export const putQuizRow = (ctx: Context, values: QuizValues) => ctx.tx.run(put, values)

const present = statement('present_quiz', (v: { lesson: string; questions: string; pools: string }) =>
  query
    .selectFrom('quizzes as q')
    .innerJoin('quiz_versions as v', (on) =>
      on.onRef('v.quiz_id', '=', 'q.id').onRef('v.version', '=', 'q.version'),
    )
    .select(['q.id', 'q.version'])
    .select(sql<boolean>`(v.questions = ${v.questions}::jsonb and v.pools = ${v.pools}::jsonb)`.as('same'))
    .where('q.lesson_id', '=', v.lesson),
)
/** The quiz of a lesson, and whether these are its questions already; undefined where there is none. */
export const findPresentQuiz = (ctx: Context, values: { lesson: string; questions: string; pools: string }) =>
  ctx.tx.first(present, values)

const insertVersion = statement(
  'insert_quiz_version',
  (v: { id: string; version: number; questions: string; pools: string }) =>
    query.insertInto('quiz_versions').values({
      quiz_id: v.id,
      version: v.version,
      questions: sql`${v.questions}::jsonb`,
      pools: sql`${v.pools}::jsonb`,
      created_at: now,
    }),
)
export const insertQuizVersionRow = (
  ctx: Context,
  values: { id: string; version: number; questions: string; pools: string },
) => ctx.tx.run(insertVersion, values)

const lockLesson = statement('lock_lesson', (v: { id: string }) =>
  query
    .selectFrom('lessons')
    .select(['id', 'course_id', 'type'])
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
)
/** Holds a lesson still. @throws ApiError 404 */
export const holdLesson = (ctx: Context, id: string) => ctx.tx.one(lockLesson, { id }, 'Lesson')

const remove = statement('delete_quiz', (v: { lesson: string }) =>
  query.deleteFrom('quizzes').where('lesson_id', '=', v.lesson).returning('id'),
)
/** @throws ApiError 404 */
export const deleteQuizRow = (ctx: Context, lesson: string) => ctx.tx.one(remove, { lesson }, 'Quiz')
