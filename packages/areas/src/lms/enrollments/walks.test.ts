import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { complete, getEnrollment, type MadeCourse, makeCourse } from '#testkit/areas/lms.ts'
import { advance } from '#testkit/areas/money/payments.ts'
import { makeProduct } from '#testkit/areas/money/shop.ts'
import { type Client, makeProjects, type Side } from '#testkit/factories.ts'
import { withApi } from '#testkit/with-api.ts'
import type { Lesson } from '../outline/schema.ts'
import type { Enrollment } from './schema.ts'

// Whatever a member, keys, orders, a plan and time do to an enrollment, it is open exactly as long as the rules say: each
// step is compared with a model that counts in days.

const COURSE_DAYS = 10
const PASS_DAYS = 5
const DAY = 86_400_000
const NEVER = Number.POSITIVE_INFINITY

interface Line {
  /** Of a pass; an order line without an end of its own ends by the course. */
  readonly isPass: boolean
  begins: number
  ends: number
  capped: boolean
}

/** The rules, in days. */
class Model {
  day = 0
  price = 0
  hasPlan = false
  isEnrolled = false
  isCompleted = false
  closedBy: 'member' | 'key' | undefined
  lines = new Map<number, Line>()
  free: number | undefined
  key: number | undefined
  feature: number | undefined
  /** The end that a key has set. */
  cap: number | undefined

  /** When it ends; -1: it rests on nothing. */
  get end(): number {
    const capped = (end: number | undefined) => (end === undefined ? -1 : (this.cap ?? end))
    const ends = [capped(this.free), capped(this.key), this.hasPlan ? capped(this.feature) : -1]
    let reach = this.day
    for (const line of [...this.lines.values()].sort((a, b) => a.begins - b.begins)) {
      const end = line.capped ? (this.cap ?? line.ends) : line.ends
      if (line.begins > reach) break
      if (end > this.day) reach = Math.max(reach, end)
      ends.push(end)
    }
    return Math.max(...ends)
  }
  get isOpen(): boolean {
    return this.isEnrolled && this.closedBy === undefined && this.end > this.day
  }
  get live(): Line[] {
    return [...this.lines.values()].filter(({ ends }) => ends > this.day)
  }

  /** What is so after every step: a feature counts from when it first opened the course, and what is over is forgotten. */
  recompute(): void {
    if (this.isEnrolled && this.hasPlan) this.feature ??= this.day + COURSE_DAYS
    for (const [order, { ends, capped }] of this.lines)
      if (ends <= this.day && !(capped && this.cap !== undefined)) this.lines.delete(order)
  }

  setEnd(end: number): void {
    for (const line of this.live) line.capped = true
    this.cap = end
  }
  openByKey(end: number | undefined): void {
    this.isEnrolled = true
    this.closedBy = undefined
    this.key = end ?? this.day + COURSE_DAYS
    this.cap = undefined
    for (const line of this.lines.values()) line.capped = false
    if (end !== undefined) this.setEnd(end)
  }
  buy(order: number, isPass: boolean): void {
    const passes = this.live.filter((line) => line.isPass)
    const begins = isPass ? Math.max(this.day, ...passes.map(({ ends }) => ends)) : this.day
    const ends = begins + (isPass ? PASS_DAYS : COURSE_DAYS)
    this.lines.set(order, { isPass, begins, ends, capped: false })
    this.isEnrolled = true
    if (this.closedBy === 'member') this.closedBy = undefined
  }
  refund(order: number): void {
    const refunded = this.lines.get(order)
    this.lines.delete(order)
    if (!refunded?.isPass || refunded.ends <= this.day) return
    // Passes that follow begin that much earlier.
    let reach = this.day
    const passes = this.live.filter((line) => line.isPass).sort((a, b) => a.begins - b.begins)
    for (const pass of passes) {
      if (pass.begins > this.day) {
        pass.begins = reach
        pass.ends = reach + PASS_DAYS
      }
      reach = Math.max(reach, pass.ends)
    }
  }
  /** The status of the answer to a member who enrolls. */
  enroll(): number {
    if (this.isOpen || (this.isCompleted && this.closedBy === undefined)) return 422
    if (this.closedBy === 'key') return 403
    const isFirst = this.free === undefined && this.key === undefined && this.cap === undefined
    const before = { isEnrolled: this.isEnrolled, feature: this.feature }
    this.isEnrolled = true
    this.recompute()
    if (this.end <= this.day && this.price === 0 && isFirst) this.free = this.day + COURSE_DAYS
    if (this.end > this.day) {
      this.closedBy = undefined
      return 201
    }
    Object.assign(this, before)
    return this.price === 0 || this.hasPlan || this.live.length > 0 ? 422 : 403
  }
}

