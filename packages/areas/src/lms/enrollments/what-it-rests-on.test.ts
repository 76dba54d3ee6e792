import { beforeEach, describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import type { TestApi } from '#testkit/api.ts'
import { complete, enroll, getEnrollment, makeCourse } from '#testkit/areas/lms.ts'
import { advance } from '#testkit/areas/money/payments.ts'
import { makeProduct } from '#testkit/areas/money/shop.ts'
import { type Client, makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import type { Lesson } from '../outline/schema.ts'
import { followPlanFeatures } from './follow-features.job.ts'
import type { Enrollment } from './schema.ts'

// An enrollment ends with what it rests on: an order line, a feature, a key's word, or that the course was free.

interface One {
  data: Enrollment
  code?: string
}

const DAY = 86_400_000

let api: TestApi
/** The side whose clock is moved. */
let side: Side
let member: Client
let memberId: string

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
  },
)
beforeEach(async () => {
  side = (await makeProjects(api))[0].test
  const signedIn = await side.signIn()
  memberId = signedIn.memberId
  member = side.as(signedIn.token)
})

const now = async () =>
  Date.parse((await side.admin.get<{ data: { now: string } }>('/test-clock')).body.data.now)
const inDays = async (days: number) => new Date((await now()) + days * DAY).toISOString()
const post = (client: Client, course_id: string, more: object = {}) =>
  client.post<One>('/lms/enrollments', { course_id, student_id: memberId, ...more })
const own = async (course: string) => {
  const { body } = await side.admin.get<{ data: { id: string; course_id: string }[] }>(
    `/lms/enrollments?student_id=${memberId}`,
  )
  const found = body.data.find(({ course_id }) => course_id === course)
  return found && getEnrollment(side, found.id)
}
const daysLeft = ({ expires_at, enrolled_at }: Enrollment) =>
  expires_at === null ? null : (Date.parse(expires_at) - Date.parse(enrolled_at)) / DAY
const lockOf = async (lesson: Lesson | undefined) =>
  (await member.get<{ data: Lesson }>(`/lms/lessons/${lesson?.id}`)).body.data.locked
const checkOut = async (product_id: string) => {
  await member.post('/shop/cart', { product_id })
  return (await member.post<{ data: { id: string } }>('/shop/checkout', {})).body.data.id
}
const buy = async (product_id: string) => {
  const id = await checkOut(product_id)
  expect((await side.admin.post(`/shop/orders/${id}/mark-paid`)).status).toBe(200)
  return id
}
const refund = (order: string) => side.admin.post(`/shop/orders/${order}/refund`)
const leave = (id: string, client = member) => client.delete(`/lms/enrollments/${id}`)

/** A worker for the jobs of courses. */
async function startLmsWorker(): Promise<{ stop(): Promise<void> }> {
  const deps = makeWorkerDeps(api.config, makeLog('silent', 'worker'))
  const none = { consumers: [], fanOuts: [], sweeps: [], schedules: [] }
  const background = { jobs: [followPlanFeatures], ...none }
  const worker = startWorker({ deps, areas, background, lanes: ['default'], finishMs: 2_000 })
  return {
    stop: async () => {
      await worker.stop()
      await deps.close()
    },
  }
}

describe('a free course', () => {
  test('ends when it would have ended, however often a member leaves it and enrolls again', async () => {
    const course = await makeCourse(side, { access_days: 10 })
    const { id, basis } = (await post(member, course.id)).body.data
    expect(basis).toBe('free')
    await advance(side, { days: 4 })
    await leave(id)
    const again = await post(member, course.id)
    expect([again.status, daysLeft(again.body.data)]).toEqual([201, 10])
    await advance(side, { days: 7 })
    expect((await getEnrollment(side, id)).status).toBe('expired')
    expect((await post(member, course.id)).body.code).toBe('ENROLLMENT_ENDED')
    await leave(id)
    expect((await post(member, course.id)).body.code).toBe('ENROLLMENT_ENDED')
    expect((await post(side.admin, course.id)).status).toBe(201)
  })

  test('stays with who is enrolled when a price is set later, also after leaving', async () => {
    const course = await makeCourse(side)
    const { id } = (await post(member, course.id)).body.data
    await side.admin.patch(`/lms/courses/${course.id}`, { price: 30 })
    expect(await lockOf(course.lessons[0])).toBeNull()
    await leave(id)
    expect((await post(member, course.id)).body.data).toMatchObject({ id, basis: 'free', status: 'active' })
  })
})

