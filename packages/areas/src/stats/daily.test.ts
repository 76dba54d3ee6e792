import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import { updateSettings } from '#areas/projects/service.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { advance } from '#testkit/areas/money/payments.ts'
import { askProof, leaveUnproven } from '#testkit/areas/money/prove-money.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import { anySeed } from '#testkit/dice.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { DailyMetric, DailyStats } from './schema.ts'

// Sums by day. What PostgreSQL adds up is compared with a model that knows only moments, amounts and the zone.

let api: TestApi
let side: Side
let other: Side
/** A project with rows of any moment. */
let random: Side

/** Clocks go back at midnight there, so that the first hour of a day comes twice. */
const ZONE = 'America/Havana'

withProjects(async (opened, one, two) => {
  api = opened
  side = one.test
  other = two.test
  const [made] = await makeProjects(api)
  random = made.test
  leaveUnproven(random)
  await updateSettings(api.operators, made.project.id, 'test', { timezone: ZONE })
})

const ask = async (of: Side, metric: DailyMetric, dates = '') =>
  (await of.admin.get<{ data: DailyStats }>(`/stats/daily?metric=${metric}${dates}`)).body.data
const totals = async (of: Side, metric: DailyMetric) =>
  (await ask(of, metric)).series.map(({ currency, total }) => [currency, total])

async function insert(of: Side, table: string, values: Record<string, unknown>): Promise<string> {
  const row: Record<string, unknown> = { project_id: of.projectId, id: newUuid(), ...values }
  const names = Object.keys(row)
  await api.owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  )
  return String(row['id'])
}

/** A sum that happens at a moment. */
interface Happened {
  readonly metric: DailyMetric
  readonly at: number
  readonly currency: string | null
  readonly value: number
}
const format = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' })
const inEuros = (minor: number, currency: string | null) => (currency === 'eur' ? minor / 100 : minor)

function expected(all: readonly Happened[], metric: DailyMetric, [from, to]: [string, string]) {
  const mine = all.filter((each) => each.metric === metric && format.format(each.at) <= to)
  const counted = metric === 'mrr' ? mine : mine.filter(({ at }) => format.format(at) >= from)
  const isCount = metric === 'orders' || metric === 'sign_ups'
  const currencies = isCount ? [null] : [...new Set(counted.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const of = counted.filter((each) => each.currency === currency)
    const sum = (rows: readonly Happened[]) =>
      inEuros(
        rows.reduce((all, { value }) => all + value, 0),
        currency,
      )
    const days: { date: string; value: number }[] = []
    for (let time = Date.parse(from); time <= Date.parse(to); time += 86_400_000) {
      const date = new Date(time).toISOString().slice(0, 10)
      const until = of.filter(({ at }) =>
        metric === 'mrr' ? format.format(at) <= date : format.format(at) === date,
      )
      days.push({ date, value: sum(until) })
    }
    return { currency, total: sum(of), days }
  })
}

/** Around the ends of summer time in Havana, 2025 and 2026, and a day of neither. */
const moment = fc
  .tuple(
    fc.constantFrom('2025-11-02T04:00Z', '2026-03-08T05:00Z', '2026-06-01T04:00Z'),
    fc.integer({ min: -200, max: 200 }),
  )
  .map(([day, quarters]) => Date.parse(day) + quarters * 15 * 60_000 - 1)
