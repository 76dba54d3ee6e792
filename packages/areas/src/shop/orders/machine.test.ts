import { describe, expect, test } from 'vitest'
import { next, ORDER_EVENTS, ORDER_STATUSES, type OrderEvent, transitionsOf } from './machine.ts'

/** What each event makes of each state; `-` where it cannot happen. */
const TABLES = {
  'an order that costs something': {
    facts: { total_minor: 100, paid_minor: 0 },
    table: `
                      pay   fulfill    complete   cancel    refund
      pending_payment paid  -          -          canceled  -
      paid            -     fulfilled  -          -         refunded
      fulfilled       -     -          completed  -         refunded
      completed       -     -          -          -         refunded
      canceled        paid  -          -          -         -
      refunded        -     -          -          -         -
    `,
  },
  'an order that costs nothing': {
    facts: { total_minor: 0, paid_minor: 0 },
    table: `
                      pay   fulfill    complete   cancel    refund
      pending_payment paid  -          -          canceled  -
      paid            -     fulfilled  -          canceled  -
      fulfilled       -     -          completed  canceled  -
      completed       -     -          -          canceled  -
      canceled        -     -          -          -         -
      refunded        -     -          -          -         -
    `,
  },
}

for (const [which, { facts, table }] of Object.entries(TABLES)) {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

  describe(`the state machine of ${which}`, () => {
    test('knows every state and every event of the table', () => {
      expect(head).toEqual([...ORDER_EVENTS])
      expect(rows.map(([status]) => status)).toEqual([...ORDER_STATUSES])
    })

    for (const [status = '', ...cells] of rows)
      for (const [i, cell] of cells.entries())
        test(`${head[i]} while ${status}: ${cell}`, () => {
          expect(next({ ...facts, status }, head[i] as OrderEvent) ?? '-').toBe(cell)
        })

    test.each(rows)('tells where an order that is %s can go', (status = '', ...cells) => {
      expect(transitionsOf({ ...facts, status }).toSorted()).toEqual(
        [...new Set(cells)].filter((c) => c !== '-').toSorted(),
      )
    })
  })
}

test('a canceled order whose money came too late and was refunded goes nowhere', () => {
  const order = { status: 'canceled', total_minor: 100, paid_minor: 100 }
  expect([next(order, 'pay'), transitionsOf(order)]).toEqual([undefined, []])
})
