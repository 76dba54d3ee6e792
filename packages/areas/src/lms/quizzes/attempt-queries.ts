import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { lookups, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberOf, opensAt, seesMembers, type Viewer } from '../access.ts'

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
    .select(sql<boolean>`${opensAt} <= ${now}`.as('has_begun'))
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
    started_at: now,
    expires_at: sql`${now} + ${v.seconds}::integer * interval '1 second'`,
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
      submitted_at: now,
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
