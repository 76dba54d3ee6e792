import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardReversibly, unguardCell } from './reversible-guard.ts'

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '1', '.', 'e', 'a'), maxLength: 6 }),
  fc.string(),
)

test('what was guarded is the same again once it is unguarded', () => {
  fc.assert(
    fc.property(cell, (text) => unguardCell(guardReversibly(text)) === text),
    { numRuns: 5_000 },
  )
})

test('a guarded cell begins with no formula', () => {
  fc.assert(
    fc.property(cell, (text) => {
      const guarded = guardReversibly(text)
      return !/^[=+\-@\t\r]/.test(guarded) || Number.isFinite(Number(guarded))
    }),
    { numRuns: 5_000 },
  )
})

test('a quote stands before formulas alone, and numbers are none', () => {
  const guarded = ['=1', "'=1", '-1', "'-1", "'tis", '+a@example.com', ''].map(guardReversibly)
  expect(guarded).toEqual(["'=1", "''=1", '-1', "'-1", "'tis", "'+a@example.com", ''])
})
