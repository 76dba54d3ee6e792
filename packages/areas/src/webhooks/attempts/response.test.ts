import { expect, test } from 'vitest'
import type { FetchResult } from '#platform/outbound/safe-fetch.ts'
import { keptBody, keptHeaders } from './response.ts'

const answer = (body: Buffer, headers: Record<string, string> = {}): FetchResult => ({
  status: 200,
  headers,
  body,
  durationMs: 1,
})

test('a body becomes text that PostgreSQL takes: no NUL, no broken UTF-8', () => {
  expect(keptBody(answer(Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3])))).toBe('a\ufffd\ufffd\ufffd\ufffd')
  expect(keptBody(answer(Buffer.from('<script>alert(1)</script>')))).toBe('<script>alert(1)</script>')
  expect(keptBody(answer(Buffer.alloc(0)))).toBeNull()
})

test('headers are kept without credentials, and not without end', () => {
  const kept = keptHeaders(answer(Buffer.alloc(0), { 'set-cookie': 'session=1', 'x-a': 'b' }))
  expect(JSON.parse(kept ?? '')).toEqual({ 'set-cookie': '[redacted]', 'x-a': 'b' })
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'v'.repeat(1_000)]))
  const cut = JSON.parse(keptHeaders(answer(Buffer.alloc(0), many)) ?? '') as object
  expect(Object.keys(cut).length).toBeLessThan(10)
  expect(keptHeaders(answer(Buffer.alloc(0)))).toBeNull()
})
