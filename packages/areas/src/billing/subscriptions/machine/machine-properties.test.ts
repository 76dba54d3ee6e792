import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySeed } from '#testkit/dice.ts'
import { begin } from '../begin.ts'
import { DAY_MS } from './calendar.ts'
import { next } from './machine.ts'
import type { Line } from './prices.ts'
import { dueAt, type Effect, type Event, type State } from './state.ts'
import { CHARGE_FAILED, high, low, plan, START } from './states.fixture.ts'

const SEED = anySeed()
const yearly = plan('yearly', 30, 30_000, { interval: 'year' })

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.constant<Event>({ type: 'bill_paid' }),
  fc.constant<Event>({ type: 'bill_paid' }),
  fc.constant<Event>(CHARGE_FAILED),
  fc.constant<Event>({ type: 'resume' }),
  fc.constant<Event>({ type: 'cancel', at: 'period_end' }),
  fc.record({
    type: fc.constant('change' as const),
    plan: fc.constantFrom(low, high, yearly),
    at: fc.constantFrom('now' as const, 'period_end' as const),
  }),
  fc.record({ type: fc.constant('pause' as const), until: fc.constant(null) }),
)
const steps = fc.array(
  fc.record({
    event,
    /** Until it happens. */
    after: fc.integer({ min: 1, max: 40 * DAY_MS }),
    /** By how much the worker is late, for what is due until then. */
    late: fc.integer({ min: 0, max: 7 * DAY_MS }),
  }),
  { minLength: 1, maxLength: 40 },
)
const start = fc.record({
  trialDays: fc.constantFrom(0, 0, 14, 31),
  provider: fc.constantFrom(null, 'stripe'),
  // Also the last days of months, whose periods are shorter.
  day: fc.integer({ min: 0, max: 365 }),
})

/** A life: what was billed, and how long the clock stood still. */
interface Life {
  state: State
  readonly lines: Line[]
  readonly periods: { readonly line: Line; readonly before: State }[]
  paused: number
}

function move(life: Life, what: Event, now: number): boolean {
  const before = life.state
  const outcome = next(before, what, now)
  if (outcome === 'ignored' || 'refused' in outcome) return false
  life.state = outcome.state
  if (before.status === 'paused' && before.pausedAt !== null && outcome.state.status !== 'paused')
    life.paused += now - before.pausedAt
  note(life, outcome.effects, before)
  return true
}

function note(life: Life, effects: readonly Effect[], before: State): void {
  for (const effect of effects) {
    if (effect.type !== 'bill') continue
    life.lines.push(...effect.lines)
    for (const line of effect.lines) if (line.kind === 'period') life.periods.push({ line, before })
  }
}

/** Lives through the steps. Whatever is due in between happens first, at its moment or later. */
function live({ trialDays, provider, day }: { trialDays: number; provider: string | null; day: number }) {
  return (all: readonly { event: Event; after: number; late: number }[]): Life => {
    const begun = begin(low, { now: START + day * DAY_MS, provider, trialDays })
    const life: Life = { state: begun.state, lines: [], periods: [], paused: 0 }
    note(life, begun.effects, begun.state)
    let now = START + day * DAY_MS
    for (const step of all) {
      const then = now + step.after
      for (let due = dueAt(life.state); due !== null && due <= then; due = dueAt(life.state)) {
        now = Math.min(then, Math.max(now, due + step.late))
        if (!move(life, { type: 'due' }, now)) break
      }
      now = then
      move(life, step.event, now)
    }
    return life
  }
}

test(`bills cover every second of a subscription once, whatever happens and however late (seed ${SEED})`, () => {
  let renewals = 0
  fc.assert(
    fc.property(start, steps, (from, all) => {
      const life = live(from)(all)
      for (const { line, before } of life.periods) {
        // A period begins where the one before it ended.
        if (before.status !== 'incomplete') {
          expect(line.start).toBe(before.periodEnd)
          renewals++
        }
        expect((line.end ?? 0) > (line.start ?? 0)).toBe(true)
      }
      const first = life.periods[0]?.line
      if (first === undefined) return
      const billed = life.periods.reduce((sum, { line }) => sum + (line.end ?? 0) - (line.start ?? 0), 0)
      // While it is paused the clock stands still: the period ends later and is no longer.
      expect(billed).toBe(life.state.periodEnd - (first.start ?? 0) - life.paused)
    }),
    { seed: SEED, numRuns: 2_000 },
  )
  expect(renewals).toBeGreaterThan(1_000)
})
