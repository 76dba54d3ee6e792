import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import {
  beginAttempt,
  complete,
  enroll,
  getEnrollment,
  makeCourse,
  makeLesson,
  makeQuiz,
  postProgress,
  RIGHT,
} from '#testkit/areas/lms.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { enrollmentId } from '../ids.ts'
import { updateCompletion } from './completion.ts'
import type { LessonProgress, ProgressPost } from './schema.ts'

interface Posted {
  data: LessonProgress
  code?: string
}

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

/** How often each event was announced of an enrollment. */
async function announced(id: string): Promise<Record<string, number>> {
  const { rows } = await api.owner.query<{ type: string; times: number }>(
    `select type, count(*)::int as times from events
     where payload ->> 'id' = $1 or payload ->> 'enrollment_id' = $1 group by type`,
    [id],
  )
  return Object.fromEntries(rows.map(({ type, times }) => [type, times]))
}
const post = (body: Partial<ProgressPost>, key = side.key) => side.as(key).post<Posted>('/lms/progress', body)

/** A course with an active enrollment in it. */
async function begin(lessons: Parameters<typeof makeCourse>[2] = [{}]) {
  const course = await makeCourse(side, {}, lessons)
  const { token, memberId } = await side.signIn()
  const enrollment = await enroll(side, course.id, memberId)
  const at = (index: number) => ({
    course_id: course.id,
    lesson_id: course.lessons[index]?.id ?? '',
    student_id: memberId,
  })
  return { course, token, memberId, enrollment, at }
}

describe('POST /lms/progress', () => {
  test('answers the fields of the contract, without `success`', async () => {
    const { enrollment, at } = await begin()
    const { status, body } = await post({ ...at(0), progress_percentage: 40.9, last_position: 75.5 })
    expect([status, body]).toEqual([
      200,
      {
        data: {
          enrollment_id: enrollment.id,
          lesson_id: at(0).lesson_id,
          is_completed: false,
          progress_percentage: 40,
        },
      },
    ])
    const done = await post({ ...at(0), completed: true })
    expect(done.body.data).toMatchObject({ is_completed: true, progress_percentage: 100 })
    expect(done.body.data.completed_at).toEqual(expect.any(String))
  })

  test('never goes back unless it is reset', async () => {
    const { at } = await begin([{ type: 'video' }, {}])
    await postProgress(side, { ...at(0), progress_percentage: 60 })
    expect(await postProgress(side, { ...at(0), progress_percentage: 10 })).toMatchObject({
      progress_percentage: 60,
    })
    const done = await postProgress(side, { ...at(0), completed: true })
    for (const later of [{ completed: false }, { progress_percentage: 0 }, { completed: true }])
      expect(await postProgress(side, { ...at(0), ...later })).toEqual(done)
    const anew = await postProgress(side, { ...at(0), reset: true, progress_percentage: 5 })
    expect(anew).toMatchObject({ is_completed: false, progress_percentage: 5 })
    expect(anew.completed_at).toBeUndefined()
  })

  test('is not reset by a member where a key completed the lesson, whatever its rule; a key resets it', async () => {
    const { token, at } = await begin([{ completion_rule: 'view' }, { completion_rule: 'manual' }, {}])
    // What the member says first is the key's word once a key has set it, too.
    await post({ ...at(0), completed: true }, token)
    for (const index of [0, 1]) await postProgress(side, { ...at(index), completed: true })
    await post({ ...at(2), completed: true }, token)
    const reset = async (index: number, key?: string) =>
      (await post({ ...at(index), reset: true }, key)).body.data.is_completed
    expect([await reset(0, token), await reset(1, token), await reset(2, token)]).toEqual([true, true, false])
    expect([await reset(0), await reset(1)]).toEqual([false, false])
  })

  test('is not reset by a member where a quiz is passed and its attempts are used up', async () => {
    const { course, lesson, quiz } = await makeQuiz(side, { max_attempts: 1 })
    const { token, memberId } = await side.signIn()
    const enrollment = await enroll(side, course.id, memberId)
    await makeLesson(side, course.moduleId)
    const { id } = await beginAttempt(side, quiz.id, memberId)
    await side.as(token).post(`/lms/attempts/${id}/submit`, RIGHT)
    const body = { course_id: course.id, lesson_id: lesson.id, student_id: memberId, reset: true }
    const answer = await post(body, token)
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      { is_completed: true, progress_percentage: 100 },
    ])
    expect((await getEnrollment(side, enrollment.id)).progress_percentage).toBe(50)
  })

  test('takes a member’s word by the rule of the lesson, and a key’s always', async () => {
    const { token, at } = await begin([
      { completion_rule: 'view' },
      { type: 'video' },
      { completion_rule: 'manual' },
      { type: 'quiz' },
    ])
    const done = async (index: number, body: object, key = token) =>
      (await post({ ...at(index), ...body }, key)).body.data.is_completed
    expect(await done(1, { completed: true, progress_percentage: 89.9 })).toBe(false)
    expect(await done(2, { completed: true, progress_percentage: 100 })).toBe(false)
    expect(await done(3, { completed: true, progress_percentage: 100 })).toBe(false)
    expect(await done(0, { completed: true })).toBe(true)
    expect(await done(1, { progress_percentage: 90 })).toBe(true)
    expect(await done(2, { completed: true }, side.key)).toBe(true)
    expect(await done(3, { completed: true }, side.key)).toBe(true)
  })

  test('refuses what is no progress, and whoever is not enrolled', async () => {
    const { token, at } = await begin([{}, { drip_days: 1 }])
    for (const wrong of [-1, 101, Number.NaN, '5'])
      expect(refusalOf(await post({ ...at(0), progress_percentage: wrong as number }))).toBe(
        '422 VALIDATION_ERROR',
      )
    const other = await begin()
    expect(refusalOf(await post({ ...at(0), lesson_id: other.at(0).lesson_id }))).toBe('422 VALIDATION_ERROR')
    const stranger = await side.signIn()
    expect(refusalOf(await post({ ...at(0), student_id: stranger.memberId }))).toBe('404 NOT_FOUND')
    expect(refusalOf(await post({ ...at(0), student_id: stranger.memberId }, token))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect((await post(at(1), token)).body.code).toBe('LESSON_NOT_OPEN')
    expect((await post(at(1))).status).toBe(200)
    const { student_id: _student, ...unnamed } = at(0)
    expect(refusalOf(await post(unnamed))).toBe('422 VALIDATION_ERROR')
    expect((await post(unnamed, token)).status).toBe(200)
  })

  test('takes a batch item by item', async () => {
    const { at } = await begin([{}, {}])
    const other = await begin()
    const { body } = await side.admin.post('/lms/progress/batch', {
      items: [
        { ...at(0), completed: true },
        { ...at(0), course_id: other.course.id },
        { ...at(1), completed: true },
      ],
    })
    expect(body).toMatchObject({
      data: {
        succeeded: 2,
        failed: 1,
        results: [{ success: true }, { success: false, code: 'NOT_FOUND' }, { success: true }],
      },
    })
  })
})

