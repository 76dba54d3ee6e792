import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { acceptedRequestId, newRequestId } from './request-id.ts'

test('ids of requests are UUIDs of version 7, differ, and begin with the time', () => {
  const before = Date.now()
  const ids = Array.from({ length: 1_000 }, newRequestId)
  for (const id of ids) {
    const uuid = id.replace(/^req_/, '')
    expect(validate(uuid) && version(uuid)).toBe(7)
    const time = Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  }
  expect(new Set(ids).size).toBe(ids.length)
})

test('a caller names its request in characters that are safe in a log', () => {
  expect(acceptedRequestId('order-4711.retry_2')).toBe('order-4711.retry_2')
  for (const refused of ['', 'a b', 'a\n', 'ä', 'a'.repeat(65), ['a', 'b'], undefined])
    expect(acceptedRequestId(refused)).toBeUndefined()
})
