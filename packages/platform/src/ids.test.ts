import fc from 'fast-check'
import { fromUUID } from 'typeid-js'
import { afterEach, expect, test, vi } from 'vitest'
import { newUuid, parseId, toId } from './ids.ts'

afterEach(() => {
  vi.useRealTimers()
})

const timeOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

test('ids of one process grow, also within a millisecond', () => {
  const ids = Array.from({ length: 10_000 }, newUuid)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('after a clock that was wrong is set back, new ids have the right time', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const early = newUuid()
  vi.useRealTimers()
  const before = Date.now()
  const late = newUuid()
  expect(timeOf(early)).toBeGreaterThan(before + 3_000_000)
  expect(timeOf(late)).toBeLessThanOrEqual(Date.now())
  expect(timeOf(late)).toBeGreaterThanOrEqual(before)
})

test('public ids are the TypeIDs of their UUIDs, and nothing else is made into one', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const id = toId('member', uuid)
      expect(id).toBe(fromUUID(uuid, 'mem'))
      expect(toId('member', uuid.toUpperCase())).toBe(id)
      expect(parseId('member', id)).toBe(uuid)
    }),
  )
  for (const uuid of ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])
    expect(toId('plan', uuid)).toBe(fromUUID(uuid, 'plan'))
  const uuid = newUuid()
  for (const wrong of [
    '',
    uuid.slice(1),
    `${uuid}0`,
    uuid.replace(/^./, 'g'),
    uuid.replace(/.$/, 'é'),
    uuid.replaceAll('-', ''),
  ])
    expect(() => toId('member', wrong), wrong).toThrow(RangeError)
})
