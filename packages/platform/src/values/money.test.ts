import { describe, expect, test } from 'vitest'
import { fromMinor, isCurrency, toMinor } from './money.ts'

describe('an amount in the smallest unit', () => {
  test.each([
    [19.99, 'eur', 1999],
    [500, 'jpy', 500],
    [1.234, 'kwd', 1234],
    [1990.5, 'huf', 199050],
    [15000, 'idr', 1500000],
    [99.9, 'cop', 9990],
    [1.25, 'mga', 125],
    [0.1234, 'clf', 1234],
  ])('%d %s is %d, and back', (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor)
    expect(fromMinor(minor, currency)).toBe(amount)
  })

  test('has no more digits than the currency', () => {
    expect(toMinor(1.5, 'jpy')).toBeUndefined()
    expect(toMinor(1.999, 'huf')).toBeUndefined()
  })
})

test('codes are those of ISO 4217, in lower case', () => {
  for (const code of ['eur', 'huf', 'xcg']) expect(isCurrency(code)).toBe(true)
  for (const code of ['EUR', 'xyz', 'hrk', 'xau', '', '__proto__', 'default'])
    expect(isCurrency(code)).toBe(false)
})