describe('completion', () => {
  test('happens once when the last two lessons are finished at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { enrollment, at } = await begin([{}, {}])
      const both = [0, 1, 0, 1].map((index) => postProgress(side, { ...at(index), completed: true }))
      await Promise.all(both)
      expect(await getEnrollment(side, enrollment.id)).toMatchObject({
        status: 'completed',
        progress_percentage: 100,
      })
      expect(await announced(enrollment.id)).toEqual({
        'enrollment.created': 1,
        'lesson.completed': 2,
        'enrollment.completed': 1,
        'certificate.issued': 1,
      })
    }
  })

  test('needs the quiz, and comes with its grade', async () => {
    const { course, lesson, quiz } = await makeQuiz(side)
    const { token, memberId } = await side.signIn()
    const enrollment = await enroll(side, course.id, memberId)
    await post({ course_id: course.id, lesson_id: lesson.id, completed: true }, token)
    const attempt = await beginAttempt(side, quiz.id, memberId)
    expect((await getEnrollment(side, enrollment.id)).status).toBe('active')
    await side.as(token).post(`/lms/attempts/${attempt.id}/submit`, RIGHT)
    expect((await getEnrollment(side, enrollment.id)).status).toBe('completed')
  })

  test('gives one certificate for a course, also where a module has no lesson, and none before it is complete', async () => {
    const { course, enrollment, at } = await begin([{}, {}, {}])
    await side.admin.post(`/lms/courses/${course.id}/modules`, { title: 'Empty' })
    await complete(side, enrollment, course.lessons.slice(0, 2))
    expect(await getEnrollment(side, enrollment.id)).toMatchObject({
      progress_percentage: 66,
      certificate_id: null,
    })
    await postProgress(side, { ...at(2), completed: true })
    const { certificate_id } = await getEnrollment(side, enrollment.id)
    expect(certificate_id).toMatch(/^cert_/)
    expect(await announced(enrollment.id)).toMatchObject({ 'certificate.issued': 1 })
  })

  test('stays when lessons are added, and keeps its date when a lesson is repeated', async () => {
    const { course, enrollment, at } = await begin()
    await complete(side, enrollment, course.lessons)
    const before = await getEnrollment(side, enrollment.id)
    await makeLesson(side, course.moduleId)
    await side.write((ctx) => updateCompletion(ctx, parseId(enrollmentId, enrollment.id) ?? ''))
    await postProgress(side, { ...at(0), reset: true })
    await postProgress(side, { ...at(0), completed: true })
    expect(await getEnrollment(side, enrollment.id)).toEqual(before)
    expect(await announced(enrollment.id)).toMatchObject({
      'enrollment.completed': 1,
      'certificate.issued': 1,
    })
  })

  test('ignores lessons that are not required, unless none is', async () => {
    const { enrollment, at } = await begin([{ required: false }, {}])
    await postProgress(side, { ...at(1), completed: true })
    expect((await getEnrollment(side, enrollment.id)).status).toBe('completed')
    const optional = await begin([{ required: false }, { required: false }])
    await postProgress(side, { ...optional.at(1), completed: true })
    expect(await getEnrollment(side, optional.enrollment.id)).toMatchObject({
      status: 'active',
      progress_percentage: 50,
    })
  })

  test('is what blockers tell to be missing', async () => {
    const { course, enrollment } = await begin([{}, { type: 'quiz' }, { drip_days: 5 }])
    await complete(side, enrollment, course.lessons.slice(0, 1))
    const { body } = await side.admin.get<{ data: { reason: string }[] }>(
      `/lms/enrollments/${enrollment.id}/blockers`,
    )
    expect(body.data.map(({ reason }) => reason)).toEqual(['quiz_missing', 'not_open_yet'])
  })
})
