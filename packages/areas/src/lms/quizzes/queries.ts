import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Credential } from '#platform/http/viewer.ts'
import { opensAt, seesCourse, seesMembers } from '../access.ts'

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
  query.deleteFrom('quizzes').where('lesson_id', '=', v.lesson).returning(['id', 'lesson_id']),
).one('Quiz')

/** So long after its time an attempt is still taken: answers are on their way. */
const GRACE = sql`interval '5 seconds'`

const attemptStatus = sql<string>`case when a.submitted_at is not null then 'submitted'
  when a.expires_at + ${GRACE} < ${now} then 'expired' else 'in_progress' end`

/** Whether right answers are shown by now: unless the quiz says when, after passing or when no attempt is left. */
const reveals = sql<boolean>`coalesce(q.reveal_answers, (
  select coalesce(bool_or(o.passed), false) or count(*) filter (
    where o.submitted_at is not null or o.expires_at + ${GRACE} < ${now}) >= q.max_attempts
  from quiz_attempts o where o.quiz_id = a.quiz_id and o.member_id = a.member_id), false)`

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
    .select(['q.course_id', 'q.lesson_id', 'q.pass_percentage', 'q.shuffle'])
    .select(['v.questions', 'v.pools', attemptStatus.as('status'), reveals.as('reveals')])

/** @throws ApiError 404, for another member's too unless staff asks */
export const getAttempt = defineLookup('attempt_by_id', (v: Credential & { id: string }) =>
  attempts().where('a.id', '=', v.id).where(seesMembers('a', v)),
).one('Attempt')
export type AttemptRow = AnswerOf<typeof getAttempt>

/** All attempts of a member at a quiz, the first first. */
export const listAttempts = defineQuery('attempts_of_member', (v: { quiz: string; member: string }) =>
  query
    .selectFrom('quiz_attempts as a')
    .select(['a.id', 'a.number', 'a.percentage', 'a.passed', attemptStatus.as('status')])
    .where('a.quiz_id', '=', v.quiz)
    .where('a.member_id', '=', v.member)
    .orderBy('a.number'),
)

/** Whether a lesson is open to an enrollment by now; undefined where they are not of one course. */
export const hasBegun = defineQuery('lesson_has_begun', (v: { enrollment: string; lesson: string }) =>
  query
    .selectFrom('enrollments as e')
    .innerJoin('lessons as l', 'l.course_id', 'e.course_id')
    .select(sql<boolean>`${opensAt} <= ${now}`.as('has_begun'))
    .where('e.id', '=', v.enrollment)
    .where('l.id', '=', v.lesson),
)
  .map(({ has_begun }) => has_begun)
  .first()

interface NewAttempt {
  id: string
  quiz_id: string
  version: number
  enrollment_id: string
  member_id: string
  number: number
  seed: number
  seconds: number | null
}
export const insertAttempt = defineQuery('insert_attempt', (v: NewAttempt) =>
  query.insertInto('quiz_attempts').values({
    ...pick(v, 'id', 'quiz_id', 'version', 'enrollment_id', 'member_id', 'number', 'seed'),
    started_at: now,
    expires_at: sql`${now} + ${v.seconds}::integer * interval '1 second'`,
  }),
)

interface Graded {
  id: string
  answers: string
  points: number
  max_points: number
  percentage: number
  passed: boolean
}
export const saveSubmission = defineQuery('submit_attempt', (v: Graded) =>
  query
    .updateTable('quiz_attempts')
    .set({
      submitted_at: now,
      answers: sql`${v.answers}::jsonb`,
      ...pick(v, 'points', 'max_points', 'percentage', 'passed'),
    })
    .where('id', '=', v.id)
    .where('submitted_at', 'is', null),
)
