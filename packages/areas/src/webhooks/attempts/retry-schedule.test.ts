import { describe, expect, test } from 'vitest'
import type { FetchResult } from '#platform/outbound/safe-fetch.ts'
import { classifyResponse, DELAYS_S } from './retry-schedule.ts'

const answer = (status: number | undefined, more: Partial<FetchResult> = {}): FetchResult => ({
  status,
  headers: {},
  body: Buffer.alloc(0),
  durationMs: 1,
  ...more,
})
const MIDDLE = 0.5

describe('an answer', () => {
  test.each([200, 201, 202, 204, 299])('%i is a delivery', (status) => {
    expect(classifyResponse(answer(status), 0)).toEqual({ state: 'delivered', delay: 0, gone: false })
  })

  test.each([100, 301, 302, 304, 400, 401, 404, 409, 429, 500, 502, 503, 504, 599])(
    '%i is tried again',
    (status) => {
      expect(classifyResponse(answer(status), 0, MIDDLE)).toEqual({ state: 'pending', delay: 5, gone: false })
    },
  )

  test('410 ends it', () => {
    expect(classifyResponse(answer(410), 0)).toEqual({ state: 'failed', delay: 0, gone: true })
  })

  test.each(['timeout', 'refused', 'tls', 'dns', 'closed', 'blocked_address', 'malformed'] as const)(
    'that is none, but %s, is tried again',
    (error) => {
      expect(classifyResponse(answer(undefined, { error }), 0, MIDDLE).state).toBe('pending')
    },
  )

  test('that was cut off is tried again, one that is too long was an answer', () => {
    expect(classifyResponse(answer(200, { error: 'timeout' }), 0).state).toBe('pending')
    expect(classifyResponse(answer(200, { error: 'closed' }), 0).state).toBe('pending')
    expect(classifyResponse(answer(200, { error: 'body_too_large' }), 0).state).toBe('delivered')
    expect(classifyResponse(answer(500, { error: 'body_too_large' }), 0).state).toBe('pending')
  })
})

describe('the schedule', () => {
  test('has ten attempts over 75 h 35 m', () => {
    const delays = Array.from({ length: 9 }, (_, step) => classifyResponse(answer(500), step, MIDDLE).delay)
    expect(delays).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
    const total = DELAYS_S.reduce<number>((sum, delay) => sum + delay, 0)
    expect(Math.floor(total / 60)).toBe(75 * 60 + 35)
    expect(classifyResponse(answer(500), 9)).toEqual({ state: 'failed', delay: 0, gone: false })
  })

  test('scatters each delay by a fifth, and no more', () => {
    expect(classifyResponse(answer(500), 1, 0).delay).toBeCloseTo(240)
    expect(classifyResponse(answer(500), 1, 1).delay).toBeCloseTo(360)
    const random = new Set(Array.from({ length: 50 }, () => classifyResponse(answer(500), 1).delay))
    expect(random.size).toBeGreaterThan(10)
  })
})

describe('Retry-After', () => {
  const asking = (status: number, value: string, date?: string) =>
    classifyResponse(answer(status, { headers: { 'retry-after': value, ...(date && { date }) } }), 0, MIDDLE)
      .delay

  test.each([429, 502, 503, 504])('is obeyed with %i', (status) => {
    expect(asking(status, '120')).toBe(120)
  })

  test.each([200, 301, 400, 500])('means nothing with %i', (status) => {
    expect(asking(status, '120')).toBeLessThanOrEqual(5)
  })

  test('makes nothing earlier, and nothing later than a day', () => {
    expect(asking(429, '1')).toBe(5)
    expect(asking(429, '999999999')).toBe(86_400)
  })

  test('may be a date, by the receiver’s own clock', () => {
    expect(asking(503, 'Sat, 21 Nov 2026 09:02:00 GMT', 'Sat, 21 Nov 2026 09:00:00 GMT')).toBe(120)
    expect(asking(503, 'Sat, 21 Nov 2026 08:00:00 GMT', 'Sat, 21 Nov 2026 09:00:00 GMT')).toBe(5)
  })

  test.each(['', 'soon', '-5', '1e9', 'NaN', '12 34'])('that says %j says nothing', (value) => {
    expect(asking(429, value)).toBe(5)
  })
})
