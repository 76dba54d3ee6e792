import { describe, expect, test } from 'vitest'
import { cpuTime } from '#testkit/own-time.ts'
import type { Field } from '../builder/field-schema.ts'
import { CompiledForm } from './compiled-form.ts'

// Which values fit which fields, and as what they are stored.

const field = (id: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  id,
  type,
  label: id,
  ...more,
})
const evaluate = (fields: Field[], data: Record<string, unknown>) =>
  new CompiledForm(1, fields, {}).evaluate(data)

/** Whether a field takes a value: what is stored of it, or the rule that it breaks. */
function outcome(one: Partial<Field> & Pick<Field, 'type'>, value: unknown): unknown {
  const { data, faults } = evaluate([{ id: 'a', label: 'A', ...one }], { a: value })
  return faults[0]?.rule ?? data.a
}

describe('a value', () => {
  test.each<[Partial<Field> & Pick<Field, 'type'>, [unknown, unknown][]]>([
    [
      { type: 'text' },
      [
        ['x', 'x'],
        ['x'.repeat(1_001), 'max_length'],
        [1, 'type'],
        [true, 'type'],
        [['x'], 'type'],
      ],
    ],
    [
      { type: 'textarea', validation: { min_length: 2, max_length: 3 } },
      [
        ['x', 'min_length'],
        ['😀😀😀', '😀😀😀'],
        ['xxxx', 'max_length'],
      ],
    ],
    [
      { type: 'text', validation: { pattern: '[a-c]+' } },
      [
        ['abc', 'abc'],
        ['xabc', 'pattern'],
        ['abc\n', 'pattern'],
        ['a'.repeat(2_001), 'max_length'],
      ],
    ],
    [
      { type: 'email' },
      [
        ['A@B.Example', 'A@b.example'],
        ['a@b', 'format'],
        ['a b@c.de', 'format'],
        [`${'x'.repeat(250)}@a.de`, 'max_length'],
      ],
    ],
    [
      { type: 'url' },
      [
        ['https://a.example/b?c', 'https://a.example/b?c'],
        ['javascript:alert(1)', 'format'],
        ['//a', 'format'],
        ['http://', 'format'],
      ],
    ],
    [
      { type: 'phone' },
      [
        ['+44 (0)20 7946-0000', '+44 (0)20 7946-0000'],
        ['12', 'format'],
        ['abc12345', 'format'],
        ['1'.repeat(16), 'format'],
      ],
    ],
    [
      { type: 'number', validation: { min: -1, max: 1.5 } },
      [
        [1.5, 1.5],
        [0, 0],
        [-2, 'min'],
        [1.6, 'max'],
        ['1', 'type'],
        [Number.NaN, 'type'],
      ],
    ],
    [
      { type: 'rating' },
      [
        [5, 5],
        [0, 'min'],
        [6, 'max'],
        [2.5, 'type'],
        ['5', 'type'],
      ],
    ],
    [
      { type: 'date', validation: { min: '2026-01-01', max: '2026-12-31' } },
      [
        ['2026-02-28', '2026-02-28'],
        ['2026-02-29', 'type'],
        ['2025-12-31', 'min'],
        ['2027-01-01', 'max'],
        ['1.1.2026', 'type'],
      ],
    ],
    [
      { type: 'select', options: [{ value: 'x' }] },
      [
        ['x', 'x'],
        ['y', 'option'],
        [['x'], 'option'],
      ],
    ],
    [
      { type: 'radio', options: [{ value: 'x' }] },
      [
        ['x', 'x'],
        ['X', 'option'],
      ],
    ],
    [
      {
        type: 'multi_select',
        options: [{ value: 'x' }, { value: 'y' }, { value: 'z' }],
        validation: { min: 2, max: 2 },
      },
      [
        [
          ['y', 'x', 'y'],
          ['x', 'y'],
        ],
        [['x'], 'min'],
        [['x', 'y', 'z'], 'max'],
        [['x', 'q'], 'option'],
        ['x', 'type'],
      ],
    ],
    [
      { type: 'checkbox' },
      [
        [true, true],
        [false, false],
        [undefined, false],
        ['on', 'type'],
      ],
    ],
    [
      { type: 'consent', required: true },
      [
        [true, true],
        [false, 'required'],
        [undefined, 'required'],
      ],
    ],
    [
      { type: 'hidden', default: 'ad' },
      [
        [undefined, 'ad'],
        ['x', 'x'],
        ['', undefined],
      ],
    ],
    [
      { type: 'password' },
      [
        ['correct horse battery', undefined],
        ['short', 'min_length'],
        ['password123', 'common'],
      ],
    ],
    [
      { type: 'file' },
      [
        ['file_01jcq3k8f7e8qtk4m3hbw7rn2e', 'exists'],
        [1, 'exists'],
        [undefined, undefined],
      ],
    ],
    [{ type: 'section' }, [['x', 'additionalProperties']]],
  ])('of %j', (one, cases) => {
    for (const [value, expected] of cases) expect([value, outcome(one, value)]).toEqual([value, expected])
  })

  test('that matches a pattern built for catastrophic backtracking takes no time', async () => {
    const fields = Array.from({ length: 5 }, (_, i) =>
      field(`f${i}`, 'text', { validation: { pattern: '(([a-z]+)*)+(a|aa)+$' } }),
    )
    const form = new CompiledForm(1, fields, {})
    const data = Object.fromEntries(fields.map(({ id }) => [id, `${'a'.repeat(1_999)}!`]))
    expect(await cpuTime(() => expect(form.evaluate(data).faults.length).toBe(5))).toBeLessThan(1_000)
  })
})
