import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withNewProjects } from '#testkit/with-api.ts'

interface List {
  readonly data: { readonly email: string }[]
  readonly pagination: { readonly total: number }
}

let api: TestApi
let side: Side

withNewProjects((opened, one) => {
  api = opened
  side = one.live
})

test('metadata is compared as it is written, whatever the type of its values', async () => {
  const values = [
    '5',
    5,
    5.5,
    '5.5',
    -1,
    0,
    1e21,
    'true',
    true,
    false,
    null,
    {},
    [],
    { a: 1 },
    [1],
    'null',
    '"5"',
    '\\',
    "'",
  ]
  const keys = ['a', 'b c', "d'", 'e.f']
  const metadata = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values), { maxKeys: 3 })
  const client = await api.owner.connect()
  await client.query("select set_config('app.project_id', $1, false)", [side.projectId])
  try {
    await client.query(
      `insert into members (id, email, status, plan_id, plan_version, metadata, deleted_at, created_at, updated_at)
       select gen_random_uuid(), 'meta-' || n || '@example.com', case when n % 2 = 0 then 'active' else 'pending' end, p.id,
         p.version, m, case when n % 9 = 0 then now() end, now(), now()
       from plans p, jsonb_array_elements($1) with ordinality as m (m, n) where p.project_id = $2 and p.is_default`,
      [JSON.stringify(fc.sample(metadata, 150)), side.projectId],
    )
    const asked = fc.constantFrom(
      ...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
      '{"a": 1}',
      '1000000000000000000000',
      '5.50',
      '{',
      'x',
    )
    const wanted = fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), asked), {
      minLength: 1,
      maxLength: 2,
      selector: ([key]) => key,
    })
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        wanted,
        fc.constantFrom('', '&status=active', '&search=meta'),
        async (pairs, filter) => {
          const { rows } = await client.query(
            `select email from members where project_id = $1 and deleted_at is null and ($2 = '' or status = 'active')
             and not exists (select from jsonb_array_elements($3) w where metadata ->> (w ->> 0) is distinct from w ->> 1)
           order by email_key`,
            [side.projectId, filter === '&status=active' ? 'active' : '', JSON.stringify(pairs)],
          )
          const query = pairs.map(
            ([key, value]) => `metadata.${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
          )
          const { data, pagination } = (
            await side.admin.get<List>(`/members?${query.join('&')}${filter}&sort=email&order=asc&limit=100`)
          ).body
          expect(data.map(({ email }) => email)).toEqual(rows.map(({ email }) => email))
          expect(pagination.total).toBe(rows.length)
          found += rows.length
        },
      ),
      { numRuns: 120 },
    )
    expect(found).toBeGreaterThan(50)
  } finally {
    client.release(true)
  }
})
