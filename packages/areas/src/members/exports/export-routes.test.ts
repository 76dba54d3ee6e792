import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { RunningWorker } from '#platform/jobs/worker.ts'
import { importCsv, startJobs } from '#testkit/areas/member-imports.ts'
import { type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { insertMembers } from '../queries.ts'
import type { NewMember } from '../schema.ts'

let env: StorageEnvironment
let worker: RunningWorker
withStorage((opened) => {
  env = opened
  worker = startJobs(env.api, env.s3)
})
afterAll(() => worker.stop())

const exportOf = async (side: Side, query = '') =>
  (await side.admin.get<string>(`/members/export${query}`)).body

/** What there is to know of a project's live members, but for what every project makes anew. */
async function membersOf(side: Side): Promise<unknown[]> {
  return env.sql(
    `select m.email, m.full_name, m.avatar_url, m.role, m.status, p.slug, m.metadata,
       date_trunc('milliseconds', m.created_at) as created_at,
       date_trunc('milliseconds', m.email_verified_at) as email_verified_at,
       date_trunc('milliseconds', m.last_login_at) as last_login_at
     from members m join plans p on p.project_id = m.project_id and p.id = m.plan_id
     where m.project_id = $1 and m.deleted_at is null order by m.email_key`,
    [side.projectId],
  )
}

const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '"', ',', ' ', '1', '.', 'é', '😀', '\\'),
      maxLength: 8,
    }),
    fc.constantFrom("=cmd|' /C calc'!A0", "'=1", "''-x", '-1', "'-1", '\\.', ' spaces ', 'NULL', '1e5'),
  )
  .filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed())

const local = fc.string({
  unit: fc.constantFrom(..."abcXYZ09!#$%&*+/=?^_`{|}~-'"),
  minLength: 1,
  maxLength: 20,
})
const json = fc
  .dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 8 })
  .filter((value) => {
    const text = JSON.stringify(value)
    return !/\\u0000|__proto__|\\ud[89a-f]/i.test(text) && text.isWellFormed() && text.length < 10_000
  })
const time = fc.option(
  fc.date({ min: new Date('1990-01-01'), max: new Date('2026-01-01'), noInvalidDate: true }),
)

const member = fc.record({
  email: local,
  full_name: name,
  avatar_url: fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true })),
  role: fc.stringMatching(/^[a-z][a-z0-9_-]{0,31}$/),
  status: fc.constantFrom<NonNullable<NewMember['status']>>('active', 'inactive', 'pending'),
  plan: fc.constantFrom('default', 'gold', 'silver'),
  metadata: json,
  created_at: time,
  email_verified_at: time,
  last_login_at: time,
})

async function withPlans(side: Side): Promise<Map<string, string>> {
  for (const slug of ['gold', 'silver']) await side.makePlan({ slug })
  const rows = await env.sql<{ id: string; slug: string }>(
    "select id, case when is_default then 'default' else slug end as slug from plans where project_id = $1",
    [side.projectId],
  )
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}

test('export → import into another project loses nothing', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(member, { minLength: 1, maxLength: 25 }), async (members) => {
      const [{ live: from }, { live: to }] = await makeProjects(env.api)
      const plans = await withPlans(from)
      await withPlans(to)
      const iso = (date: Date | null) => date?.toISOString() ?? null
      const rows = members.map(({ plan, ...one }, i) => ({
        ...one,
        id: crypto.randomUUID(),
        email: `${one.email}${i}@example.com`,
        plan_id: plans.get(plan) ?? '',
        metadata: JSON.stringify(one.metadata),
        created_at: iso(one.created_at),
        email_verified_at: iso(one.email_verified_at),
        last_login_at: iso(one.last_login_at),
      }))
      await from.write((ctx) => insertMembers(ctx, { rows }))
      const csv = await exportOf(from, '?bom=true')
      const result = await importCsv(to, csv)
      expect(result).toMatchObject({ faulty: 0, faults: [], created: members.length })
      expect(await membersOf(to)).toEqual(await membersOf(from))
      // Once more: what was imported is exported in the same words.
      const words = (text: string) =>
        text
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',').slice(2, -1).join())
      expect(words(await exportOf(to)).sort()).toEqual(words(csv).sort())
    }),
    { numRuns: 25 },
  )
})

test('metadata as large as merging can make it is taken back', async () => {
  const [{ live: from }, { live: to }] = await makeProjects(env.api)
  const { id } = await from.makeMember({ metadata: { a: 'x'.repeat(16_000) } })
  expect((await from.admin.patch(`/members/${id}`, { metadata: { b: 'y'.repeat(4_400) } })).status).toBe(200)
  expect(await importCsv(to, await exportOf(from))).toMatchObject({ created: 1, faulty: 0 })
  expect((await membersOf(to))[0]).toMatchObject({ metadata: { b: 'y'.repeat(4_400) } })
})

test('another program reads the same cells', async () => {
  const [{ live: side }] = await makeProjects(env.api)
  await side.makeMember({ email: '=a@example.com', full_name: 'Ada, "the" =first', metadata: { a: 'ü\n"' } })
  await side.makeMember({ email: 'b@example.com', full_name: '=1+1' })
  const csv = await exportOf(side)
  const script = 'import csv,json,sys; print(json.dumps(list(csv.DictReader(sys.stdin, strict=True))))'
  const child = promisify(execFile)('python3', ['-X', 'utf8', '-c', script])
  child.child.stdin?.end(csv)
  const rows = JSON.parse((await child).stdout) as Record<string, string>[]
  expect(rows).toMatchObject([
    {
      email: "'=a@example.com",
      full_name: 'Ada, "the" =first',
      metadata: '{"a": "ü\\n\\""}',
      role: 'member',
    },
    { email: 'b@example.com', full_name: "'=1+1", avatar_url: '', status: 'active' },
  ])
  expect(rows[0]?.['id']).toMatch(/^mem_[0-9a-z]{26}$/)
  expect(rows[0]?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('filters are those of the list, and nobody is in it who is deleted or another project’s', async () => {
  const [{ live: side }, { live: other }] = await makeProjects(env.api)
  await side.makeMember({ email: 'one@example.com', full_name: 'Percent 100%' })
  await side.makeMember({ email: 'two@example.com', status: 'pending' })
  const gone = await side.makeMember({ email: 'gone@example.com' })
  await side.admin.delete(`/members/${gone.id}`)
  await other.makeMember({ email: 'other@example.com' })
  const emails = async (query: string) =>
    (await exportOf(side, query))
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[2])
  expect(await emails('')).toEqual(['one@example.com', 'two@example.com'])
  expect(await emails('?status=pending')).toEqual(['two@example.com'])
  expect(await emails('?search=100%25')).toEqual(['one@example.com'])
  expect(await emails('?search=_')).toEqual([])
  expect(await emails("?search=';drop table members;--")).toEqual([])
})
