import { describe, expect, test } from 'vitest'
import { next, ORDER_EVENTS, ORDER_STATUSES, transitionsOf } from './machine.ts'

/** What each event makes of each state; `-` where it cannot happen. */
const TABLE = `
                  pay   fulfill    complete   cancel    refund
  pending_payment paid  -          -          canceled  -
  paid            -     fulfilled  -          -         refunded
  fulfilled       -     -          completed  -         refunded
  completed       -     -          -          -         refunded
  canceled        paid  -          -          -         -
  refunded        -     -          -          -         -
`
const [head = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

describe('the state machine of orders', () => {
  test('knows every state and every event of the table', () => {
    expect(head).toEqual([...ORDER_EVENTS])
    expect(rows.map(([status]) => status)).toEqual([...ORDER_STATUSES])
  })

  for (const [status = '', ...cells] of rows)
    for (const [i, cell] of cells.entries())
      test(`${head[i]} of an order that is ${status}: ${cell}`, () => {
        expect(next(status as never, head[i] as never) ?? '-').toBe(cell)
      })

  test.each(rows)('tells where an order that is %s can go', (status, ...cells) => {
    expect(transitionsOf(status as never).toSorted()).toEqual(
      [...new Set(cells)].filter((c) => c !== '-').toSorted(),
    )
  })
})
