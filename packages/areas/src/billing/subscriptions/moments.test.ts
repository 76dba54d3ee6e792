import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import type { Plan } from '#areas/plans/schema.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import { type DueRun, projectNow } from '#platform/jobs/schedules/due-work.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Bill } from '../bills/schema.ts'
import { advanceDueSubscriptions } from './advance-due.due.ts'
import type { Event } from './machine/state.ts'
import { endSubscription, followMember, lockSubscriptionOf } from './override.ts'
import { previewChange } from './previews/preview.ts'
import type { Subscription, SubscriptionWithBill } from './schema.ts'
import { changeSubscription, lockSubscription, move } from './service.ts'

// A transaction has its time from its beginning. One that begins first may hold the subscription last.

let api: TestApi
let side: Side
let cheap: Plan
let dear: Plan

withProjects(async (opened, one) => {
  api = opened
  side = one.test
  cheap = await side.makePlan({ name: 'Cheap', rank: 10, price: 10, currency: 'eur' })
  dear = await side.makePlan({ name: 'Dear', rank: 20, price: 100, currency: 'eur' })
})

const post = async <T = SubscriptionWithBill>(path: string, body?: unknown): Promise<T> =>
  (await side.admin.post<{ data: T }>(path, body)).body.data
const pay = ({ bill }: SubscriptionWithBill) => post<Bill>(`/bills/${bill?.id}/mark-paid`)

interface Own {
  readonly id: string
  readonly member: string
}
const subscribed = async (): Promise<Own> => {
  const member = (await side.makeMember()).id
  const made = await post('/subscriptions', { member_id: member, plan_id: cheap.id })
  await pay(made)
  return { id: made.id, member }
}
const get = async ({ id }: Own) =>
  (await side.admin.get<{ data: Subscription }>(`/subscriptions/${id}`)).body.data
const billsOf = async ({ member }: Own) =>
  (await side.admin.get<{ data: Bill[] }>(`/bills?member_id=${member}`)).body.data

/** Two that change it: `first` begins first, waits, and finds what `meanwhile` has made of it. @returns the subscription between them */
async function late<T>(
  own: Own,
  meanwhile: () => Promise<unknown>,
  first: (ctx: Context, id: string) => Promise<T>,
): Promise<{ before: Subscription; result: T }> {
  return side.write(async (ctx) => {
    const began = await projectNow(ctx)
    // Times have milliseconds: on a fast machine the other one begins within the same.
    while (Date.now() <= Date.parse(began)) await setTimeout(1)
    await meanwhile()
    const before = await get(own)
    expect(Date.parse(before.updated_at)).toBeGreaterThan(Date.parse(began))
    return { before, result: await first(ctx, parseId(subscriptionId, own.id) ?? '') }
  })
}
const changeTo = (plan: Plan) => (ctx: Context, id: string) =>
  changeSubscription(ctx, id, {
    planId: parseId('plan', plan.id),
    when: 'now',
    previewId: undefined,
  })
const act = (event: Event) => async (ctx: Context, id: string) =>
  move(ctx, await lockSubscription(ctx, id), event)
const of = (own: Own, verb: string, body?: object) => () => post(`/subscriptions/${own.id}/${verb}`, body)
/** Up to the dear plan, and paid. */
const upgrade = (own: Own) => async () => pay(await of(own, 'change', { plan_id: dear.id, when: 'now' })())

test('a change that began before another one gives up no more time than that one paid for', async () => {
  const own = await subscribed()
  const { before } = await late(own, upgrade(own), changeTo(cheap))
  const [back, up] = await billsOf(own)
  const bought = up?.lines.find(({ amount }) => amount > 0)
  const givenUp = back?.lines.find(({ amount, plan_id }) => amount < 0 && plan_id === dear.id)
  expect(Date.parse(givenUp?.period_start ?? '')).toBeGreaterThanOrEqual(
    Date.parse(bought?.period_start ?? ''),
  )
  expect(givenUp?.period_start).toBe(before.updated_at)
  expect(back?.created_at).toBe(before.updated_at)
  const { data } = (
    await side.admin.get<{ data: { occurred_at: string }[] }>(`/subscriptions/${own.id}/history`)
  ).body
  const times = data.map(({ occurred_at }) => occurred_at)
  expect(times).toEqual(times.toSorted().reverse())
})

test('a preview that began before a change is priced at the change', async () => {
  const own = await subscribed()
  const { before, result } = await late(own, upgrade(own), (ctx, id) =>
    previewChange(ctx, id, { planId: parseId('plan', cheap.id), when: 'now' }),
  )
  expect(result.date).toBe(before.updated_at)
  expect(result.lines[0]?.period_start).toBe(before.updated_at)
})

test.each<[name: string, event: Event, meanwhile: (own: Own) => () => Promise<unknown>]>([
  ['cancellation', { type: 'cancel', at: 'now' }, upgrade],
  ['cancellation at the period’s end', { type: 'cancel', at: 'period_end' }, upgrade],
  ['pause', { type: 'pause', until: null }, upgrade],
  ['resumption', { type: 'resume' }, (own) => of(own, 'pause', {})],
])('a %s that began before another change happens after it', async (_name, event, meanwhile) => {
  const own = await subscribed()
  const { before } = await late(own, meanwhile(own), act(event))
  const after = await get(own)
  expect(after.updated_at).toBe(before.updated_at)
  if (after.status === 'canceled') expect(after.canceled_at).toBe(before.updated_at)
  if (after.status === 'paused') expect(after.paused_at).toBe(before.updated_at)
  // A pause takes no time away that was paid for.
  expect(after.period_end).toBe(before.period_end)
})

test('a renewal that began before another change happens after it', async () => {
  const own = await subscribed()
  await api.owner.query(
    `update subscriptions set period_end = now() - interval '1 second', due_at = now() - interval '1 second' where id = $1`,
    [parseId(subscriptionId, own.id)],
  )
  const { before } = await late(own, of(own, 'change', { plan_id: dear.id, when: 'period_end' }), (ctx) =>
    advanceDueSubscriptions.workOff({
      write: (work: (ctx: Context) => unknown) => work(ctx),
    } as unknown as DueRun),
  )
  const after = await get(own)
  expect(after.plan_id).toBe(dear.id)
  expect(after.updated_at).toBe(before.updated_at)
  expect((await billsOf(own))[0]?.created_at).toBe(before.updated_at)
})

test('a deletion and an operator’s word that began before another change happen after it', async () => {
  const [deleted, ended] = [await subscribed(), await subscribed()]
  const locked = async (ctx: Context, { member }: Own) => {
    const row = await lockSubscriptionOf(ctx, parseId('member', member) ?? '')
    if (row === undefined) throw new Error('nothing runs')
    return row
  }
  const one = await late(deleted, upgrade(deleted), async (ctx) =>
    followMember(ctx, await locked(ctx, deleted), 'member_deleted'),
  )
  expect((await get(deleted)).updated_at).toBe(one.before.updated_at)
  const two = await late(ended, upgrade(ended), async (ctx) =>
    endSubscription(ctx, await locked(ctx, ended), 'operator'),
  )
  expect((await get(ended)).canceled_at).toBe(two.before.updated_at)
})
