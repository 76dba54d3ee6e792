import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { beginAttempt, enroll, makeCourse, makeQuiz, QUIZ, RIGHT, WRONG } from '#testkit/areas/lms.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { attemptId } from '../ids.ts'
import type { Attempt } from './attempt-schema.ts'
import { drawQuestions } from './draw.ts'
import { gradeAnswers } from './grade.ts'
import type { Question, Quiz, QuizInput } from './schema.ts'

interface One {
  data: Attempt
  code?: string
  details?: { field: string }[]
}

let api: TestApi
let side: Side
/** The side whose clock is moved. */
let clocked: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
  clocked = one.test
})

async function learner(input: Partial<QuizInput> = {}, of = side) {
  const made = await makeQuiz(of, input)
  const { token, memberId } = await of.signIn()
  await enroll(of, made.course.id, memberId)
  const begin = () => of.as(token).post<One>(`/lms/quizzes/${made.quiz.id}/attempts`)
  const submit = (id: string, body: object, key = token) =>
    of.as(key).post<One>(`/lms/attempts/${id}/submit`, body)
  return { ...made, token, memberId, begin, submit }
}

/** Moves the beginning and the end of an attempt back. */
const later = (id: string, seconds: number) =>
  api.owner.query(
    `update quiz_attempts set started_at = started_at - $2 * interval '1 second',
       expires_at = expires_at - $2 * interval '1 second' where id = $1`,
    [parseId(attemptId, id), seconds],
  )

const POOL: Question[] = Array.from({ length: 10 }, (_, n) => ({
  id: `q${n}`,
  type: 'number',
  text: `What is ${n}?`,
  correct_number: n,
  pool: 'all',
}))

describe('a quiz', () => {
  test('shows right answers to keys, and no question to a member', async () => {
    const { lesson, quiz, token } = await learner()
    expect(quiz).toMatchObject({ pass_percentage: 80, question_count: 1, questions: QUIZ.questions })
    const { body } = await side.as(token).get<{ data: Quiz }>(`/lms/lessons/${lesson.id}/quiz`)
    expect(body.data).toMatchObject({ question_count: 1, attempts: [] })
    expect(body.data.questions).toBeUndefined()
  })

  test('shows a key the attempts of the member that it names, and refuses another member to a token', async () => {
    const { lesson, token, memberId, begin, submit } = await learner()
    const { id } = (await begin()).body.data
    await submit(id, WRONG)
    const path = `/lms/lessons/${lesson.id}/quiz?student_id=`
    const { body } = await side.admin.get<{ data: Quiz }>(`${path}${memberId}`)
    expect(body.data.attempts).toEqual([{ id, number: 1, status: 'submitted', percentage: 0, passed: false }])
    expect(body.data.questions).toHaveLength(1)
    const { memberId: other } = await side.signIn()
    expect((await side.admin.get<{ data: Quiz }>(`${path}${other}`)).body.data.attempts).toEqual([])
    expect((await side.as(token).get(`${path}${other}`)).status).toBe(403)
    expect((await side.admin.get(`${path}nobody`)).status).toBe(400)
  })

  test('is refused with all faults where it does not add up', async () => {
    const { lesson } = await makeQuiz(side)
    const question = QUIZ.questions[0] as Question
    const refused = await side.admin.put<One>(`/lms/lessons/${lesson.id}/quiz`, {
      pools: [{ name: 'small', draw: 2 }],
      questions: [
        { ...question, correct_options: ['three'] },
        { ...question, pool: 'unknown' },
        { id: 'text', type: 'text', text: 'Say it', correct_number: 1 },
      ],
    })
    expect(refusalOf(refused)).toBe('422 VALIDATION_ERROR')
    expect(refused.body.details?.map(({ field }) => field)).toEqual([
      'questions[0].correct_options[0]',
      'questions[1].id',
      'questions[1].pool',
      'questions[2].accepted_texts',
      'questions[2].correct_number',
      'pools[0].draw',
    ])
    const text = (await makeCourse(side)).lessons[0]?.id
    expect((await side.admin.put<One>(`/lms/lessons/${text}/quiz`, QUIZ)).body.code).toBe('NOT_A_QUIZ')
  })

  test('draws from its pools and shuffles by the seed alone', () => {
    const drawing = { questions: POOL, pools: [{ name: 'all', draw: 4 }], shuffle: true }
    const ids = (seed: number) => drawQuestions(drawing, seed).map(({ id }) => id)
    expect(ids(7)).toEqual(ids(7))
    expect(new Set(Array.from({ length: 50 }, (_, seed) => ids(seed).join())).size).toBeGreaterThan(40)
    for (let seed = 0; seed < 50; seed++) expect(new Set(ids(seed)).size).toBe(4)
    const inOrder = drawQuestions({ ...drawing, shuffle: false }, 7).map(({ id }) => id)
    expect(inOrder).toEqual([...inOrder].sort())
  })

  test('grades each type of question', () => {
    const asked: Question[] = [
      { id: 's', type: 'single', text: '?', correct_options: ['a'], points: 2 },
      { id: 'm', type: 'multiple', text: '?', correct_options: ['a', 'b'] },
      { id: 't', type: 'text', text: '?', accepted_texts: ['New York'] },
      { id: 'n', type: 'number', text: '?', correct_number: 0.3, tolerance: 0 },
    ]
    const points = (question_id: string, answer: object) =>
      gradeAnswers(asked, [{ question_id, ...answer }], 100).points
    expect(points('s', { options: ['a'] })).toBe(2)
    expect(points('m', { options: ['b', 'a'] })).toBe(1)
    expect(points('m', { options: ['a'] })).toBe(0)
    expect(points('t', { text: '  new   YORK ' })).toBe(1)
    expect(points('t', { text: 'York' })).toBe(0)
    expect(points('n', { number: 0.1 + 0.2 })).toBe(1)
    expect(points('n', { number: 0.31 })).toBe(0)
    expect(gradeAnswers(asked, [], 0)).toEqual({ points: 0, max_points: 5, percentage: 0, passed: true })
  })
})

