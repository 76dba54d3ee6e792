import { describe, expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Condition, Field } from './field-schema.ts'

// Forms that do not hold together are refused when they are saved, with all faults by their paths.

let side: Side

withProjects((_api, one) => {
  side = one.live
})

interface Refused {
  code: string
  error: string
  details?: { field: string; rule: string; message: string }[]
}

/** What is wrong with a form, as `field rule`; nothing where it is taken. */
async function faultsOf(form: object): Promise<string[]> {
  const { status, body } = await side.admin.post<Refused>('/forms', { name: 'Form', ...form })
  if (status === 201) return []
  expect({ status, code: body.code }).toMatchObject({
    status: 422,
    code: expect.stringMatching(/^(VALIDATION_ERROR|LIMIT_REACHED)$/),
  })
  return (body.details ?? []).map(({ field, rule }) => `${field} ${rule}`)
}
const ofField = (field: Partial<Field>) =>
  faultsOf({ fields: [{ id: 'a', type: 'text', label: 'A', ...field }] })

const OPTIONS = [{ value: 'x' }, { value: 'y' }]

describe('a field', () => {
  test('has an id of its own', async () => {
    const field = { id: 'a', type: 'text', label: 'A' }
    expect(await faultsOf({ fields: [field, { ...field, type: 'email' }] })).toEqual(['fields[1].id unique'])
    for (const id of ['', '1a', 'a b', '__proto__', 'a.b', 'ä', 'x'.repeat(65)])
      expect([id, (await ofField({ id })).length]).toEqual([id, 1])
    for (const id of ['a', 'A1', 'first-name', 'constructor', 'toString', 'x'.repeat(64)])
      expect([id, await ofField({ id })]).toEqual([id, []])
  })

  test('of choices has options, each once, and others have none', async () => {
    for (const type of ['select', 'radio', 'multi_select'] as const) {
      expect(await ofField({ type })).toEqual(['fields[0].options required'])
      expect(await ofField({ type, options: [{ value: 'x' }, { value: 'x' }] })).toEqual([
        'fields[0].options unique',
      ])
      expect(await ofField({ type, options: OPTIONS })).toEqual([])
    }
    expect(await ofField({ options: OPTIONS })).toEqual(['fields[0].options additionalProperties'])
  })

  test('takes the rules of its type alone', async () => {
    expect(await ofField({ type: 'number', validation: { min_length: 1, allowed_types: ['a/b'] } })).toEqual([
      'fields[0].validation.min_length additionalProperties',
      'fields[0].validation.allowed_types additionalProperties',
    ])
    expect(await ofField({ type: 'date', validation: { min: 5 } })).toEqual(['fields[0].validation.min type'])
    expect(await ofField({ type: 'date', validation: { max: '2026-02-30' } })).toEqual([
      'fields[0].validation.max type',
    ])
    expect(await ofField({ type: 'number', validation: { min: '5' } })).toEqual([
      'fields[0].validation.min type',
    ])
    expect(await ofField({ type: 'rating', validation: { max: 101 } })).toEqual([
      'fields[0].validation.max maximum',
    ])
    expect(await ofField({ type: 'section', required: true })).toEqual(['fields[0].required type'])
  })

  test('has no bounds that nothing can keep', async () => {
    expect(await ofField({ type: 'number', validation: { min: 2, max: 1 } })).toEqual([
      'fields[0].validation.max minimum',
    ])
    expect(await ofField({ type: 'date', validation: { min: '2026-02-01', max: '2026-01-01' } })).toEqual([
      'fields[0].validation.max minimum',
    ])
    expect(await ofField({ validation: { min_length: 3, max_length: 2 } })).toEqual([
      'fields[0].validation.max_length minimum',
    ])
    expect(await ofField({ type: 'multi_select', options: OPTIONS, validation: { min: 3 } })).toEqual([
      'fields[0].validation.min maximum',
    ])
  })

  test('has a default that it would take', async () => {
    expect(await ofField({ type: 'number', default: 'x' })).toEqual(['fields[0].default type'])
    expect(await ofField({ type: 'select', options: OPTIONS, default: 'z' })).toEqual([
      'fields[0].default option',
    ])
    expect(await ofField({ type: 'email', default: 'nobody' })).toEqual(['fields[0].default format'])
    for (const type of ['file', 'password', 'consent', 'section'] as const)
      expect(await ofField({ type, default: 'x' })).toEqual(['fields[0].default additionalProperties'])
    expect(await ofField({ type: 'checkbox', required: true, default: false })).toEqual([])
  })
})

describe('a pattern', () => {
  test('is a regular expression of RE2, and is refused for anything else', async () => {
    for (const pattern of ['(', '[', '(?=a)', '(a)\\1', '*', '(?<!x)y', '(?R)', 'a{1,1001}'])
      expect([pattern, await ofField({ validation: { pattern } })]).toEqual([
        pattern,
        ['fields[0].validation.pattern pattern'],
      ])
    for (const pattern of ['[A-Z]{2}\\d+', '\\p{L}+', '(a+)+$', '^x$'])
      expect([pattern, await ofField({ validation: { pattern } })]).toEqual([pattern, []])
  })

  test('that would compile to a large program is refused, alone and together with others', async () => {
    expect(await ofField({ validation: { pattern: '(.{1,30}){1,30}' } })).toEqual([
      'fields[0].validation.pattern pattern',
    ])
    const fields = Array.from({ length: 10 }, (_, i) => ({
      id: `f${i}`,
      type: 'text',
      label: 'F',
      validation: { pattern: `x{${i}}[a-z]{900}` },
    }))
    expect(await faultsOf({ fields })).toEqual(['fields pattern'])
    expect(await faultsOf({ fields: fields.slice(0, 5) })).toEqual([])
  })
})