describe('an end that a key has set', () => {
  test.each(['enrolling', 'a change'])('by %s is not escaped by leaving and enrolling again', async (how) => {
    const course = await makeCourse(side, { access_days: 100 })
    const expires_at = await inDays(3)
    const { id } =
      how === 'enrolling'
        ? (await post(side.admin, course.id, { expires_at })).body.data
        : (await post(member, course.id)).body.data
    if (how !== 'enrolling') await side.admin.patch(`/lms/enrollments/${id}`, { expires_at })
    await leave(id)
    expect((await post(member, course.id)).body.data).toMatchObject({ id, expires_at })
    await advance(side, { days: 4 })
    expect((await post(member, course.id)).body.code).toBe('ENROLLMENT_ENDED')
    expect(await lockOf(course.lessons[0])).toBe('ended')
  })

  test.each([
    ['canceled by a key', async (id: string) => leave(id, side.admin)],
    ['left by the member', async (id: string) => leave(id)],
    [
      'canceled by a change',
      async (id: string) => side.admin.patch(`/lms/enrollments/${id}`, { status: 'canceled' }),
    ],
  ])('while the enrollment is %s is answered, and counts when it is opened again', async (_how, cancel) => {
    const course = await makeCourse(side, { access_days: 100 })
    const { id } = (await post(member, course.id)).body.data
    const path = `/lms/enrollments/${id}`
    await cancel(id)
    const ends = [await inDays(3), await inDays(5), null]
    for (const expires_at of ends) {
      for (const more of [{}, { status: 'canceled' }]) {
        const changed = await side.admin.patch<One>(path, { expires_at, ...more })
        expect([changed.status, changed.body.data]).toMatchObject([200, { status: 'canceled', expires_at }])
      }
      expect(await lockOf(course.lessons[0])).not.toBeNull()
      const opened = await side.admin.patch<One>(path, { status: 'active' })
      expect(opened.body.data).toMatchObject({ status: 'active', expires_at })
      await cancel(id)
    }
    // An end that is over is none that could count.
    await side.admin.patch(path, { expires_at: await inDays(2) })
    await advance(side, { days: 3 })
    const opened = await side.admin.patch<One>(path, { status: 'active' })
    expect(opened.body.data.status).toBe('active')
    const end = Date.parse(opened.body.data.expires_at ?? '')
    expect(end).toBeGreaterThan((await now()) + 99 * DAY)
  })

  test('does not end what is bought afterwards, and counts again when that is refunded', async () => {
    const course = await makeCourse(side, { price: 30 })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id, days: 50 } })
    await buy(product.id)
    const { id } = (await own(course.id)) as Enrollment
    const expires_at = await inDays(10)
    await side.admin.patch(`/lms/enrollments/${id}`, { expires_at })
    expect(await getEnrollment(side, id)).toMatchObject({ expires_at, basis: 'order_line' })
    const later = await makeProduct(side, { price: 30, grants: { course_id: course.id } })
    const order = await buy(later.id)
    expect(await getEnrollment(side, id)).toMatchObject({ expires_at: null, basis: 'order_line' })
    await refund(order)
    expect(await getEnrollment(side, id)).toMatchObject({ expires_at, status: 'active' })
  })

  test('that is later than the end of a pass counts, until the pass is refunded', async () => {
    const course = await makeCourse(side, { price: 30 })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id, days: 5 } })
    await buy(product.id)
    const { id } = (await own(course.id)) as Enrollment
    await side.admin.patch(`/lms/enrollments/${id}`, { expires_at: await inDays(20) })
    await advance(side, { days: 10 })
    expect((await getEnrollment(side, id)).status).toBe('active')
    expect(await lockOf(course.lessons[0])).toBeNull()
    await advance(side, { days: 11 })
    expect((await getEnrollment(side, id)).status).toBe('expired')
  })
})

describe('what was bought', () => {
  test('closes with a full refund, also after the member has left and enrolled again', async () => {
    const course = await makeCourse(side, { price: 30 })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id } })
    const order = await buy(product.id)
    const { id } = (await own(course.id)) as Enrollment
    await leave(id)
    expect((await post(member, course.id)).body.data).toMatchObject({ id, basis: 'order_line' })
    await refund(order)
    expect((await getEnrollment(side, id)).status).toBe('canceled')
    expect(await lockOf(course.lessons[0])).not.toBeNull()
    expect(refusalOf(await post(member, course.id))).toBe('403 INSUFFICIENT_PERMISSIONS')
    await buy(product.id)
    expect(await getEnrollment(side, id)).toMatchObject({ status: 'active', basis: 'order_line' })
  })

  test('closes the lessons of a completed course with a refund; its certificate and the completion stay', async () => {
    const course = await makeCourse(side, { price: 30 })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id } })
    const order = await buy(product.id)
    const enrollment = (await own(course.id)) as Enrollment
    await complete(side, enrollment, course.lessons)
    await refund(order)
    const after = await getEnrollment(side, enrollment.id)
    expect(after).toMatchObject({ status: 'completed', progress_percentage: 100 })
    expect(after.certificate_id).toMatch(/^cert_/)
    expect(await lockOf(course.lessons[0])).toBe('ended')
  })

  test('is closed after a refund, however that meets a member who leaves and enrolls again', async () => {
    const course = await makeCourse(side, { price: 30 })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id } })
    for (let round = 0; round < 6; round++) {
      const order = await buy(product.id)
      const { id } = (await own(course.id)) as Enrollment
      await leave(id)
      const [enrolled, refunded] = await Promise.all([post(member, course.id), refund(order)])
      expect([[201, 403].includes(enrolled.status), refunded.status]).toEqual([true, 200])
      expect((await getEnrollment(side, id)).status).toBe('canceled')
      expect(await lockOf(course.lessons[0])).not.toBeNull()
    }
  })

  test('keeps its end when the member leaves and enrolls again', async () => {
    const course = await makeCourse(side, { price: 30 })
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id, days: 30 } })
    await buy(product.id)
    const before = (await own(course.id)) as Enrollment
    await advance(side, { days: 10 })
    await leave(before.id)
    expect((await post(member, course.id)).body.data.expires_at).toBe(before.expires_at)
  })
})

