import { describe, expect, test } from 'vitest'
import type { Answer, TestApi } from '#testkit/api.ts'
import {
  complete,
  enroll,
  getCourseDetail,
  getEnrollment,
  makeCourse,
  makeDraft,
} from '#testkit/areas/lms.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Course, FullCourse } from './schema.ts'

interface One {
  data: FullCourse
}
interface List {
  data: Course[]
}
interface Refused {
  code: string
  details?: { field: string }[]
}

let api: TestApi
let side: Side
/** A side on which tests of lists find only their own courses. */
let fresh: Side
let publicKey: string

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  fresh = one.test
  publicKey = (await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key
})

const refusal = async (answer: Promise<{ status: number; body: Refused }>) => {
  const { status, body } = await answer
  return [status, body.code, body.details?.[0]?.field]
}

describe('POST /lms/courses', () => {
  test('fills in what is not given', async () => {
    const { status, body } = await side.admin.post<One>('/lms/courses', { title: 'Crème brûlée' })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^crs_[0-9a-z]{26}$/),
        title: 'Crème brûlée',
        slug: 'creme-brulee',
        description: '',
        category: '',
        level: 'beginner',
        duration_hours: 0,
        price: 0,
        currency: 'usd',
        enrolled_count: 0,
        rating: 0,
        rating_count: 0,
        status: 'draft',
        thumbnail_file_id: null,
        access_days: null,
        capacity: null,
        prerequisites: [],
        certificates: true,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    })
  })

  test('finds another slug for the same title, and refuses a slug that is taken', async () => {
    const { slug } = await makeDraft(side, { title: 'Twice' })
    expect((await makeDraft(side, { title: 'Twice' })).slug).toMatch(/^twice-[0-9a-f]{8}$/)
    expect(await refusal(side.admin.post('/lms/courses', { title: 'X', slug }))).toEqual([
      422,
      'SLUG_TAKEN',
      'slug',
    ])
  })

  test('refuses a price with too many decimals, and files and courses that there are not', async () => {
    const id = 'crs_01jcq3k8f7e8qtk4m3hbw7rn3a'
    const file = 'file_01jcq3k8f7e8qtk4m3hbw7rn2h'
    const tries = [
      { price: 1.005 },
      { thumbnail_file_id: file },
      { prerequisites: [id] },
      { prerequisites: ['x'] },
    ]
    for (const wrong of tries) {
      const [status, code] = await refusal(side.admin.post('/lms/courses', { title: 'X', ...wrong }))
      expect([status, code]).toEqual([422, 'VALIDATION_ERROR'])
    }
  })
})

