import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySeed } from '#testkit/dice.ts'
import { Books } from './books.fixture.ts'
import { DAY_MS } from './calendar.ts'
import type { PricedPlan } from './prices.ts'
import { type Event, HAND_DUE_DAYS, HAND_END_DAYS } from './state.ts'
import { high, low, plan, START } from './states.fixture.ts'

const SEED = anySeed()
const yearly = plan('yearly', 30, 30_000, { interval: 'year' })
const cheap = plan('cheap', 5, 30)
const dear = plan('dear', 40, 100_001)
const PLANS = [low, high, yearly, cheap, dear]

/** What happens at a moment. */
type Act = (books: Books, now: number) => void
const anyPlan = fc.constantFrom(...PLANS)
const at = fc.constantFrom('now' as const, 'now' as const, 'period_end' as const)
const pick = fc.nat(5)
const withOpen = (books: Books, n: number, act: (bill: Books['bills'][number]) => void) => {
  const bill = books.open[n % Math.max(1, books.open.length)]
  if (bill !== undefined) act(bill)
}

const moving =
  (event: Event): Act =>
  (books, now) => {
    books.move(event, now)
  }
/** Does something to one of the open bills. */
const toBill = (act: (books: Books, bill: Books['bills'][number], now: number) => void) =>
  pick.map(
    (n): Act =>
      (books, now) =>
        withOpen(books, n, (bill) => act(books, bill, now)),
  )
const change = fc
  .tuple(anyPlan, at, fc.constantFrom(0, 0, 7, 40))
  .map(([to, when, trialDays]) => moving({ type: 'change', plan: to, at: when, trialDays }))
const payLate = pick.map(
  (n): Act =>
    (books, now) => {
      const late = books.bills.filter(({ status }) => status === 'uncollectible')
      const bill = late[n % Math.max(1, late.length)]
      if (bill !== undefined) books.pay(bill, now)
    },
)
const gift = fc.integer({ min: 1, max: 3_000 }).map(
  (amount): Act =>
    (books) =>
      books.give(amount),
)

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 10, arbitrary: toBill((books, bill, now) => books.pay(bill, now)) },
  { weight: 1, arbitrary: toBill((books, bill, now) => books.fail(bill, now)) },
  { weight: 1, arbitrary: toBill((books, bill, now) => books.voidBill(bill, now)) },
  { weight: 5, arbitrary: change },
  { weight: 1, arbitrary: at.map((when) => moving({ type: 'cancel', at: when })) },
  { weight: 1, arbitrary: fc.constant(moving({ type: 'resume' })) },
  { weight: 1, arbitrary: fc.constant(moving({ type: 'pause', until: null })) },
  { weight: 1, arbitrary: gift },
  { weight: 2, arbitrary: payLate },
)
const again: fc.Arbitrary<Act> = fc.tuple(anyPlan, fc.constantFrom(0, 0, 0, 14)).map(
  ([to, trialDays]): Act =>
    (books, now) => {
      if (books.state === undefined || books.state.status === 'canceled') books.subscribe(to, now, trialDays)
    },
)
const steps = fc.array(
  fc.record({
    act: fc.oneof({ weight: 4, arbitrary: act }, { weight: 2, arbitrary: again }),
    /** Until it happens: often a moment, sometimes long. */
    after: fc.oneof(fc.integer({ min: 1, max: 3_600_000 }), fc.integer({ min: 1, max: 40 * DAY_MS })),
    /** By how much the worker is late, for what is due until then. */
    late: fc.integer({ min: 0, max: 7 * DAY_MS }),
  }),
  { minLength: 30, maxLength: 60, size: 'max' },
)
const start = fc.record({
  trialDays: fc.constantFrom(0, 0, 14, 31),
  provider: fc.constantFrom(null, 'stripe'),
  // Also the last days of months, whose periods are shorter.
  day: fc.integer({ min: 0, max: 365 }),
})
type Start = { trialDays: number; provider: string | null; day: number }

/** Lives through the steps. Whatever is due in between happens first, at its moment or later. */
function live(
  { trialDays, provider, day }: Start,
  all: readonly { act: Act; after: number; late: number }[],
  check: (books: Books, now: number) => void,
  first: PricedPlan = low,
): Books {
  const books = new Books(provider)
  for (const each of PLANS) books.plans.set(each.id, each)
  let now = START + day * DAY_MS
  books.subscribe(first, now, trialDays)
  for (const step of all) {
    const then = now + step.after
    let moves = 0
    for (let due = books.due(); due !== null && due <= then; due = books.due()) {
      if (moves++ > 20) throw new Error('what is due is due again and again')
      now = Math.min(then, Math.max(now, due + step.late))
      if (!books.move({ type: 'due' }, now)) throw new Error('what is due is not due')
      check(books, now)
    }
    now = then
    step.act(books, now)
    check(books, now)
  }
  return books
}

test(`money that came is what paid bills charge and the ledger holds, whatever happens (seed ${SEED})`, () => {
  let credited = 0
  let returned = 0
  let owed = 0
  fc.assert(
    fc.property(start, steps, (from, all) => {
      const books = live(from, all, (each) => {
        expect(each.difference()).toBe(0)
        expect(each.overdrawn()).toEqual([])
      })
      credited += books.entries.filter(({ kind }) => kind === 'line').length
      returned += books.entries.filter(({ kind }) => kind === 'returned').length
      owed += books.entries.filter(({ kind }) => kind === 'owed').length
    }),
    { seed: SEED, numRuns: 500 },
  )
  // The walks meet what they are to meet.
  expect(Math.min(credited, returned, owed)).toBeGreaterThan(25)
})

test(`by hand no subscription runs on with a bill that is overdue for long, nor has a provider two open (seed ${SEED})`, () => {
  let two = 0
  fc.assert(
    fc.property(start, steps, (from, all) => {
      live(from, all, (books, now) => {
        const state = books.read()
        if (state === undefined || state.status === 'canceled') return
        if (from.provider !== null) expect(state.openBills.length).toBeLessThan(2)
        if (state.openBills.length > 1) two++
        const [oldest] = state.openBills
        // A worker is at most a week late, with each of the two dates.
        const most = (HAND_DUE_DAYS + HAND_END_DAYS + 14) * DAY_MS
        if (from.provider === null && oldest !== undefined) expect(now - oldest.dueSince).toBeLessThan(most)
      })
    }),
    { seed: SEED, numRuns: 700 },
  )
  expect(two).toBeGreaterThan(20)
})

test(`bills cover every second of a subscription once, whatever happens and however late (seed ${SEED})`, () => {
  let renewals = 0
  fc.assert(
    fc.property(start, steps, (from, all) => {
      const books = live(from, all, () => {})
      for (const { line, before } of books.periods) {
        const begins = Date.parse(line.period_start ?? '')
        const ends = Date.parse(line.period_end ?? '')
        // A period begins where the one before it ended; a change that ends a trial begins one at once.
        if (before !== undefined && before.status !== 'trialing') {
          expect(begins).toBe(before.periodEnd)
          renewals++
        }
        expect(ends >= begins).toBe(true)
      }
    }),
    { seed: SEED, numRuns: 300 },
  )
  expect(renewals).toBeGreaterThan(200)
})
