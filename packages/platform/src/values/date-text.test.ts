import { expect, test } from 'vitest'
import { formatDate } from './date-text.ts'

test('the day of a moment is that of the zone, in the words of the language', () => {
  const at = '2027-03-01T00:30:00.000Z'
  expect(formatDate(at, { language: 'en', timeZone: 'UTC' })).toBe('March 1, 2027')
  expect(formatDate(at, { language: 'en', timeZone: 'America/New_York' })).toBe('February 28, 2027')
  expect(formatDate(at, { language: 'de', timeZone: 'UTC' })).toBe('1. März 2027')
})
