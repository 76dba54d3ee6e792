import { describe, expect, test } from 'vitest'
import type { FormField } from '../../apps/console/src/data/form-fields.ts'
import { patternOf, withValue } from '../../apps/console/src/ui/schema-form/paths.ts'
import {
  changesBody,
  draftOf,
  newBody,
  numberOf,
  type Values,
  withoutSecrets,
} from '../../apps/console/src/ui/schema-form/values.ts'

const FIELDS: readonly FormField[] = [
  { name: 'name', type: 'text', required: true },
  { name: 'note', type: 'text', nullable: true },
  { name: 'price', type: 'number', nullable: true },
  { name: 'is_active', type: 'boolean', default: true },
  { name: 'interval', type: 'text', words: ['month', 'year'] },
  {
    name: 'tiers',
    type: 'list',
    item: {
      name: '',
      type: 'object',
      fields: [
        { name: 'price', type: 'number', required: true },
        { name: 'up_to', type: 'integer', nullable: true },
      ],
    },
  },
  { name: 'headers', type: 'map' },
  { name: 'metadata', type: 'value' },
]

const THING: Values = {
  name: 'Gold',
  note: 'A note',
  price: 9.5,
  is_active: false,
  interval: 'month',
  tiers: [
    { price: 1, up_to: 10 },
    { price: 0.5, up_to: null },
  ],
  headers: { 'x-a': '1' },
  metadata: { company: 'Example', seats: 3, old: true },
}

describe('the values of a form', () => {
  const draft = draftOf(FIELDS, THING)
  const change = (path: string, value: Parameters<typeof withValue>[2]) => withValue(draft, path, value)

  test('a thing that nobody has touched sends nothing', () => {
    expect(changesBody(FIELDS, draft, draftOf(FIELDS, THING), [])).toEqual({})
  })

  test('a change sends its field alone, and an emptied field takes the value away', () => {
    expect(changesBody(FIELDS, draft, change('note', ''), [])).toEqual({ note: null })
    expect(changesBody(FIELDS, draft, change('price', '12,25'), [])).toEqual({ price: 12.25 })
    expect(changesBody(FIELDS, draft, change('name', ''), [])).toEqual({ name: '' })
  })

  test('a change inside of a list sends the whole list, with numbers as numbers', () => {
    expect(changesBody(FIELDS, draft, change('tiers[1].price', '0.25'), [])).toEqual({
      tiers: [
        { price: 1, up_to: 10 },
        { price: 0.25, up_to: null },
      ],
    })
    expect(patternOf('tiers[1].price')).toBe('tiers[].price')
  })

  test('a merged object sends the keys that differ, and null for those that have gone', () => {
    const next = change('metadata', JSON.stringify({ company: 'Example', seats: 4, new: [1] }))
    expect(changesBody(FIELDS, draft, next, ['metadata'])).toEqual({
      metadata: { seats: 4, new: [1], old: null },
    })
    expect(changesBody(FIELDS, draft, next, [])).toEqual({
      metadata: { company: 'Example', seats: 4, new: [1] },
    })
  })

  test('a new thing sends what was filled in, and leaves defaults to the API', () => {
    const empty = draftOf(FIELDS, {})
    expect(newBody(FIELDS, { ...empty, name: 'Gold', price: '0' })).toEqual({ name: 'Gold', price: 0 })
    expect(newBody(FIELDS, { ...empty, name: 'Gold', is_active: false })).toEqual({
      name: 'Gold',
      is_active: false,
    })
  })

  test('numbers are read with a point or a comma, and nothing else is a number', () => {
    expect([numberOf('1.5'), numberOf('1,5'), numberOf('1.000,5'), numberOf('1e')]).toEqual([
      1.5,
      1.5,
      Number.NaN,
      Number.NaN,
    ])
  })

  test('secrets are in no stored draft', () => {
    expect(
      withoutSecrets({ name: 'a', password: 'b', client_secret: 'c', settings: { secret_key: 'd' } }),
    ).toEqual({ name: 'a' })
  })
})
