import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { cpuTime } from '#testkit/own-time.ts'
import { withProjects } from '#testkit/with-api.ts'

interface Refusal {
  code: string
  error: string
  details: { field: string; rule: string; message: string }[]
}

let side: Side

withProjects((_api, one) => {
  side = one.live
})

const MIB = 1024 * 1024

/** A body of a megabyte, with as many of the items as fit. */
function filled(open: string, item: (i: number) => string, close: string): string {
  const items: string[] = []
  for (let size = open.length + close.length, i = 0; ; i++) {
    const next = item(i)
    size += next.length + 1
    if (size > MIB) return `${open}${items.join(',')}${close}`
    items.push(next)
  }
}

describe('a megabyte of mistakes', () => {
  test.for([
    ['unknown fields', '/members', filled('{', (i) => `"f${i}":1`, '}')],
    ['entries of a wrong type', '/plans', filled('{"name":"x","price":1,"features":[', () => '{}', ']}')],
    ['entries too many', '/members/bulk', filled('{"operations":[', () => '{}', ']}')],
    ['NUL characters', '/members', filled('{"metadata":{"a":[', () => '"\\u0000"', ']}}')],
    ['names that are none', '/members', filled('{"metadata":[', () => '{"__proto__":1}', ']}')],
  ] as const)('of %s gets a small answer, soon', async ([, path, raw]) => {
    const spent = await cpuTime(async () => {
      const { status, body } = await side.admin.post<Refusal>(path, undefined, { raw })
      expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(JSON.stringify(body).length).toBeLessThan(20_000)
    })
    // Every fault by its name took nine seconds and 54 MB.
    expect(spent).toBeLessThan(3_000)
  })
})

test('of many faults the first hundred are reported, and how many more there are', async () => {
  const fields = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`unknown_${i}`, 1]))
  const { body } = await side.admin.post<Refusal>('/members', { email: 'a@example.com', ...fields })
  expect(body.details).toHaveLength(100)
  expect(body.error).toBe('The request body is invalid: unknown_0 is not a known field (and 149 more)')
})

test('faults say where, which rule, and what was expected', async () => {
  const operations = [
    { action: 'update', id: 'x' },
    { action: 'explode', id: 1, changes: { 'a/b~c': 1, email: 'none' } },
  ]
  const { body } = await side.admin.post<Refusal>('/members/bulk', { operations })
  expect(body.details).toEqual(
    expect.arrayContaining([
      { field: 'operations[1].action', rule: 'enum', message: 'must be one of: update, delete, invite' },
      { field: 'operations[1].id', rule: 'type', message: 'must be a string' },
      { field: 'operations[1].changes.a/b~c', rule: 'additionalProperties', message: 'is not a known field' },
      {
        field: 'operations[1].changes.email',
        rule: 'format',
        message: 'must be an email address of at most 254 characters',
      },
    ]),
  )
  expect(body.details).toHaveLength(4)
})

test('all faults of a body are reported at once, a common password among them', async () => {
  const body = { email: 'none', password: 'password123', role: 'No role' }
  const { details } = (await side.admin.post<Refusal>('/members', body)).body
  expect(details.map(({ field, rule }) => [field, rule])).toEqual([
    ['email', 'format'],
    ['password', 'common'],
    ['role', 'pattern'],
  ])
  expect(details.map(({ message }) => message)).toContain('is too common: choose another one')
})

test('a request without a body is asked to send one', async () => {
  const { status, body } = await side.admin.post<Refusal>('/members', undefined)
  expect([status, body.error]).toEqual([422, 'The request has no body: send a JSON body'])
})

test('an unknown parameter is named beside those that are known', async () => {
  const { body } = await side.admin.get<Refusal>('/members/export?topic=x')
  expect(body.error).toBe('Unknown parameter `topic`. Known: status, search, bom')
})

test('a leap second is refused as a timestamp, and so are a day that is none and a year that PostgreSQL does not have', async () => {
  const discount = (starts_at: string) =>
    side.admin.post<Refusal>('/shop/discounts', { code: randomUUID().slice(0, 8), percent: 10, starts_at })
  const none = ['2026-12-31T23:59:60Z', '2027-01-01T00:59:60+01:00', '2026-02-30T00:00:00Z']
  for (const wrong of [...none, '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00']) {
    const { status, body } = await discount(wrong)
    expect([wrong, status, body.details?.[0]?.field]).toEqual([wrong, 422, 'starts_at'])
  }
  expect((await discount('2026-12-31t23:59:59.5+01:00')).status).toBe(201)
})

test('an address has 254 characters at the most, and is compared after trimming', async () => {
  const of = (length: number) =>
    `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(length - 191)}.example`
  const status = async (email: string) => (await side.admin.post('/members', { email })).status
  expect(of(254)).toHaveLength(254)
  expect([await status(of(254)), await status(`  ${of(254)}  `), await status(of(255))]).toEqual([
    201, 422, 422,
  ])
  for (const wrong of [
    'a@',
    '@b.example',
    'a b@c.example',
    'a@b..example',
    'a@b.example, c@d.example',
    'a\r\n@b.example',
    'ä@b.example',
  ])
    expect([wrong, await status(wrong)]).toEqual([wrong, 422])
})
