import { describe, expect, test } from 'vitest'
import type { Condition, Field } from '../builder/field-schema.ts'
import { CompiledForm } from './compiled-form.ts'

// What becomes of the values of a submission: which fields are shown.

const field = (id: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  id,
  type,
  label: id,
  ...more,
})
const when = (...conditions: Condition[]) => ({ visible_if: { match: 'all' as const, conditions } })
const evaluate = (fields: Field[], data: Record<string, unknown>) =>
  new CompiledForm(1, fields, {}).evaluate(data)
const rulesOf = (fields: Field[], data: Record<string, unknown>) =>
  evaluate(fields, data).faults.map((fault) => `${fault.field} ${fault.rule}`)

describe('a hidden field', () => {
  const fields = [
    field('kind', 'radio', { options: [{ value: 'person' }, { value: 'company' }] }),
    field('company', 'text', {
      required: true,
      ...when({ field: 'kind', operator: 'equals', value: 'company' }),
    }),
    field('vat', 'text', {
      ...when({ field: 'company', operator: 'is_not_empty' }),
      validation: { max_length: 3 },
    }),
  ]

  test('is dropped, whatever its value is, and is not required', () => {
    const { data, faults } = evaluate(fields, {
      kind: 'person',
      company: { any: 'thing' },
      vat: 'far too long',
    })
    expect({ data, faults }).toEqual({ data: { kind: 'person' }, faults: [] })
  })

  test('counts as empty for the fields behind it', () => {
    expect(evaluate(fields, { kind: 'person', company: 'X', vat: '1' }).data).toEqual({ kind: 'person' })
    expect(evaluate(fields, { kind: 'company', company: 'X', vat: '1' }).data).toEqual({
      kind: 'company',
      company: 'X',
      vat: '1',
    })
    expect(rulesOf(fields, { kind: 'company', vat: '1' })).toEqual(['data.company required'])
  })

  test('may be a section, which hides what is below it up to the next one', () => {
    const all = [
      field('more', 'checkbox'),
      field('one', 'section', when({ field: 'more', operator: 'equals', value: true })),
      field('a', 'text', { required: true }),
      field('two', 'section'),
      field('b', 'text'),
    ]
    expect(evaluate(all, { a: 'x', b: 'y' })).toMatchObject({ data: { more: false, b: 'y' }, faults: [] })
    expect(evaluate(all, { more: true, a: 'x' }).data).toEqual({ more: true, a: 'x' })
    expect(rulesOf(all, { more: true })).toEqual(['data.a required'])
  })

  test.each<[Condition['operator'], unknown, Field['type'], [unknown, boolean][]]>([
    [
      'equals',
      'x',
      'text',
      [
        ['x', true],
        ['X', false],
        [undefined, false],
      ],
    ],
    [
      'not_equals',
      'x',
      'text',
      [
        ['x', false],
        ['y', true],
        [undefined, true],
      ],
    ],
    [
      'contains',
      'Ell',
      'text',
      [
        ['Hello', true],
        ['Help', false],
        [undefined, false],
      ],
    ],
    [
      'not_contains',
      'Ell',
      'text',
      [
        ['Hello', false],
        [undefined, true],
      ],
    ],
    [
      'greater_than',
      3,
      'number',
      [
        [4, true],
        [3, false],
        [undefined, false],
      ],
    ],
    [
      'less_than',
      3,
      'number',
      [
        [2, true],
        [3, false],
        [undefined, false],
      ],
    ],
    [
      'greater_than',
      '2026-01-31',
      'date',
      [
        ['2026-02-01', true],
        ['2026-01-31', false],
      ],
    ],
    [
      'is_empty',
      undefined,
      'checkbox',
      [
        [false, true],
        [undefined, true],
        [true, false],
      ],
    ],
    [
      'is_not_empty',
      undefined,
      'text',
      [
        ['x', true],
        [' ', false],
      ],
    ],
  ])('is hidden by %s %j of a %s field', (operator, value, type, cases) => {
    const condition = { field: 'a', operator, ...(value !== undefined && { value }) } as Condition
    const form = new CompiledForm(
      1,
      [field('a', type), field('b', 'hidden', { default: 'shown', ...when(condition) })],
      {},
    )
    for (const [given, shown] of cases)
      expect([given, 'b' in form.evaluate({ a: given }).data]).toEqual([given, shown])
  })
})
