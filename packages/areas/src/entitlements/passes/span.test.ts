import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, type Span, spanBehind, withoutGaps } from './span.ts'

const now = Date.UTC(2026, 10, 23)
const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 })
const daysOf = (spans: readonly Span[]) =>
  spans.reduce((sum, { start, end }) => sum + (end - start) / DAY_MS, 0)

/** Passes as they are bought one after the other. */
const bought = (days: readonly number[]) => {
  const passes: (Span & { id: number })[] = []
  for (const [id, each] of days.entries()) passes.push({ id, ...spanBehind(passes, { now, days: each }) })
  return passes
}

/** Nothing overlaps, and nothing is left out in between. */
const expectInARow = (passes: readonly Span[], from: number) => {
  let end = from
  for (const pass of passes) {
    expect(pass.start).toBe(end)
    end = pass.end
  }
}

test('passes that are bought one after the other last as long as all of them together', () => {
  fc.assert(
    fc.property(lengths, (days) => {
      const passes = bought(days)
      expectInARow(passes, now)
      expect(daysOf(passes)).toBe(days.reduce((sum, each) => sum + each, 0))
    }),
  )
})

test('a pass that is taken away on any day takes no day from the others, and leaves no gap', () => {
  fc.assert(
    fc.property(lengths, fc.nat(), fc.integer({ min: 0, max: 500 }), (days, which, after) => {
      const time = now + after * DAY_MS
      const passes = bought(days).filter(({ end }) => end > time)
      const taken = passes[which % Math.max(1, passes.length)]
      const kept = passes.filter((pass) => pass !== taken)
      const moved = new Map(withoutGaps(kept, time).map((pass) => [pass.id, pass]))
      const closed = kept.map((pass) => moved.get(pass.id) ?? pass)
      expect(daysOf(closed)).toBe(daysOf(kept))
      const [first] = closed
      if (first !== undefined) {
        expect(first.start).toBeLessThanOrEqual(time)
        expectInARow(closed, first.start)
      }
    }),
  )
})

test('a pass for longer than timestamps go ends at their end', () => {
  const { end } = spanBehind([], { now, days: 36_500 * 10_000 })
  expect(new Date(end).toISOString()).toBe('9999-12-31T00:00:00.000Z')
  expect(spanBehind([{ start: now, end }], { now, days: 30 }).end).toBe(end)
})
