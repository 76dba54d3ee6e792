import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { enroll, getCourseDetail, makeCourse, makeDraft, makeLesson, makeModule } from '#testkit/areas/lms.ts'
import { makeFileRow } from '#testkit/areas/storage/files.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { enrollmentId, lessonId } from '../ids.ts'
import type { CourseDetail, Lesson } from './schema.ts'

interface One {
  data: Lesson
}
interface Refused {
  code: string
  details?: { field: string }[]
}

let s3: TestS3
let api: TestApi
let side: Side
let publicKey: string

beforeAll(async () => {
  s3 = await startS3()
  api = await startApi({ environment: s3.environment })
  const [one] = await makeProjects(api)
  side = one.live
  publicKey = (await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key
})
afterAll(async () => {
  await api.close()
  await s3.stop()
})

const getLesson = async (id: string, key = side.key) =>
  (await side.as(key).get<One>(`/lms/lessons/${id}`)).body.data

/** Lets a course begin so many days earlier for somebody who is enrolled. */
const enrolledDaysAgo = (id: string, days: number) =>
  api.owner.query(`update enrollments set enrolled_at = enrolled_at - $2 * interval '1 day' where id = $1`, [
    parseId(enrollmentId, id),
    days,
  ])

describe('a course', () => {
  test('does nothing where it was changed meanwhile, for whoever asks', async () => {
    const { id } = await makeDraft(side)
    const { headers } = await side.admin.get(`/lms/courses/${id}`)
    const change = (title: string) =>
      side.admin.patch<Refused>(
        `/lms/courses/${id}`,
        { title },
        { headers: { 'if-match': headers.etag ?? '' } },
      )
    expect((await change('First')).status).toBe(200)
    const second = await change('Second')
    expect([second.status, second.body.code]).toEqual([412, 'CHANGED_MEANWHILE'])
  })
})

describe('an outline', () => {
  test('is put in another order as a whole, lessons to other modules too', async () => {
    const course = await makeCourse(side, {}, [{ title: 'A' }, { title: 'B' }])
    const second = await makeModule(side, course.id)
    const [a, b] = course.lessons.map(({ id }) => id)
    const order = {
      modules: [
        { id: second.id, lessons: [b] },
        { id: course.moduleId, lessons: [a] },
      ],
    }
    const path = `/lms/courses/${course.id}/reorder`
    const { body } = await side.admin.post<{ data: CourseDetail }>(path, order)
    expect(body.data.modules.map(({ id, lessons }) => [id, lessons[0]?.id])).toEqual([
      [second.id, b],
      [course.moduleId, a],
    ])
    expect((await getCourseDetail(side, course.id)).modules).toEqual(body.data.modules)
    const other = await makeCourse(side)
    for (const wrong of [
      [{ id: second.id, lessons: [a, b] }],
      [
        { id: second.id, lessons: [a] },
        { id: course.moduleId, lessons: [a] },
      ],
      [
        { id: second.id, lessons: [a, b, other.lessons[0]?.id] },
        { id: course.moduleId, lessons: [] },
      ],
    ])
      expect(refusalOf(await side.admin.post<Refused>(path, { modules: wrong }))).toBe('422 VALIDATION_ERROR')
    expect((await getCourseDetail(side, course.id)).modules).toEqual(body.data.modules)
  })

  test('costs the same number of statements whether it has 2 lessons or 200', async () => {
    const statements = async (lessons: number) => {
      const course = await makeCourse(side, {}, [{}])
      await api.owner.query(
        `insert into lessons (project_id, id, course_id, module_id, title, type, completion_rule, position, created_at, updated_at)
         select project_id, gen_random_uuid(), course_id, module_id, title, type, completion_rule, n,
           created_at, updated_at
         from lessons, generate_series(2, $2) as n where id = $1`,
        [parseId(lessonId, course.lessons[0]?.id ?? ''), lessons],
      )
      const { calls } = await roundTrips(() => getCourseDetail(side, course.id))
      const detail = await getCourseDetail(side, course.id)
      expect(detail.modules[0]?.lessons).toHaveLength(lessons)
      return calls
    }
    await statements(2)
    expect(await statements(200)).toBe(await statements(2))
  })

  test('loses an empty module and keeps one with lessons', async () => {
    const course = await makeCourse(side)
    const empty = await makeModule(side, course.id)
    expect((await side.admin.delete(`/lms/modules/${empty.id}`)).status).toBe(200)
    const { body } = await side.admin.delete<Refused>(`/lms/modules/${course.moduleId}`)
    expect(body.code).toBe('MODULE_NOT_EMPTY')
  })
})

/** How many batches of statements go to PostgreSQL while something is done. */
async function roundTrips(work: () => Promise<unknown>): Promise<{ calls: number }> {
  const { pool } = api.deps
  const connect = pool.connect.bind(pool)
  const counted = { calls: 0 }
  pool.connect = (async () => {
    const client = await connect()
    const query = client.query
    client.query = ((...all: unknown[]) => {
      counted.calls += 1
      return Reflect.apply(query, client, all)
    }) as typeof client.query
    const release = client.release
    client.release = (error) => {
      client.query = query
      client.release = release
      return release.call(client, error)
    }
    return client
  }) as typeof pool.connect
  try {
    await work()
  } finally {
    pool.connect = connect
  }
  return counted
}

describe('a lesson', () => {
  test('keeps what is written, its Markdown also as safe HTML', async () => {
    const course = await makeDraft(side)
    const module = await makeModule(side, course.id)
    const made = await makeLesson(side, module.id, {
      title: 'Casting on',
      type: 'video',
      content: 'Take **two**<script>',
      url: 'https://example.com/video.mp4',
      duration_minutes: 2.5,
      required: false,
      drip_days: 7,
    })
    expect(made).toMatchObject({
      course_id: course.id,
      completion_rule: 'percent',
      content: 'Take **two**<script>',
      content_html: '<p>Take <strong>two</strong>&lt;script&gt;</p>\n',
      url: 'https://example.com/video.mp4',
      file: null,
      captions: [],
      locked: null,
    })
    const { body } = await side.admin.patch<One>(`/lms/lessons/${made.id}`, { content: '*new*' })
    expect(body.data).toEqual({
      ...made,
      content: '*new*',
      content_html: '<p><em>new</em></p>\n',
      updated_at: expect.any(String),
    })
  })

  test('takes the rule quiz only where it is one, and no file that there is not', async () => {
    const { moduleId } = await makeCourse(side)
    const refusal = async (wrong: object) => {
      const lesson = { title: 'X', type: 'text', ...wrong }
      const { status, body } = await side.admin.post<Refused>(`/lms/modules/${moduleId}/lessons`, lesson)
      return [status, body.details?.[0]?.field]
    }
    const file_id = 'file_01jcq3k8f7e8qtk4m3hbw7rn2h'
    expect(await refusal({ completion_rule: 'quiz' })).toEqual([422, 'completion_rule'])
    expect(await refusal({ file_id })).toEqual([422, 'file_id'])
    const captions = [{ file_id, language: 'en', label: 'English' }]
    expect(await refusal({ type: 'video', captions })).toEqual([422, 'captions[0].file_id'])
  })

  test('keeps its file and captions, and tells where they are', async () => {
    const { moduleId } = await makeCourse(side)
    const [video, captions] = [await makeFileRow(side), await makeFileRow(side)]
    const caption = { language: 'en', label: 'English' }
    const made = await makeLesson(side, moduleId, {
      type: 'video',
      file_id: video.id,
      captions: [{ ...caption, file_id: captions.id }],
    })
    expect(made.file).toMatchObject({ id: video.id })
    expect(made.captions).toMatchObject([caption])
    expect(JSON.stringify(made.captions)).toContain(captions.id)
    const { body } = await side.admin.patch<One>(`/lms/lessons/${made.id}`, { file_id: null, captions: [] })
    expect(body.data).toMatchObject({ file: null, captions: [] })
  })

  test('shows its body to those who are enrolled, from its day on and until their access ends', async () => {
    const course = await makeCourse(side, {}, [{ content: 'the body', drip_days: 2 }])
    const id = course.lessons[0]?.id ?? ''
    const { token, memberId } = await side.signIn()
    const locked = async (key: string) => {
      const lesson = await getLesson(id, key)
      expect(lesson.content).toBe(lesson.locked === null ? 'the body' : undefined)
      return lesson.locked
    }
    expect(await locked(side.key)).toBeNull()
    expect(await locked(publicKey)).toBe('not_enrolled')
    expect(await locked(token)).toBe('not_enrolled')
    const enrollment = await enroll(side, course.id, memberId)
    expect(await locked(token)).toBe('not_open_yet')
    await enrolledDaysAgo(enrollment.id, 2)
    expect(await locked(token)).toBeNull()
    await api.owner.query(`update enrollments set expires_at = now() where id = $1`, [
      parseId(enrollmentId, enrollment.id),
    ])
    expect(await locked(token)).toBe('ended')
    await side.admin.delete(`/lms/enrollments/${enrollment.id}`)
    expect(await locked(token)).toBe('not_enrolled')
  })

  test('of a draft is no lesson for members and public keys', async () => {
    const course = await makeDraft(side)
    const { id } = await makeLesson(side, (await makeModule(side, course.id)).id)
    const { token } = await side.signIn()
    for (const key of [token, publicKey])
      expect(refusalOf(await side.as(key).get(`/lms/lessons/${id}`))).toBe('404 NOT_FOUND')
  })
})
