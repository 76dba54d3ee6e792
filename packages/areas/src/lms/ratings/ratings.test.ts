import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import {
  beginAttempt,
  complete,
  enroll,
  makeCertificate,
  makeCourse,
  makeQuiz,
  RIGHT,
} from '#testkit/areas/lms.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Course } from '../courses/schema.ts'
import type { Rating } from './schema.ts'

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

const rate = (course: string, member: string, body: object) =>
  side.admin.put<{ data: Rating; code?: string }>(`/lms/courses/${course}/rating`, body, {
    headers: { 'x-user-id': member },
  })
const ratingOf = async (id: string) => {
  const { body } = await side.admin.get<{ data: Course[] }>('/lms/courses?limit=100')
  return body.data.find((course) => course.id === id)?.rating
}

describe('a rating', () => {
  test('is one of each member who is or was enrolled, and counts once in the mean', async () => {
    const course = await makeCourse(side)
    const enrollments = await Promise.all([1, 2, 3].map(() => enroll(side, course.id)))
    const [first, second, third] = enrollments.map(({ student_id }) => student_id) as [string, string, string]
    // Again and again, also at once.
    await Promise.all([1, 2, 3, 4].map((rating) => rate(course.id, first, { rating })))
    expect((await rate(course.id, first, { rating: 5, text: 'Clear' })).body.data).toMatchObject({
      student_id: first,
      rating: 5,
      text: 'Clear',
    })
    await side.admin.delete(`/lms/enrollments/${enrollments[1]?.id}`)
    await Promise.all([rate(course.id, second, { rating: 4 }), rate(course.id, third, { rating: 4 })])
    expect(await ratingOf(course.id)).toBeCloseTo(13 / 3, 1)
    const { body } = await side.admin.get<{ data: Rating[] }>(`/lms/courses/${course.id}/ratings`)
    expect(body).toMatchObject({ pagination: { total: 3 } })
    expect(new Set(body.data.map(({ student_id }) => student_id)).size).toBe(3)
  })

  test('is refused of strangers, and outside of one to five stars', async () => {
    const course = await makeCourse(side)
    const { id } = await side.makeMember()
    expect((await rate(course.id, id, { rating: 5 })).body.code).toBe('NOT_ENROLLED')
    await enroll(side, course.id, id)
    for (const rating of [0, 6, 4.5, -1, '5', null])
      expect(refusalOf(await rate(course.id, id, { rating }))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await rate(course.id, id, { rating: 5, text: 'x'.repeat(5_001) }))).toBe(
      '422 VALIDATION_ERROR',
    )
    expect(await ratingOf(course.id)).toBe(0)
  })
})

test('of a member who is forgotten, certificate and rating stay without a name; progress, attempts and visits go', async () => {
  const { id: member } = await side.makeMember({ full_name: 'Forget Me' })
  const { course, lesson, quiz } = await makeQuiz(side)
  const enrollment = await enroll(side, course.id, member)
  const attempt = await beginAttempt(side, quiz.id, member)
  const headers = { 'x-user-id': member }
  await side.admin.post(`/lms/attempts/${attempt.id}/submit`, RIGHT, { headers })
  await complete(side, enrollment, [lesson])
  const certificate = await makeCertificate(side, member)
  await rate(course.id, member, { rating: 4, text: 'Good' })
  await side.admin.post('/analytics/track', { event: 'looked', user_id: member })
  const rows = async () => {
    const count = (table: string) =>
      `(select count(*)::int from ${table} where member_id = $1) as ${table.replace('.', '_')}`
    const tables = [
      ...['certificates', 'course_ratings', 'enrollments', 'lesson_progress'],
      ...['quiz_attempts', 'analytics_events'],
    ]
    return (await api.owner.query(`select ${tables.map(count).join(', ')}`, [parseId('member', member)]))
      .rows[0]
  }
  const stays = { certificates: 2, course_ratings: 1 }
  const goes = { enrollments: 2, lesson_progress: 2, quiz_attempts: 1, analytics_events: 1 }
  expect(await rows()).toEqual({ ...stays, ...goes })
  expect((await side.admin.delete(`/members/${member}?mode=anonymize`)).status).toBe(200)
  const none = Object.fromEntries(Object.keys(goes).map((table) => [table, 0]))
  expect(await rows()).toEqual({ ...stays, ...none })
  const { body } = await api.send('GET', `/api/v1/lms/certificates/verify/${certificate.code}`)
  expect(body).toMatchObject({ data: { student_name: '', valid: true } })
  expect(await ratingOf(course.id)).toBe(4)
})