const end = fc.option(fc.nat(15), { nil: null, freq: 5 })
const act = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'enroll' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'leave' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('enroll by key' as const),
      end: fc.option(end, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove by key' as const), patch: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set end' as const), end }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reopen' as const), end: fc.option(end, { nil: undefined }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('buy' as const), isPass: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), nth: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('plan' as const), has: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('price' as const), price: fc.constantFrom(0, 30) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'complete' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 6 }) }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

let api: TestApi

withApi((opened) => {
  api = opened
})

/** A member, a course and what gives it, beside their model. */
class Walk {
  readonly model = new Model()
  readonly orders: string[] = []
  id = ''
  readonly side: Side
  readonly member: Client
  readonly memberId: string
  readonly course: MadeCourse
  readonly plan: string
  readonly products: readonly [pass: string, forever: string]

  private constructor(made: Pick<Walk, 'side' | 'member' | 'memberId' | 'course' | 'plan' | 'products'>) {
    this.side = made.side
    this.member = made.member
    this.memberId = made.memberId
    this.course = made.course
    this.plan = made.plan
    this.products = made.products
  }
  static async begin(): Promise<Walk> {
    const side = (await makeProjects(api))[0].test
    const { token, memberId } = await side.signIn()
    const course = await makeCourse(side, { access_days: COURSE_DAYS })
    const plan = await side.makePlan({ name: 'Club', rank: 5, price: 9, features: [`course:${course.slug}`] })
    const make = async (more: object) =>
      (await makeProduct(side, { price: 30, grants: { course_id: course.id, ...more } })).id
    const products = [await make({ days: PASS_DAYS }), await make({})] as const
    return new Walk({ side, member: side.as(token), memberId, course, plan: plan.id, products })
  }