describe('PATCH /lms/courses/{id}', () => {
  test('changes what is given, nothing else', async () => {
    const { id, ...before } = await makeDraft(side, { capacity: 3, price: 5, currency: 'eur' })
    const { body } = await side.admin.patch<One>(`/lms/courses/${id}`, { title: 'New', capacity: null })
    expect(body.data).toEqual({ ...before, id, title: 'New', capacity: null, updated_at: expect.any(String) })
    expect((await side.admin.patch<One>(`/lms/courses/${id}`, {})).body).toEqual(body)
  })

  test('refuses prerequisites in a circle, also when two are written at once', async () => {
    const a = await makeDraft(side)
    const b = await makeDraft(side, { prerequisites: [a.id] })
    const c = await makeDraft(side, { prerequisites: [b.id] })
    const circle = (id: string, of: string) =>
      side.admin.patch<Refused>(`/lms/courses/${id}`, { prerequisites: [of] })
    expect((await circle(a.id, a.id)).body.code).toBe('PREREQUISITE_CIRCLE')
    expect((await circle(a.id, c.id)).body.code).toBe('PREREQUISITE_CIRCLE')
    const [d, e] = [await makeDraft(side), await makeDraft(side)]
    const both = await Promise.all([circle(d.id, e.id), circle(e.id, d.id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

describe('GET /lms/courses', () => {
  test('answers the fields of the contract, of published courses, without `success`', async () => {
    await makeDraft(fresh, { title: 'Hidden' })
    const course = await makeCourse(fresh, {
      title: 'Shown',
      category: 'crafts',
      level: 'advanced',
      price: 12.5,
    })
    const { body } = await fresh.admin.get<List>('/lms/courses')
    expect(body).toEqual({
      data: [
        {
          id: course.id,
          title: 'Shown',
          description: '',
          category: 'crafts',
          level: 'advanced',
          duration_hours: 0,
          price: 12.5,
          enrolled_count: 0,
          rating: 0,
          status: 'published',
        },
      ],
    })
  })

  test('filters by category and level, searches title and description, and shows drafts to keys that ask', async () => {
    await makeCourse(side, {
      title: 'Wool 100%',
      description: 'On sheep',
      category: 'sheep',
      level: 'advanced',
    })
    const titles = async (query: string, key = side.key) =>
      (await side.as(key).get<List>(`/lms/courses?${query}`)).body.data.map(({ title }) => title)
    expect(await titles('category=sheep')).toEqual(['Wool 100%'])
    expect(await titles('search=wool%20100%25&level=advanced', publicKey)).toEqual(['Wool 100%'])
    expect(await titles('search=ON%20SHEEP')).toEqual(['Wool 100%'])
    expect(await titles('category=sheep&level=beginner')).toEqual([])
    expect(await titles('status=draft&search=Twice')).toHaveLength(2)
    expect(refusalOf(await side.as(publicKey).get('/lms/courses?status=draft'))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(refusalOf(await side.admin.get<Refused>('/lms/courses?level=expert'))).toBe(
      '400 INVALID_PARAMETERS',
    )
  })

  test('shows all courses, their currencies and times to a key that asks for them', async () => {
    await makeDraft(side, { title: 'Everything, a draft', currency: 'jpy' })
    await makeCourse(side, { title: 'Everything, published' })
    const answer = (await side.admin.get<List>(
      '/lms/courses?status=all&search=everything&include=currency,created_at',
    )) as Answer<List>
    expect(answer.body.data.map(({ title, currency }) => [title, currency])).toEqual([
      ['Everything, published', 'usd'],
      ['Everything, a draft', 'jpy'],
    ])
    expect(answer.body.data[0]?.created_at).toMatch(/^20/)
    expect(refusalOf(await side.as(publicKey).get('/lms/courses?status=all'))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })

  test('goes on where its Link says, to the end and without doubles', async () => {
    for (let i = 0; i < 5; i++) await makeCourse(side, { category: 'paged' })
    const seen: string[] = []
    let path: string | undefined = '/lms/courses?category=paged&limit=2'
    for (let pages = 0; path !== undefined; pages++) {
      expect(pages).toBeLessThan(4)
      const { body, headers }: Answer<List> = await side.admin.get<List>(path)
      seen.push(...body.data.map(({ id }) => id))
      path = /^<[^>]*\/api\/v1([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
    }
    expect(new Set(seen).size).toBe(5)
    expect(refusalOf(await side.admin.get('/lms/courses?cursor=nonsense'))).toBe('400 INVALID_PARAMETERS')
  })
})

describe('GET /lms/courses/{id}', () => {
  test('shows the outline in its order, without bodies', async () => {
    const course = await makeCourse(side, {}, [
      { title: 'A', content: 'secret body' },
      { title: 'B', type: 'video' },
    ])
    const detail = await getCourseDetail(side, course.id, publicKey)
    expect(detail.modules.map(({ lessons }) => lessons.map(({ title }) => title))).toEqual([['A', 'B']])
    expect(detail.modules[0]?.lessons[1]).toEqual({
      id: course.lessons[1]?.id,
      title: 'B',
      type: 'video',
      duration_minutes: null,
      completion_rule: 'percent',
      required: true,
      drip_days: 0,
      quiz_id: null,
    })
    expect(JSON.stringify(detail)).not.toContain('secret body')
    expect(detail.enrollment).toBeUndefined()
  })

  test('tells a member how far they are, and shows them an archived course that they are in', async () => {
    const course = await makeCourse(side, {}, [{}, { drip_days: 3 }])
    const { token, memberId } = await side.signIn()
    expect((await getCourseDetail(side, course.id, token)).enrollment).toBeNull()
    const enrollment = await enroll(side, course.id, memberId)
    await complete(side, enrollment, course.lessons.slice(0, 1))
    await side.admin.post(`/lms/courses/${course.id}/archive`)
    const detail = await getCourseDetail(side, course.id, token)
    expect(detail.enrollment).toMatchObject({ id: enrollment.id, status: 'active', progress_percentage: 50 })
    const opens = new Date(Date.parse(enrollment.enrolled_at) + 3 * 86_400_000).toISOString()
    expect(detail.modules[0]?.lessons).toMatchObject([
      { is_completed: true, progress_percentage: 100, opens_at: enrollment.enrolled_at },
      { is_completed: false, progress_percentage: 0, opens_at: opens },
    ])
    const stranger = await side.signIn()
    expect(refusalOf(await side.as(stranger.token).get(`/lms/courses/${course.id}`))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.as(publicKey).get(`/lms/courses/${course.id}`))).toBe('404 NOT_FOUND')
  })
})

describe('what becomes of a course', () => {
  test('publishing is announced once, and archiving takes it out of the list', async () => {
    const { id } = await makeDraft(side, { category: 'once' })
    for (let i = 0; i < 2; i++) await side.admin.post(`/lms/courses/${id}/publish`)
    const { rows } = await api.owner.query(
      `select 1 from events where type = 'course.published' and payload ->> 'id' = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    await side.admin.post(`/lms/courses/${id}/archive`)
    expect((await side.admin.get<List>('/lms/courses?category=once')).body.data).toEqual([])
  })

  test('it can be deleted while nobody was enrolled, and not afterwards', async () => {
    const unused = await makeCourse(side)
    expect((await side.admin.delete(`/lms/courses/${unused.id}`)).status).toBe(200)
    expect(refusalOf(await side.admin.get(`/lms/courses/${unused.id}`))).toBe('404 NOT_FOUND')
    const used = await makeCourse(side)
    const { id } = await enroll(side, used.id)
    await side.admin.delete(`/lms/enrollments/${id}`)
    expect((await side.admin.delete<Refused>(`/lms/courses/${used.id}`)).body.code).toBe('COURSE_IN_USE')
    expect((await getEnrollment(side, id)).status).toBe('canceled')
  })
})