describe('an attempt', () => {
  test('says nothing of right answers before it is submitted, and all afterwards if the quiz does', async () => {
    const { begin, submit } = await learner()
    const { body } = await begin()
    expect(JSON.stringify(body)).not.toMatch(/correct|accepted|explanation/)
    expect((await begin()).body.data.id).toBe(body.data.id)
    const graded = await submit(body.data.id, RIGHT)
    expect(graded.body.data.result).toEqual({
      points: 1,
      max_points: 1,
      percentage: 100,
      passed: true,
      questions: [{ question_id: 'needles', correct: true, points: 1, correct_options: ['two'] }],
    })
    const silent = await learner({ reveal_answers: false })
    const { id } = (await silent.begin()).body.data
    expect(JSON.stringify((await silent.submit(id, WRONG)).body)).not.toMatch(/correct_options/)
  })

  test('shows right answers by default after a passed attempt or the last one, and not before', async () => {
    const shown = async ({ as, id }: { as: string; id: string }) =>
      JSON.stringify((await side.as(as).get<One>(`/lms/attempts/${id}`)).body).includes('correct_options')
    const free = await learner()
    expect(free.quiz.reveal_answers).toBeNull()
    const wrong = (await free.begin()).body.data.id
    expect(JSON.stringify((await free.submit(wrong, WRONG)).body)).not.toMatch(/correct_options/)
    const right = (await free.begin()).body.data.id
    expect(await shown({ as: free.token, id: wrong })).toBe(false)
    expect(JSON.stringify((await free.submit(right, RIGHT)).body)).toMatch(/correct_options/)
    expect(await shown({ as: free.token, id: wrong })).toBe(true)
    const two = await learner({ max_attempts: 2 })
    const first = (await two.begin()).body.data.id
    await two.submit(first, WRONG)
    const last = (await two.begin()).body.data.id
    // The last attempt is under way: what the first one tells would be its answers.
    expect(await shown({ as: two.token, id: first })).toBe(false)
    expect(JSON.stringify((await two.submit(last, WRONG)).body)).toMatch(/correct_options/)
    const always = await learner({ reveal_answers: true })
    const { id } = (await always.begin()).body.data
    expect(JSON.stringify((await always.submit(id, WRONG)).body)).toMatch(/correct_options/)
  })

  test('is answered by its first submit, whatever comes second or at the same time', async () => {
    const { begin, submit, quiz } = await learner()
    const { id } = (await begin()).body.data
    const answers = await Promise.all([RIGHT, RIGHT, WRONG, RIGHT].map((body) => submit(id, body)))
    const [first] = answers
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, first?.body])
    const { rows } = await api.owner.query(
      `select 1 from events where type = 'quiz.submitted' and payload ->> 'quiz_id' = $1`,
      [quiz.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('is another member’s to nobody else', async () => {
    const { begin, submit } = await learner()
    const { id } = (await begin()).body.data
    const other = await learner()
    expect(refusalOf(await submit(id, RIGHT, other.token))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.as(other.token).get(`/lms/attempts/${id}`))).toBe('404 NOT_FOUND')
    const headers = { 'x-user-id': other.memberId }
    expect(refusalOf(await side.admin.post(`/lms/attempts/${id}/submit`, RIGHT, { headers }))).toBe(
      '404 NOT_FOUND',
    )
  })

  test('takes no answers to questions that were not drawn, twice, or of another kind', async () => {
    const { begin, submit } = await learner({ questions: POOL, pools: [{ name: 'all', draw: 2 }] })
    const { id, questions } = (await begin()).body.data
    expect(questions).toHaveLength(2)
    const drawn = questions[0]?.id ?? ''
    const notDrawn = POOL.find((each) => !questions.some((question) => question.id === each.id))?.id
    for (const answers of [
      [{ question_id: notDrawn, number: 1 }],
      [{ question_id: 'never', number: 1 }],
      [{ question_id: drawn, options: ['a'] }],
      [
        { question_id: drawn, number: 1 },
        { question_id: drawn, number: 2 },
      ],
    ])
      expect(refusalOf(await submit(id, { answers }))).toBe('422 VALIDATION_ERROR')
    expect((await submit(id, { answers: [] })).body.data.result?.percentage).toBe(0)
  })

  test('ends five seconds after its time, by the database’s clock, and is used up', async () => {
    const { begin, submit } = await learner({ time_limit_seconds: 60, max_attempts: 2 })
    const inTime = (await begin()).body.data
    await later(inTime.id, 63)
    expect((await submit(inTime.id, WRONG)).status).toBe(200)
    const late = (await begin()).body.data
    await later(late.id, 66)
    expect((await submit(late.id, RIGHT)).body.code).toBe('ATTEMPT_EXPIRED')
    expect((await begin()).body.code).toBe('NO_ATTEMPTS_LEFT')
  })

  test('ends five seconds after its time by the clock of the test side, which its lesson opens by', async () => {
    await advance(clocked, { days: 365 })
    const { lesson, begin, submit } = await learner({ time_limit_seconds: 60 }, clocked)
    await clocked.admin.patch(`/lms/lessons/${lesson.id}`, { drip_days: 1 })
    expect((await begin()).body.code).toBe('LESSON_NOT_OPEN')
    await advance(clocked, { hours: 24 })
    const inTime = (await begin()).body.data
    expect(Date.parse(inTime.expires_at ?? '') - Date.parse(inTime.started_at)).toBe(60_000)
    await advance(clocked, { seconds: 62 })
    const { status, body } = await submit(inTime.id, WRONG)
    expect([status, Date.parse(body.data.submitted_at ?? '') > Date.parse(inTime.started_at)]).toEqual([
      200,
      true,
    ])
    const late = (await begin()).body.data
    await advance(clocked, { seconds: 66 })
    expect((await submit(late.id, RIGHT)).body.code).toBe('ATTEMPT_EXPIRED')
  })

  test('counts as the best one in the gradebook, and is graded by the questions that it was given', async () => {
    const { course, lesson, quiz, memberId, begin, submit } = await learner()
    await submit((await begin()).body.data.id, RIGHT)
    const { id } = (await begin()).body.data
    const changed = { ...QUIZ.questions[0], id: 'changed', correct_options: ['one'] }
    await side.admin.put(`/lms/lessons/${lesson.id}/quiz`, { questions: [changed] })
    expect((await submit(id, WRONG)).body.data.result).toMatchObject({ percentage: 0 })
    const { body } = await side.admin.get(`/lms/courses/${course.id}/gradebook`)
    expect(body).toMatchObject({
      data: [
        {
          student_id: memberId,
          status: 'completed',
          quizzes: [{ quiz_id: quiz.id, attempts: 2, best_percentage: 100, passed: true }],
        },
      ],
      pagination: { total: 1 },
    })
  })

  test('is begun by those who are enrolled only', async () => {
    const { quiz } = await makeQuiz(side)
    const { token, memberId } = await side.signIn()
    expect(refusalOf(await side.as(token).post(`/lms/quizzes/${quiz.id}/attempts`))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.admin.post(`/lms/quizzes/${quiz.id}/attempts`))).toBe(
      '400 INVALID_PARAMETERS',
    )
    await expect(beginAttempt(side, quiz.id, memberId)).rejects.toThrow('404')
  })
})