  /** The model's day, or never, as the time that is sent. */
  async #at(day: number | null | undefined): Promise<string | null | undefined> {
    if (day === null || day === undefined) return day
    const { body } = await this.side.admin.get<{ data: { now: string } }>('/test-clock')
    return new Date(Date.parse(body.data.now) + (day - this.model.day) * DAY).toISOString()
  }
  #endOf(act: { end?: number | null | undefined }): number | undefined {
    if (act.end === undefined) return undefined
    return act.end === null ? NEVER : this.model.day + act.end
  }

  async perform(act: Act): Promise<void> {
    const { model, side, member, course, memberId: student_id } = this
    const path = `/lms/enrollments/${this.id}`
    const post = (client: Client, more: object = {}) =>
      client.post<{ data: Enrollment }>('/lms/enrollments', { course_id: course.id, student_id, ...more })
    const until =
      'end' in act
        ? await this.#at(act.end === undefined || act.end === null ? act.end : model.day + act.end)
        : undefined
    switch (act.kind) {
      case 'enroll':
        expect((await post(member)).status).toBe(model.enroll())
        break
      case 'leave':
      case 'remove by key': {
        if (!model.isEnrolled) break
        const isLeaving = act.kind === 'leave'
        if (!isLeaving && act.patch)
          expect((await side.admin.patch(path, { status: 'canceled' })).status).toBe(200)
        else if ((await (isLeaving ? member : side.admin).delete(path)).status !== 200) break
        model.closedBy = isLeaving ? 'member' : 'key'
        break
      }
      case 'enroll by key': {
        const isRefused = model.isOpen || (model.isCompleted && model.closedBy === undefined)
        const { status } = await post(side.admin, until === undefined ? {} : { expires_at: until })
        expect(status).toBe(isRefused ? 422 : 201)
        if (!isRefused) model.openByKey(this.#endOf(act))
        break
      }
      case 'reopen':
        if (!model.isEnrolled || model.isOpen) break
        await side.admin.patch(path, { status: 'active', ...(until !== undefined && { expires_at: until }) })
        model.openByKey(this.#endOf(act))
        break
      case 'set end': {
        if (!model.isEnrolled) break
        const isCanceled = (await getEnrollment(side, this.id)).status === 'canceled'
        expect((await side.admin.patch(path, { expires_at: until })).status).toBe(200)
        model.setEnd(this.#endOf(act) ?? NEVER)
        if (model.end <= model.day && !isCanceled) model.key = model.cap
        break
      }
      case 'buy': {
        const added = await member.post('/shop/cart', { product_id: this.products[act.isPass ? 0 : 1] })
        if (model.closedBy === 'key') {
          expect(added).toMatchObject({ status: 422, body: { code: 'REMOVED_FROM_COURSE' } })
          break
        }
        const order = (await member.post<{ data: { id: string } }>('/shop/checkout', {})).body.data.id
        expect((await side.admin.post(`/shop/orders/${order}/mark-paid`)).status).toBe(200)
        model.buy(this.orders.push(order) - 1, act.isPass)
        break
      }
      case 'refund': {
        const order = this.orders[act.nth]
        if (order === undefined) break
        await side.admin.post(`/shop/orders/${order}/refund`)
        model.refund(act.nth)
        break
      }
      case 'plan':
        await side.admin.patch(`/members/${student_id}`, { plan_id: act.has ? this.plan : null })
        model.hasPlan = act.has
        break
      case 'price':
        await side.admin.patch(`/lms/courses/${course.id}`, { price: act.price })
        model.price = act.price
        break
      case 'complete':
        if (!model.isOpen) break
        await complete(side, await getEnrollment(side, this.id), course.lessons)
        model.isCompleted = true
        break
      case 'wait':
        await advance(side, { days: act.days })
        model.day += act.days
        break
    }
    model.recompute()
  }

  /** Holds what the API says against the model. */
  async check(): Promise<void> {
    const { model, side, course, member } = this
    const { body } = await side.admin.get<{ data: { id: string }[] }>(
      `/lms/enrollments?student_id=${this.memberId}`,
    )
    expect(body.data).toHaveLength(model.isEnrolled ? 1 : 0)
    const [found] = body.data
    if (found === undefined) return
    this.id = found.id
    const { status, expires_at, certificate_id } = await getEnrollment(side, found.id)
    const { locked } = (await member.get<{ data: Lesson }>(`/lms/lessons/${course.lessons[0]?.id}`)).body.data
    const left =
      expires_at === null ? NEVER : Date.parse(expires_at) - Date.parse((await this.#at(model.day)) ?? '')
    expect({ isOpen: locked === null, days: locked === null ? Math.round(left / DAY) : 0 }).toEqual({
      isOpen: model.isOpen,
      days: model.isOpen ? model.end - model.day : 0,
    })
    const open = model.isCompleted ? 'completed' : 'active'
    const closed = model.closedBy ? ['canceled'] : model.isCompleted ? ['completed'] : ['expired', 'canceled']
    expect(model.isOpen ? [open] : closed).toContain(status)
    expect(certificate_id !== null).toBe(model.isCompleted)
  }
}

test('an enrollment is open exactly as long as something stands that it rests on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40 }), async (acts) => {
      const walk = await Walk.begin()
      for (const each of acts) {
        await walk.perform(each)
        await walk.check()
      }
    }),
    { numRuns: 16, seed: 20261123, endOnFailure: true },
  )
})
