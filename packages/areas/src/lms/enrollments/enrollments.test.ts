import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { type RunningWorker, startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps, type WorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { complete, enroll, getEnrollment, makeCourse, makeLesson, makeModule } from '#testkit/areas/lms.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import type { Lesson } from '../outline/schema.ts'
import { recomputeCourse, removeLesson } from '../recompute-course.job.ts'
import type { Enrollment } from './schema.ts'

interface One {
  data: Enrollment
  code?: string
}

const DAY = 86_400_000

let api: TestApi
let side: Side
/** The side whose clock is moved. */
let clocked: Side
let worker: RunningWorker
let workerDeps: WorkerDeps

beforeAll(async () => {
  api = await startApi()
  const [one] = await makeProjects(api)
  side = one.live
  clocked = one.test
  workerDeps = makeWorkerDeps(api.config, makeLog('silent', 'worker'))
  worker = startWorker({
    deps: workerDeps,
    areas,
    background: {
      jobs: [recomputeCourse, removeLesson],
      consumers: [],
      fanOuts: [],
      sweeps: [],
      schedules: [],
    },
    lanes: ['default'],
    finishMs: 2_000,
  })
})
afterAll(async () => {
  await worker.stop()
  await workerDeps.close()
  await api.close()
})

const post = (course: string, member: string, more: object = {}, at = side) =>
  at.admin.post<One>('/lms/enrollments', { course_id: course, student_id: member, ...more })
const patch = (id: string, changes: object) => side.admin.patch<One>(`/lms/enrollments/${id}`, changes)
const announced = async (id: string, type: string) => {
  const { rows } = await api.owner.query<{ times: number }>(
    `select count(*)::int as times from events where type = $2 and (payload ->> 'id' = $1 or payload ->> 'enrollment_id' = $1)`,
    [id, type],
  )
  return rows[0]?.times
}

describe('a course with a capacity', () => {
  test('gives its last places to as many as there are, however many enroll at once', async () => {
    const course = await makeCourse(side, { capacity: 2 })
    const members = await Promise.all(Array.from({ length: 6 }, () => side.makeMember()))
    const answers = await Promise.all(members.map(({ id }) => post(course.id, id)))
    const outcomes = answers.map(({ status, body }) => (status === 201 ? 'enrolled' : body.code))
    expect(outcomes.filter((outcome) => outcome === 'enrolled')).toHaveLength(2)
    expect(outcomes.filter((outcome) => outcome === 'COURSE_FULL')).toHaveLength(4)
    // Who is done leaves a place, and so does who leaves.
    const [first, second] = answers.flatMap(({ body, status }) => (status === 201 ? body.data : []))
    await complete(side, first as Enrollment, course.lessons)
    await side.admin.delete(`/lms/enrollments/${second?.id}`)
    const others = members.filter(({ id }) => ![first?.student_id, second?.student_id].includes(id))
    const again = await Promise.all(others.map(({ id }) => post(course.id, id)))
    expect(again.filter(({ status }) => status === 201)).toHaveLength(2)
    expect((await patch(second?.id ?? '', { status: 'active' })).body.code).toBe('COURSE_FULL')
  })

  test('lets nobody back in over a place that somebody else has, by a later end either', async () => {
    const course = await makeCourse(side, { capacity: 1 })
    const { id } = await enroll(side, course.id)
    await patch(id, { expires_at: new Date(Date.now() - 1_000).toISOString() })
    expect((await getEnrollment(side, id)).status).toBe('expired')
    const other = await enroll(side, course.id)
    const later = { expires_at: new Date(Date.now() + DAY).toISOString() }
    expect((await patch(id, later)).body.code).toBe('COURSE_FULL')
    expect((await getEnrollment(side, id)).status).toBe('expired')
    await side.admin.delete(`/lms/enrollments/${other.id}`)
    expect((await patch(id, later)).body.data.status).toBe('active')
    // Who has a place keeps it.
    expect((await patch(id, { expires_at: null })).body.data.status).toBe('active')
  })
})

test('a course opens to those who have completed all that it requires', async () => {
  const [one, two] = [await makeCourse(side), await makeCourse(side)]
  const course = await makeCourse(side, { prerequisites: [one.id, two.id] })
  const { id } = await side.makeMember()
  expect((await post(course.id, id)).body.code).toBe('PREREQUISITES_MISSING')
  await complete(side, await enroll(side, one.id, id), one.lessons)
  const second = await enroll(side, two.id, id)
  expect((await post(course.id, id)).body.code).toBe('PREREQUISITES_MISSING')
  await complete(side, second, two.lessons)
  expect((await post(course.id, id)).status).toBe(201)
})

test('access ends by the clock of the test side, is announced once, and goes on where it ended', async () => {
  const course = await makeCourse(clocked, { access_days: 10 }, [{}, { drip_days: 5, content: 'later' }])
  const { token, memberId } = await clocked.signIn()
  const { id, enrolled_at, expires_at } = await enroll(clocked, course.id, memberId)
  const start = Date.parse(enrolled_at)
  expect(Date.parse(expires_at ?? '') - start).toBe(10 * DAY)
  // As rows that have parts of a millisecond do.
  await api.owner.query(
    `update enrollments set expires_at = expires_at + interval '0.4 milliseconds' where expires_at is not null`,
  )
  const advance = (days: number) =>
    clocked.admin.post('/test-clock/advance', { to: new Date(start + days * DAY).toISOString() })
  const shown = async () =>
    (await clocked.as(token).get<{ data: Lesson }>(`/lms/lessons/${course.lessons[1]?.id}`)).body.data.locked
  const progress = (index: number) =>
    clocked.as(token).post<{ code?: string }>('/lms/progress', {
      course_id: course.id,
      lesson_id: course.lessons[index]?.id,
      completed: true,
    })
  expect(await shown()).toBe('not_open_yet')
  expect((await progress(0)).status).toBe(200)
  await advance(5)
  expect(await shown()).toBeNull()
  await advance(9.99)
  expect((await getEnrollment(clocked, id)).status).toBe('active')
  for (const days of [10.01, 40]) await advance(days)
  expect((await getEnrollment(clocked, id)).status).toBe('expired')
  expect(await shown()).toBe('ended')
  expect((await progress(1)).body.code).toBe('ENROLLMENT_ENDED')
  expect(await announced(id, 'enrollment.expired')).toBe(1)
  // The same enrollment, with what was done in it.
  const again = await post(course.id, memberId, {}, clocked)
  expect(again.body.data).toMatchObject({ id, status: 'active', progress_percentage: 50 })
})

describe('an outline that changes', () => {
  test('is counted for those who were canceled or expired meanwhile, when they are let in again', async () => {
    const ended = () => new Date(Date.now() - 1_000).toISOString()
    const close: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      canceled: (id) => side.admin.delete(`/lms/enrollments/${id}`),
      expired: async (id) => {
        await patch(id, { expires_at: ended() })
        await api.owner.query(
          "update enrollments set status = 'expired' where expires_at < now() and status = 'active'",
        )
      },
    }
    const open: Readonly<Record<string, (of: Enrollment) => Promise<unknown>>> = {
      'by enrolling again': (of) => post(of.course_id, of.student_id),
      'by its status': (of) => patch(of.id, { status: 'active' }),
      'by a later end': (of) => patch(of.id, { expires_at: null }),
    }
    for (const [closed, how] of [
      ['canceled', 'by enrolling again'],
      ['canceled', 'by its status'],
      ['expired', 'by enrolling again'],
      ['expired', 'by a later end'],
    ] as const) {
      const course = await makeCourse(side, {}, [{}, {}])
      const [half, none] = [await enroll(side, course.id), await enroll(side, course.id)]
      await complete(side, half, course.lessons.slice(0, 1))
      for (const { id } of [half, none]) await close[closed]?.(id)
      await side.admin.delete(`/lms/lessons/${course.lessons[1]?.id}`)
      const left = () => api.owner.query('select from lessons where deleted_at is not null')
      await expect.poll(async () => (await left()).rowCount).toBe(0)
      for (const enrollment of [half, none]) await open[how]?.(enrollment)
      const [done, begun] = [await getEnrollment(side, half.id), await getEnrollment(side, none.id)]
      expect([closed, how, done.status, done.progress_percentage]).toEqual([closed, how, 'completed', 100])
      expect(done.certificate_id).toMatch(/^cert_/)
      expect([begun.status, begun.progress_percentage]).toEqual(['active', 0])
      for (const type of ['enrollment.completed', 'certificate.issued'])
        expect(await announced(half.id, type)).toBe(1)
    }
  })

  test('never completes an enrollment that is canceled', async () => {
    const course = await makeCourse(side, {}, [{}, {}])
    const { id, ...enrollment } = await enroll(side, course.id)
    await complete(side, { id, ...enrollment }, course.lessons.slice(0, 1))
    await side.admin.delete(`/lms/enrollments/${id}`)
    await side.admin.delete(`/lms/lessons/${course.lessons[1]?.id}`)
    await patch(id, { expires_at: null })
    expect(await getEnrollment(side, id)).toMatchObject({ status: 'canceled', certificate_id: null })
  })

  test('completes those who have done all that is left, once, and takes a completed course from nobody', async () => {
    const course = await makeCourse(side, {}, [{}, {}])
    const [done, half] = [await enroll(side, course.id), await enroll(side, course.id)]
    await complete(side, done, course.lessons)
    await complete(side, half, course.lessons.slice(0, 1))
    const certified = await getEnrollment(side, done.id)
    const added = await makeLesson(side, (await makeModule(side, course.id)).id)
    await expect.poll(async () => (await getEnrollment(side, half.id)).progress_percentage).toBe(33)
    expect(await getEnrollment(side, done.id)).toEqual(certified)
    for (const { id } of [course.lessons[1] as Lesson, added])
      expect((await side.admin.delete(`/lms/lessons/${id}`)).status).toBe(200)
    await expect.poll(async () => (await getEnrollment(side, half.id)).status).toBe('completed')
    expect((await getEnrollment(side, half.id)).certificate_id).toMatch(/^cert_/)
    for (const { id } of [done, half])
      for (const type of ['enrollment.completed', 'certificate.issued'])
        expect(await announced(id, type)).toBe(1)
    expect(await getEnrollment(side, done.id)).toEqual(certified)
    // The job removes the lessons themselves last.
    const left = () => api.owner.query('select from lessons where deleted_at is not null')
    await expect.poll(async () => (await left()).rowCount).toBe(0)
  })
})
