import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Condition, Field } from '../builder/field-schema.ts'
import { CompiledForm } from './compiled-form.ts'

// Properties of conditions, over forms and values made at random.

const evaluate = (fields: Field[], data: Record<string, unknown>) =>
  new CompiledForm(1, fields, {}).evaluate(data)

/** Forms of which each field may ask of those before it. */
const forms: fc.Arbitrary<Field[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom<Field['type']>('text', 'number', 'checkbox', 'select', 'section'),
      required: fc.boolean(),
      match: fc.constantFrom('all' as const, 'any' as const),
      asks: fc.array(fc.record({ of: fc.nat(30), not: fc.boolean(), empty: fc.boolean() }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((all) =>
    all.map(({ type, required, match, asks }, i): Field => {
      const conditions = asks.flatMap(({ of, not, empty }): Condition[] => {
        const before = all[of % Math.max(1, i)]
        if (i === 0 || before === undefined || before.type === 'section') return []
        const asked = `f${of % i}`
        if (empty) return [{ field: asked, operator: not ? 'is_not_empty' : 'is_empty' }]
        const value = { number: 1, checkbox: true }[String(before.type)] ?? 'x'
        return [{ field: asked, operator: not ? 'not_equals' : 'equals', value }]
      })
      return {
        id: `f${i}`,
        type,
        label: 'A field',
        ...(type === 'select' && { options: [{ value: 'x' }, { value: 'y' }] }),
        ...(type !== 'section' && { required }),
        ...(conditions.length > 0 && { visible_if: { match, conditions } }),
      }
    }),
  )
const values = fc.constantFrom<unknown>('x', 'y', '', null, undefined, 1, 2, true, false, ['x'])
const submissions = fc.array(values, { minLength: 10, maxLength: 10 })
const toData = (fields: Field[], given: readonly unknown[]) =>
  Object.fromEntries(fields.flatMap(({ id, type }, i) => (type === 'section' ? [] : [[id, given[i]]])))

describe('of any form and any values', () => {
  /** Ids of the fields that are shown, by what is stored; found in another way than the evaluation finds them. */
  const shownBy = (fields: Field[], data: Record<string, unknown>): string[] => {
    let section = true
    return fields.flatMap((each) => {
      const { match, conditions = [] } = each.visible_if ?? {}
      const met = conditions.map(({ field: asked, operator, value }) => {
        const found = Object.hasOwn(data, asked) ? data[asked] : undefined
        if (operator === 'equals' || operator === 'not_equals')
          return (found === value) === (operator === 'equals')
        return (found === undefined || found === false) === (operator === 'is_empty')
      })
      const own = met.length === 0 || (match === 'any' ? met.includes(true) : !met.includes(false))
      if (each.type === 'section') section = own
      return own && section ? [each.id] : []
    })
  }

  test('what is stored are values of fields that are shown, and each required one of them', () => {
    fc.assert(
      fc.property(forms, submissions, (fields, given) => {
        const { data, faults } = evaluate(fields, toData(fields, given))
        fc.pre(faults.length === 0)
        const shown = shownBy(fields, data)
        for (const id of Object.keys(data)) expect(shown).toContain(id)
        for (const { id, required } of fields)
          if (required === true && shown.includes(id)) expect(data).toHaveProperty(id)
      }),
      { numRuns: 500 },
    )
  })

  test('what is stored would be stored again as it is', () => {
    fc.assert(
      fc.property(forms, submissions, (fields, given) => {
        const { data, faults } = evaluate(fields, toData(fields, given))
        fc.pre(faults.length === 0)
        expect(evaluate(fields, data)).toMatchObject({ data, faults: [] })
      }),
      { numRuns: 500 },
    )
  })

  test('values of hidden fields change nothing', () => {
    fc.assert(
      fc.property(forms, submissions, submissions, (fields, given, noise) => {
        const before = evaluate(fields, toData(fields, given))
        fc.pre(before.faults.length === 0)
        const shown = shownBy(fields, before.data)
        const changed = given.map((value, i) => (shown.includes(`f${i}`) ? value : noise[i]))
        expect(evaluate(fields, toData(fields, changed))).toEqual(before)
      }),
      { numRuns: 500 },
    )
  })
})