describe('a condition', () => {
  const fields = [
    { id: 'n', type: 'number', label: 'N' },
    { id: 'c', type: 'select', label: 'C', options: OPTIONS },
    { id: 'f', type: 'file', label: 'F' },
    { id: 's', type: 'section', label: 'S' },
  ]
  const ofCondition = (condition: Condition) =>
    faultsOf({
      fields: [...fields, { id: 'last', type: 'text', label: 'L', visible_if: { conditions: [condition] } }],
    })
  const AT = 'fields[4].visible_if.conditions[0]'

  test('asks of a field before it, so that conditions never go round in a circle', async () => {
    const asking = (id: string, of: string) => ({
      id,
      type: 'text',
      label: id,
      visible_if: { conditions: [{ field: of, operator: 'is_empty' }] },
    })
    expect(await faultsOf({ fields: [asking('a', 'a')] })).toEqual([
      'fields[0].visible_if.conditions[0].field order',
    ])
    expect(await faultsOf({ fields: [asking('a', 'b'), asking('b', 'a')] })).toEqual([
      'fields[0].visible_if.conditions[0].field order',
    ])
    expect(await faultsOf({ fields: [asking('a', 'nothing')] })).toEqual([
      'fields[0].visible_if.conditions[0].field exists',
    ])
  })

  test('asks what can be asked of that type', async () => {
    expect(await ofCondition({ field: 'c', operator: 'greater_than', value: 1 })).toEqual([
      `${AT}.operator operator`,
    ])
    expect(await ofCondition({ field: 'f', operator: 'equals', value: 'x' })).toEqual([
      `${AT}.operator operator`,
    ])
    expect(await ofCondition({ field: 's', operator: 'is_empty' })).toEqual([`${AT}.operator operator`])
    expect(await ofCondition({ field: 'f', operator: 'is_not_empty' })).toEqual([])
  })

  test('compares with a value that there can be', async () => {
    expect(await ofCondition({ field: 'n', operator: 'equals', value: '1' })).toEqual([`${AT}.value type`])
    expect(await ofCondition({ field: 'n', operator: 'equals' })).toEqual([`${AT}.value required`])
    expect(await ofCondition({ field: 'n', operator: 'is_empty', value: 1 })).toEqual([
      `${AT}.value additionalProperties`,
    ])
    expect(await ofCondition({ field: 'c', operator: 'equals', value: 'z' })).toEqual([`${AT}.value option`])
  })
})

describe('a form', () => {
  test('of 10,000 fields is refused in words', async () => {
    const fields = Array.from({ length: 10_000 }, (_, i) => ({ id: `f${i}`, type: 'text', label: 'F' }))
    const { status, body } = await side.admin.post<Refused>('/forms', { name: 'Large', fields })
    expect({ status, field: body.details?.[0]?.field }).toEqual({ status: 422, field: 'fields' })
    expect(body.error).toContain('200')
    expect(await faultsOf({ fields: fields.slice(0, 201) })).toEqual(['fields maxItems'])
    expect(await faultsOf({ fields: fields.slice(0, 200) })).toEqual([])
  })

  test('is checked by it when it is changed too, and keeps what it was', async () => {
    const { body } = await side.admin.post<{ data: { id: string } }>('/forms', {
      name: 'Form',
      fields: [{ id: 'a', type: 'text', label: 'A' }],
    })
    const path = `/forms/${body.data.id}`
    const wrong = await side.admin.patch<Refused>(path, {
      settings: { spam: { honeypot: 'a' } },
      name: 'New',
    })
    expect(wrong.body.details?.map(({ field }) => field)).toEqual(['settings.spam.honeypot'])
    const { form } = (await side.admin.get<{ form: { name: string } }>(path)).body
    expect(form.name).toBe('Form')
  })

  test('that makes members names fields that are there, required and always shown', async () => {
    const email = { id: 'e', type: 'email', label: 'E', required: true }
    const signup = (fields: object[], settings: object = { email_field: 'e' }, type = 'signup') =>
      faultsOf({ type, fields, settings: { signup: settings } })
    expect(await signup([email])).toEqual([])
    expect(await signup([email], { email_field: 'e' }, 'contact')).toEqual([
      'settings.signup additionalProperties',
    ])
    expect(await signup([{ ...email, type: 'text' }])).toEqual(['settings.signup.email_field exists'])
    expect(await signup([{ ...email, required: false }])).toEqual(['settings.signup.email_field required'])
    const box = { id: 'b', type: 'checkbox', label: 'B' }
    const visible_if = { conditions: [{ field: 'b', operator: 'equals', value: true }] }
    expect(await signup([box, { ...email, visible_if }])).toEqual(['settings.signup.email_field required'])
    const section = { id: 's', type: 'section', label: 'S', visible_if }
    expect(await signup([box, section, email])).toEqual(['settings.signup.email_field required'])
    expect(await signup([email], { email_field: 'e', password_field: 'p' })).toEqual([
      'settings.signup.password_field exists',
    ])
  })
})
