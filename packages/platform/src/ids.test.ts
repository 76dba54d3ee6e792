import fc from 'fast-check'
import { fromString, fromUUID, toUUID } from 'typeid-js'
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

test('a text is read as an id if and only if it is the TypeID of a UUID', () => {
  const expected = (id: string) => {
    try {
      return toUUID(fromString(id, 'mem'))
    } catch {
      return undefined
    }
  }
  const some = (characters: string) =>
    fc.string({ unit: fc.constantFrom(...characters), minLength: 25, maxLength: 27 })
  const digits = some('0123456789abcdefghjkmnpqrstvwxyz')
  const inRange = fc
    .tuple(fc.constantFrom(...'01234567'), digits)
    .map(([first, rest]) => first + rest.slice(1))
  const isUuid = inRange.map((text) => `${text.slice(0, 10)}e${text.slice(11, 13)}9${text.slice(14)}`)
  const suffixes = fc.oneof(digits, inRange, isUuid, some('0189abilouzABZ_-é€\ud83d'), fc.string())
  const prefixes = fc.constantFrom('mem_', 'mem_', 'mem', 'plan_', 'mem__', 'MEM_', '_', '')
  fc.assert(
    fc.property(prefixes, suffixes, (prefix, suffix) => {
      const id = prefix + suffix
      expect(parseId('member', id)).toBe(expected(id))
    }),
    { numRuns: 5_000 },
  )
  for (const digit of '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\u0000~\u007f\u0080\uffff')
    for (let at = 0; at < 26; at++) {
      const id = toId('member', '01890a5d-ac96-774b-bcce-b302099a8057')
      const changed = id.slice(0, 4 + at) + digit + id.slice(5 + at)
      expect(parseId('member', changed), changed).toBe(expected(changed))
    }
  for (const uuid of ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])
    expect(parseId('plan', fromUUID(uuid, 'plan'))).toBe(uuid)
})
