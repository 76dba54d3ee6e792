import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isKey, makeKey } from './key-format.ts'

const type = fc.constantFrom('public', 'secret')
const environment = fc.constantFrom('live', 'test')
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key says its type and environment, is recognized, and is stored as its SHA-256', () => {
  fc.assert(
    fc.property(type, environment, (type, environment) => {
      const { key, prefix, hash } = makeKey(type, environment)
      expect(key).toMatch(/^svc_[ps]k_(live|test)_[0-9A-Za-z]{42}$/)
      expect(key.startsWith(`svc_${type === 'public' ? 'pk' : 'sk'}_${environment}_`)).toBe(true)
      expect(key.startsWith(prefix)).toBe(true)
      expect(isKey(key)).toBe(true)
      expect(hash).toEqual(createHash('sha256').update(key).digest())
    }),
  )
})

test('what is shown of a key leaves at least 160 random bits unknown', () => {
  const { key, prefix } = makeKey('secret', 'live')
  const unknown = key.length - prefix.length - '6-char'.length
  expect(unknown * Math.log2(62)).toBeGreaterThanOrEqual(160)
})

test('a key with any one character changed, added or missing is none', () => {
  fc.assert(
    fc.property(
      type,
      environment,
      fc.nat(),
      fc.constantFrom(...BASE62),
      (type, environment, place, character) => {
        const { key } = makeKey(type, environment)
        const at = place % key.length
        fc.pre(key[at] !== character)
        expect(isKey(key.slice(0, at) + character + key.slice(at + 1))).toBe(false)
        expect(isKey(key.slice(0, at) + character + key.slice(at))).toBe(false)
        expect(isKey(key.slice(0, at) + key.slice(at + 1))).toBe(false)
      },
    ),
  )
})

test('two neighbours that trade places make a key none', () => {
  fc.assert(
    fc.property(fc.nat(40), (place) => {
      const { key } = makeKey('secret', 'test')
      const at = 12 + (place % (key.length - 13))
      fc.pre(key[at] !== key[at + 1])
      expect(isKey(`${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`)).toBe(false)
    }),
  )
})

test('no text that was not made as a key is one', () => {
  fc.assert(fc.property(fc.string(), (text) => !isKey(text)))
  for (const text of ['', 'svc_sk_live_', `svc_sk_live_${'0'.repeat(42)}`, `svc_sk_live_${'x'.repeat(42)}\n`])
    expect(isKey(text)).toBe(false)
})

test('no two keys are alike, in any of their characters more than chance has it', () => {
  const keys = Array.from({ length: 2_000 }, () => makeKey('secret', 'live').key.slice(12, 48))
  expect(new Set(keys).size).toBe(keys.length)
  const counts = Map.groupBy(keys.join(''), (character) => character)
  // 36 × 2,000 draws of 62 characters: 1,161 each, with a standard deviation of 34.
  for (const character of BASE62)
    expect(Math.abs((counts.get(character)?.length ?? 0) - 1_161)).toBeLessThan(250)
})