describe('a course of a plan', () => {
  const makePlan = (slug: string) =>
    side.makePlan({ name: 'Club', rank: 5, price: 9, features: [`course:${slug}`], visibility: 'public' })
  const setPlan = async (plan_id: string | null) =>
    expect((await side.admin.patch(`/members/${memberId}`, { plan_id })).status).toBe(200)

  test('closes when the plan ends, and is open again with its progress when the plan comes back', async () => {
    const course = await makeCourse(side, { price: 30 }, [{}, {}])
    const plan = await makePlan(course.slug)
    expect(refusalOf(await post(member, course.id))).toBe('403 INSUFFICIENT_PERMISSIONS')
    await setPlan(plan.id)
    const enrollment = (await post(member, course.id)).body.data
    expect(enrollment.basis).toBe('feature')
    await complete(side, enrollment, course.lessons.slice(0, 1))
    await setPlan(null)
    expect((await getEnrollment(side, enrollment.id)).status).toBe('expired')
    expect(await lockOf(course.lessons[1])).toBe('ended')
    expect(refusalOf(await post(member, course.id))).toBe('403 INSUFFICIENT_PERMISSIONS')
    await setPlan(plan.id)
    expect(await getEnrollment(side, enrollment.id)).toMatchObject({
      status: 'active',
      progress_percentage: 50,
    })
    await leave(enrollment.id)
    await setPlan(null)
    await setPlan(plan.id)
    expect((await getEnrollment(side, enrollment.id)).status).toBe('canceled')
  })

  test('closes when the plan no longer has the feature, and opens when it has it again', async () => {
    const course = await makeCourse(side, { price: 30 })
    const plan = await makePlan(course.slug)
    await setPlan(plan.id)
    const { id } = (await post(member, course.id)).body.data
    const status = async () => (await getEnrollment(side, id)).status
    const worker = await startLmsWorker()
    try {
      await side.admin.patch(`/plans/${plan.id}`, { features: [] })
      await expect.poll(status, SOON).toBe('expired')
      await side.admin.patch(`/plans/${plan.id}`, { features: plan.features })
      await expect.poll(status, SOON).toBe('active')
    } finally {
      await worker.stop()
    }
  })

  test('closes while a subscription pauses, and is open again with its progress when it resumes', async () => {
    const course = await makeCourse(side, { price: 30 }, [{}, {}])
    const plan = await makePlan(course.slug)
    const { body } = await side.admin.post<{ data: { id: string } }>('/subscriptions', {
      member_id: memberId,
      plan_id: plan.id,
    })
    const bills = await side.admin.get<{ data: { id: string }[] }>(`/bills?member_id=${memberId}`)
    await side.admin.post(`/bills/${bills.body.data[0]?.id}/mark-paid`)
    const enrollment = (await post(member, course.id)).body.data
    await complete(side, enrollment, course.lessons.slice(0, 1))
    expect((await side.admin.post(`/subscriptions/${body.data.id}/pause`)).status).toBe(200)
    expect((await getEnrollment(side, enrollment.id)).status).toBe('expired')
    expect((await side.admin.post(`/subscriptions/${body.data.id}/resume`)).status).toBe(200)
    expect(await getEnrollment(side, enrollment.id)).toMatchObject({
      status: 'active',
      progress_percentage: 50,
    })
    await side.admin.post(`/subscriptions/${body.data.id}/cancel`, { at: 'now' })
    expect((await getEnrollment(side, enrollment.id)).status).toBe('expired')
  })
})

describe('whom a key has removed', () => {
  test.each(['deleting', 'canceling'])('by %s comes back by a key alone', async (how) => {
    const course = await makeCourse(side)
    const product = await makeProduct(side, { price: 30, grants: { course_id: course.id } })
    const { id } = (await post(member, course.id)).body.data
    const order = await checkOut(product.id)
    if (how === 'deleting') await leave(id, side.admin)
    else await side.admin.patch(`/lms/enrollments/${id}`, { status: 'canceled' })
    expect(refusalOf(await post(member, course.id))).toBe('403 INSUFFICIENT_PERMISSIONS')
    // Money that comes after the removal is taken, and opens nothing.
    expect((await side.admin.post(`/shop/orders/${order}/mark-paid`)).status).toBe(200)
    expect((await getEnrollment(side, id)).status).toBe('canceled')
    expect(refusalOf(await post(member, course.id))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect((await enroll(side, course.id, memberId)).id).toBe(id)
    await leave(id)
    expect((await post(member, course.id)).status).toBe(201)
  })
})
