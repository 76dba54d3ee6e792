import { describe, expect, test } from 'vitest'
import { currencyCodes, currencyDigits, formatMoney, fromMinor, isCurrency, toMinor } from './money.ts'

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

describe('an amount for people', () => {
  // A currency without a sign of its own is followed by a space that does not break.
  test.each([
    [990, 'eur', 'en', '€9.90'],
    [990, 'eur', 'de', '9,90\u00a0€'],
    [500, 'jpy', 'en', '¥500'],
    [1234, 'kwd', 'en', 'KWD\u00a01.234'],
    [199050, 'huf', 'en', 'HUF\u00a01,990.50'],
    [125, 'mga', 'en', 'MGA\u00a01.25'],
    [-1500, 'usd', 'en', '-$15.00'],
    [500, 'aud', 'en', 'A$5.00'],
    [99_999_999_999_999, 'eur', 'en', '€999,999,999,999.99'],
  ])('%d %s in %s is %s', (minor, currency, language, text) => {
    expect(formatMoney(minor, currency, language)).toBe(text)
  })

  test('has the digits of its currency, in every currency', () => {
    for (const currency of currencyCodes()) {
      const digits = currencyDigits(currency)
      const number = formatMoney(1, currency, 'en').match(/[\d.]+$/)?.[0] ?? ''
      expect([currency, number]).toEqual([currency, (1 / 10 ** digits).toFixed(digits)])
    }
  })
})
