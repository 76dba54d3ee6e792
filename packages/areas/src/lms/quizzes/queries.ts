import { sql } from 'kysely'
import { lookups, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberOf, opensAt, seesCourse, seesMembers, type Viewer } from '../access.ts'

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
  reveal_answers: boolean
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
    .values({ id: v.id, course_id: v.course, lesson_id: v.lesson, ...values })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'lesson_id']).doUpdateSet({ ...values, updated_at: sql`now()` }),
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

/** So long after its time an attempt is still taken: answers are on their way. */
const GRACE = sql`interval '5 seconds'`

const attemptStatus = sql<string>`case when a.submitted_at is not null then 'submitted'
  when a.expires_at + ${GRACE} < now() then 'expired' else 'in_progress' end`

const attemptColumns = [
  'a.id',
  'a.quiz_id',
  'a.enrollment_id',
  'a.member_id',
  'a.number',
  'a.seed',
  'a.started_at',
  'a.expires_at',
  'a.submitted_at',
  'a.answers',
  'a.points',
  'a.max_points',
  'a.percentage',
  'a.passed',
] as const

const attempts = () =>
  query
    .selectFrom('quiz_attempts as a')
    .innerJoin('quizzes as q', 'q.id', 'a.quiz_id')
    .innerJoin('quiz_versions as v', (on) =>
      on.onRef('v.quiz_id', '=', 'a.quiz_id').onRef('v.version', '=', 'a.version'),
    )
    .select(attemptColumns)
    .select(['q.course_id', 'q.lesson_id', 'q.pass_percentage', 'q.shuffle', 'q.reveal_answers'])
    .select(['v.questions', 'v.pools', attemptStatus.as('status')])

const attempt = lookups(
  'attempt_by_id',
  (kind: Viewer['kind']) => (v: { id: string; member: string | null }) =>
    attempts()
      .where('a.id', '=', v.id)
      .where(seesMembers(kind, 'a', v.member)),
)
/** @throws ApiError 404, for another member's too unless staff asks */
export const getAttempt = (ctx: Context, viewer: Viewer, id: string) =>
  ctx.tx.one(attempt(viewer.kind), { id, member: memberOf(viewer) }, 'Attempt')
export type AttemptRow = Awaited<ReturnType<typeof getAttempt>>

const ofQuiz = statement('attempts_of_member', (v: { quiz: string; member: string }) =>
  query
    .selectFrom('quiz_attempts as a')
    .select(['a.id', 'a.number', 'a.percentage', 'a.passed', attemptStatus.as('status')])
    .where('a.quiz_id', '=', v.quiz)
    .where('a.member_id', '=', v.member)
    .orderBy('a.number'),
)
/** All attempts of a member at a quiz, the first first. */
export const listAttempts = (ctx: Context, quiz: string, member: string) =>
  ctx.tx.all(ofQuiz, { quiz, member })

const begun = statement('lesson_has_begun', (v: { enrollment: string; lesson: string }) =>
  query
    .selectFrom('enrollments as e')
    .innerJoin('lessons as l', 'l.course_id', 'e.course_id')
    .select(sql<boolean>`${opensAt} <= (select app.project_now())`.as('has_begun'))
    .where('e.id', '=', v.enrollment)
    .where('l.id', '=', v.lesson),
)
/** Whether a lesson is open to an enrollment by now. */
export const hasBegun = (ctx: Context, enrollment: string, lesson: string) =>
  ctx.tx.first(begun, { enrollment, lesson }).map((row) => row?.has_begun === true)

interface NewAttempt {
  id: string
  quiz: string
  version: number
  enrollment: string
  member: string
  number: number
  seed: number
  seconds: number | null
}
const insert = statement('insert_attempt', (v: NewAttempt) =>
  query.insertInto('quiz_attempts').values({
    id: v.id,
    quiz_id: v.quiz,
    version: v.version,
    enrollment_id: v.enrollment,
    member_id: v.member,
    number: v.number,
    seed: v.seed,
    expires_at: sql`now() + ${v.seconds}::integer * interval '1 second'`,
  }),
)
export const insertAttemptRow = (ctx: Context, values: NewAttempt) => ctx.tx.run(insert, values)

interface Graded {
  id: string
  answers: string
  points: number
  maxPoints: number
  percentage: number
  passed: boolean
}
const submit = statement('submit_attempt', (v: Graded) =>
  query
    .updateTable('quiz_attempts')
    .set({
      submitted_at: sql`now()`,
      answers: sql`${v.answers}::jsonb`,
      points: v.points,
      max_points: v.maxPoints,
      percentage: v.percentage,
      passed: v.passed,
    })
    .where('id', '=', v.id)
    .where('submitted_at', 'is', null),
)
export const saveSubmission = (ctx: Context, values: Graded) => ctx.tx.run(submit, values)