const amount = fc.integer({ min: 1, max: 100_000 })
const currency = fc.constantFrom('eur', 'jpy')
const anything = fc.oneof(
  fc.record({ is: fc.constant('payment' as const), at: moment, amount, currency, refund: fc.option(moment) }),
  fc.record({ is: fc.constant('order' as const), at: moment, again: fc.option(moment) }),
  fc.record({ is: fc.constant('member' as const), at: moment, isDeleted: fc.boolean() }),
  fc.record({
    is: fc.constant('subscription' as const),
    moves: fc.array(
      fc.record({
        at: moment,
        status: fc.constantFrom('active', 'past_due', 'paused', 'trialing'),
        plan: fc.nat(2),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
)
type Anything = typeof anything extends fc.Arbitrary<infer A> ? A : never

/** The prices of the plans for a month, in the smallest unit. */
const MONTHLY = [
  ['eur', 1_000],
  ['eur', 833],
  ['jpy', 700],
] as const
const iso = (at: number) => new Date(at).toISOString()

async function happen(it: Anything, plans: readonly Plan[], member: string): Promise<Happened[]> {
  const done: Happened[] = []
  if (it.is === 'payment') {
    const payment_id = await insert(random, 'payments', {
      ...{
        member_id: member,
        purpose: 'order',
        purpose_id: newUuid(),
        status: 'succeeded',
        amount_minor: it.amount,
      },
      ...{ currency: it.currency, created_at: '2025-01-01', settled_at: iso(it.at) },
    })
    done.push({ metric: 'revenue', at: it.at, currency: it.currency, value: it.amount })
    const refund = { payment_id, amount_minor: it.amount, created_at: '2025-01-01' }
    await insert(random, 'refunds', { ...refund, status: 'failed', settled_at: iso(it.at) })
    if (it.refund === null) return done
    await insert(random, 'refunds', { ...refund, status: 'succeeded', settled_at: iso(it.refund) })
    return [...done, { metric: 'revenue', at: it.refund, currency: it.currency, value: -it.amount }]
  }
  if (it.is === 'member') {
    const gone = it.isDeleted ? { deleted_at: '2026-07-01' } : {}
    await api.owner.query('update members set created_at = $2, deleted_at = $3 where id = $1', [
      ...[parseId('member', (await random.makeMember()).id), iso(it.at), gone.deleted_at ?? null],
    ])
    return [{ metric: 'sign_ups', at: it.at, currency: null, value: 1 }]
  }
  if (it.is === 'order') {
    const order_id = await insert(random, 'orders', {
      ...{
        number: newUuid(),
        member_id: member,
        cart_id: newUuid(),
        cart_version: 1,
        status: 'paid',
        currency: 'eur',
      },
      ...{ subtotal_minor: 0, discount_minor: 0, tax_minor: 0, total_minor: 0, reserved_until: '2025-01-01' },
      ...{ created_at: '2025-01-01', updated_at: '2025-01-01' },
    })
    const [first = it.at, again] = [it.at, it.again].filter((at) => at !== null)
    for (const at of [first, again])
      if (at !== undefined)
        await insert(random, 'order_history', {
          order_id,
          to_status: 'paid',
          actor_kind: 'system',
          created_at: iso(at),
        })
    return [{ metric: 'orders', at: first, currency: null, value: 1 }]
  }
  const version = {
    member_id: newUuid(),
    plan_id: parseId('plan', plans[0]?.id ?? ''),
    plan_version: 1,
    periods: 1,
  }
  const at = '2025-01-01'
  const id = await insert(random, 'subscriptions', {
    ...{ ...version, status: 'incomplete', anchor_at: at, period_start: at, period_end: at },
    ...{ started_at: at, created_at: at, updated_at: at },
  })
  let before: readonly [string, number] | undefined
  for (const move of it.moves.toSorted((a, b) => a.at - b.at)) {
    await api.owner.query(`begin; select set_config('app.clock', '${iso(move.at)}', true);
      update subscriptions set status = '${move.status}', plan_id = '${parseId('plan', plans[move.plan]?.id ?? '')}'
        where id = '${id}'; commit`)
    const now = ['active', 'past_due'].includes(move.status) ? MONTHLY[move.plan] : undefined
    if (before) done.push({ metric: 'mrr', at: move.at, currency: before[0], value: -before[1] })
    if (now) done.push({ metric: 'mrr', at: move.at, currency: now[0], value: now[1] })
    before = now
  }
  return done
}

test('whatever happens around the change of clocks, each day has what a model by the zone counts', async () => {
  const plans = [
    await random.makePlan({ price: 10, currency: 'eur', interval: 'month' }),
    await random.makePlan({ price: 100, currency: 'eur', interval: 'year' }),
    await random.makePlan({ price: 2_100, currency: 'jpy', interval: 'month', interval_count: 3 }),
  ]
  const member = parseId('member', await random.member()) ?? ''
  await api.owner.query("update members set created_at = '2024-01-01' where id = $1", [member])
  const all: Happened[] = []
  const run = fc.asyncProperty(fc.array(anything, { minLength: 1, maxLength: 12 }), async (events) => {
    for (const each of events) all.push(...(await happen(each, plans, member)))
    for (const range of [
      ['2025-10-30', '2025-11-04'],
      ['2025-11-01', '2026-06-02'],
    ] as [string, string][])
      for (const metric of ['revenue', 'orders', 'sign_ups', 'mrr'] as const) {
        const found = await ask(random, metric, `&start_date=${range[0]}&end_date=${range[1]}`)
        const wanted = expected(all, metric, range)
        const isNothing = ({ days }: { days: { value: number }[] }) => days.every(({ value }) => value === 0)
        expect(
          found.series.filter((each) => metric === 'orders' || metric === 'sign_ups' || !isNothing(each)),
        ).toEqual(wanted.filter((each) => metric === 'orders' || metric === 'sign_ups' || !isNothing(each)))
      }
  })
  await fc.assert(run, { numRuns: 12, seed: anySeed() })
  const { breaches } = await askProof(api.owner, [random.projectId])
  expect(breaches.filter(({ rule }) => rule === 'mrr_of_subscription')).toEqual([])
})

test('revenue of all days is what the proof of money has as paid and paid back', async () => {
  const product = await makeProduct(side, { price: 12.5 })
  const buy = async () => {
    const { client } = await makeCustomer(side)
    await client.post('/shop/cart', { product_id: product.id })
    const { id } = (await client.post<{ data: { id: string } }>('/shop/checkout', {})).body.data
    await side.admin.post(`/shop/orders/${id}/mark-paid`, {})
    return id
  }
  const first = await buy()
  await buy()
  await side.admin.post(`/shop/orders/${first}/refund`, { amount: 5 })
  const { rows } = await api.owner.query<{ sum: number }>(
    `select (select sum(amount_minor) from payments where project_id = $1 and status = 'succeeded')
      - (select sum(amount_minor) from refunds where project_id = $1 and status <> 'failed') as sum`,
    [side.projectId],
  )
  expect(await totals(side, 'revenue')).toEqual([['eur', Number(rows[0]?.sum) / 100]])
  expect(await totals(side, 'orders')).toEqual([[null, 2]])
  expect(await totals(other, 'revenue')).toEqual([])
  expect(await totals(other, 'orders')).toEqual([[null, 0]])
  expect((await askProof(api.owner, [side.projectId])).differences).toEqual([])
})

test('monthly recurring revenue follows a subscription that begins, moves to another plan and ends', async () => {
  const yearly = await side.makePlan({ price: 100, currency: 'eur', interval: 'year' })
  const dear = await side.makePlan({ price: 360, currency: 'eur', interval: 'year', rank: 9 })
  const member_id = (await side.makeMember()).id
  const begin = { member_id, plan_id: yearly.id }
  const { id, bill } = (
    await side.admin.post<{ data: { id: string; bill: { id: string } } }>('/subscriptions', begin)
  ).body.data
  await side.admin.post(`/bills/${bill.id}/mark-paid`)
  await advance(side, { days: 2 })
  await side.admin.post(`/subscriptions/${id}/change`, { plan_id: dear.id })
  await advance(side, { days: 2 })
  expect((await side.admin.post(`/subscriptions/${id}/cancel`, { at: 'now' })).status).toBe(200)
  await advance(side, { days: 1 })
  const [series] = (await ask(side, 'mrr')).series
  expect(series?.days.slice(-6).map(({ value }) => value)).toEqual([8.33, 8.33, 30, 30, 0, 0])
})

test('a key reads a metric only with the permission for what it adds up', async () => {
  const { key } = await side.makeKey({ permissions: ['read:commerce'] })
  const asked = async (metric: string) => refusalOf(await side.as(key).get(`/stats/daily?metric=${metric}`))
  expect(await asked('revenue')).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(await asked('mrr')).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(await asked('sign_ups')).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect((await side.as(key).get('/stats/daily?metric=orders')).status).toBe(200)
})

test.each([
  ['end_date', 'start_date=2026-02-01&end_date=2026-01-31'],
  ['start_date', 'start_date=2025-01-01&end_date=2026-01-02'],
  ['start_date', 'start_date=2026-02-30'],
  ['end_date', 'end_date=2026-01-01T00:00:00Z'],
])('a faulty %s is refused: %s', async (field, dates) => {
  const answer = await side.admin.get<{ details: { field: string }[] }>(`/stats/daily?metric=orders&${dates}`)
  expect(refusalOf(answer)).toBe('400 INVALID_PARAMETERS')
  expect(answer.body.details[0]?.field).toContain(field)
})
