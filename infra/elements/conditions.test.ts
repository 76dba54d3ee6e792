import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field } from '#areas/forms/builder/field-schema.ts'
import { CompiledForm } from '#areas/forms/evaluation/compiled-form.ts'
import { type Answer, shownFields } from '../../packages/elements/src/form/conditions.ts'

const WORDS = ['a', 'b', 'ab']
const OPERATORS = [
  ...(['equals', 'not_equals', 'contains', 'not_contains'] as const),
  ...(['greater_than', 'less_than', 'is_empty', 'is_not_empty'] as const),
]
const ANSWERS: Readonly<Record<string, fc.Arbitrary<Answer>>> = {
  text: fc.constantFrom(...WORDS, undefined),
  number: fc.constantFrom(0, 1, 2, undefined),
  checkbox: fc.boolean(),
  multi_select: fc.constantFrom(['a'], ['a', 'b'], ['b'], undefined),
  section: fc.constant(undefined),
}

/** A field of a form, with conditions on fields before it. @param index its place */
const fieldAt = (index: number) =>
  fc
    .record({
      type: fc.constantFrom('text', 'number', 'checkbox', 'multi_select', 'section'),
      match: fc.constantFrom('all', 'any'),
      conditions: fc.array(
        fc.record({
          field: fc.nat({ max: Math.max(0, index - 1) }).map((n) => `f${n}`),
          operator: fc.constantFrom(...OPERATORS),
          value: fc.constantFrom<string | number | boolean>(...WORDS, 0, 1, 2, true, false),
        }),
        { maxLength: index === 0 ? 0 : 2 },
      ),
    })
    .map(({ type, match, conditions }) => ({
      ...{ id: `f${index}`, type, label: 'Field' },
      ...(type === 'multi_select' && { options: WORDS.map((value) => ({ value })) }),
      ...(conditions.length > 0 && { visible_if: { match, conditions } }),
    }))

const forms = fc
  .tuple(...[0, 1, 2, 3, 4, 5].map(fieldAt))
  .chain((fields) =>
    fc.tuple(
      fc.constant(fields),
      fc.tuple(...fields.map(({ type }) => ANSWERS[type] ?? fc.constant(undefined))),
    ),
  )

test('an element shows the fields of a form that the API shows, whatever is filled in', () => {
  fc.assert(
    fc.property(forms, ([fields, answers]) => {
      const shown = shownFields(
        fields as Parameters<typeof shownFields>[0],
        (id) => answers[Number(id.slice(1))],
      )
      const given = fields.flatMap(({ id }, i) => (answers[i] === undefined ? [] : [[id, answers[i]]]))
      const { data } = new CompiledForm(1, fields as Field[], {}).evaluate(Object.fromEntries(given))
      const kept = given.map(([id]) => String(id)).filter((id) => shown.has(id))
      expect(Object.keys(data)).toEqual(kept)
    }),
    { numRuns: 2_000 },
  )
})
