import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '#platform/errors.ts'
import { parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

/** The faults of a body that is refused with 422. */
function faultsOf(text: string): { field: string; rule: string }[] {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof ApiError && error.status === 422)
      return (error.details ?? []).map(({ field, rule }) => ({ field, rule }))
    throw error
  }
  return []
}

const sound = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Any JSON that PostgreSQL can store, 32 levels deep at the most. */
const json = fc.jsonValue({ maxDepth: 8, stringUnit: 'binary' }).filter((value) => sound(collect(value)))

const collect = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flat().map(collect).join('')
      : ''

describe('a body', () => {
  test('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(json, (value) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'))
        expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('with a NUL or a lone surrogate anywhere is refused, and the place is named', () => {
    const bad = fc.constantFrom('\0', '\ud800', '\udfff', 'a\0b', 'x\udc00y')
    fc.assert(
      fc.property(json, bad, fc.boolean(), (value, text, asName) => {
        const inside = asName ? { a: { [text]: value } } : { a: { b: [value, text] } }
        const faults = faultsOf(JSON.stringify(inside))
        expect(faults).toContainEqual({ field: asName ? `a.${text}` : 'a.b[1]', rule: 'characters' })
      }),
    )
  })

  test('that names __proto__ anywhere is refused, however it is written', () => {
    for (const name of ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__'])
      for (const text of [`{"${name}":{"admin":true}}`, `{"a":[{"${name}":1}]}`])
        expect([text, faultsOf(text).map(({ rule }) => rule)]).toEqual([text, ['name']])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
    expect(parse('{"a":"__proto__","constructor":1}')).toEqual({ a: '__proto__', constructor: 1 })
  })

  test('nests 32 levels and not one more, in arrays, objects and both', () => {
    const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    for (const make of [arrays, objects]) {
      expect(faultsOf(make(32))).toEqual([])
      expect(faultsOf(make(33))).toEqual([{ field: '', rule: 'depth' }])
      expect(faultsOf(make(100_000))).toEqual([{ field: '', rule: 'depth' }])
    }
    // Brackets in texts and side by side are no nesting.
    expect(faultsOf(JSON.stringify(['['.repeat(1000)]))).toEqual([])
    expect(faultsOf(JSON.stringify(Array.from({ length: 1000 }, () => [{}])))).toEqual([])
  })

  test('has 1,000 fields of one object, 10,000 entries of one list and 100,000 values, and not one more', () => {
    const object = (fields: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, n) => [`",{[k${n}`, 1])))
    const list = (entries: number) => JSON.stringify(Array.from({ length: entries }, () => '\\",'))
    const lists = (count: number) => `[${Array.from({ length: count }, () => list(10_000)).join()}]`
    for (const fits of [object(1_000), list(10_000), lists(10), `[${object(1_000)},${object(1_000)}]`])
      expect(parse(fits)).toEqual(JSON.parse(fits))
    for (const tooMuch of [object(1_001), list(10_001), lists(11), `[${object(1)},${object(1_001)}]`])
      expect(faultsOf(tooMuch)).toEqual([{ field: '', rule: 'size' }])
  })

  test('that is no JSON, or no UTF-8, is refused as such', () => {
    for (const bytes of [
      Buffer.from('{'),
      Buffer.from('[1,]'),
      Buffer.from('nul'),
      Buffer.from("{'a':1}"),
      Buffer.from('{"a":1}\0'),
      Buffer.from([0xc0, 0x80]),
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      Buffer.from([0x22, 0xff, 0x22]),
    ])
      expect(() => parseJsonBody(bytes)).toThrow(
        expect.objectContaining({ status: 400, code: 'INVALID_JSON' }),
      )
    expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined()
  })
})
