import { afterAll, describe, expect, test } from 'vitest'
import type { RunningWorker } from '#platform/jobs/worker.ts'
import { importCsv, sendCsv, startJobs } from '#testkit/areas/member-imports.ts'
import { type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'

let env: StorageEnvironment
let worker: RunningWorker
withStorage((opened) => {
  env = opened
  worker = startJobs(env.api, env.s3)
})
afterAll(() => worker.stop())

interface Page {
  data: { email: string; id: string }[]
}
const search = async (text: string) => {
  const { body } = await env.side.admin.get<Page>(`/members?search=${text}&limit=100`)
  return body.data
}
const events = (type: string) =>
  env.sql<{ payload: { email: string } }>('select payload from events where type = $1', [type])

interface Refusal {
  code: string
  error: string
  details: { field: string; rule: string; message: string }[]
}

test('rows become members as POST /members makes them: with plan, role, status, metadata and an event each', async () => {
  const plan = await env.side.makePlan({ slug: 'gold' })
  const csv = [
    'email,full_name,avatar_url,role,status,plan,plan_id,metadata,created_at,email_verified_at',
    'Ada@Example.COM ,"Lovelace, ""Ada""",https://example.com/a.png,admin,pending,gold,,"{""a"":[1,""é""]}",2024-02-29T10:00:00Z,2024-03-01T00:00:00+01:00',
    `b.import@example.com,,,,,,${plan.id},,,`,
    'c.import@example.com,,,,,,,,,',
  ].join('\n')
  const before = (await env.side.admin.get<{ data: { total: number } }>('/members/stats')).body.data.total
  const result = await importCsv(env.side, csv)
  expect(result).toMatchObject({
    status: 'completed',
    dry_run: false,
    total_rows: 3,
    processed_rows: 3,
    created: 3,
    faulty: 0,
    faults: [],
    faults_url: null,
  })
  const [ada] = await search('Ada@example.com')
  const { body } = await env.side.admin.get(`/members/${ada?.id}`)
  expect(body).toMatchObject({
    data: {
      email: 'Ada@example.com',
      full_name: 'Lovelace, "Ada"',
      avatar_url: 'https://example.com/a.png',
      status: 'pending',
      plan_id: plan.id,
      metadata: { a: [1, 'é'] },
      created_at: '2024-02-29T10:00:00.000Z',
    },
  })
  const rows = await env.sql<{ email: string; role: string; slug: string; verified: string }>(
    `select m.email, m.role, p.slug, m.email_verified_at::text as verified from members m
     join plans p using (project_id) where p.id = m.plan_id and m.email ~ 'Ada|import' order by lower(m.email)`,
  )
  expect(rows.map(({ role, slug }) => [role, slug])).toEqual([
    ['admin', 'gold'],
    ['member', 'gold'],
    ['member', expect.not.stringContaining('gold')],
  ])
  expect(rows[0]?.verified).toContain('2024-02-29 23:00:00')
  const stats = await env.side.admin.get<{ data: { total: number } }>('/members/stats')
  expect(stats.body.data.total).toBe(before + 3)
  const created = (await events('member.created')).filter(({ payload }) => /Ada|import/.test(payload.email))
  expect(created).toHaveLength(3)
  expect(created.find(({ payload }) => payload.email.startsWith('Ada'))?.payload).toMatchObject({
    id: ada?.id,
    role: 'admin',
  })
})

const FAULTY = [
  'email,full_name,role,status,plan,metadata,created_at,avatar_url',
  'f1@example.com,Fine,,,,,,',
  'not-an-address,,,,,,,',
  ',No address,,,,,,',
  'f4@example.com,,Admin!,gone,,,,',
  'f5@example.com,,,,no-such-plan,,,',
  'f6@example.com,,,,,{broken,,',
  'f7@example.com,,,,,"[1]",,',
  'f8@example.com,,,,,"{""a"":""\\u0000""}",,',
  'f9@example.com,,,,,,2999-01-01T00:00:00Z,javascript:alert(1)',
  'f1@example.com,Again,,,,,,',
  'f11@example.com,one,two,three,four,five,six,seven,eight,nine',
  'f12@example.com,,,,,"{""a"":1e999}",,',
  `f13@example.com,,,,,"{""a"":[${Array(100).fill('1e300').join(',')}]}",,`,
  'f14@example.com,,,,,"{""__proto__"":1}",,',
  "'=f15@example.com,'+1 formula,,,,,,",
].join('\r\n')

const REASONS = [
  [3, 'email', 'format'],
  [4, 'email', 'required'],
  [5, 'role', 'pattern'],
  [5, 'status', 'enum'],
  [6, 'plan', 'exists'],
  [7, 'metadata', 'json'],
  [8, 'metadata', 'type'],
  [9, 'metadata', 'characters'],
  [10, 'avatar_url', 'format'],
  [10, 'created_at', 'range'],
  [11, 'email', 'unique'],
  [12, '', 'cells'],
  [13, 'metadata', 'metadata'],
  [14, 'metadata', 'metadata'],
  [15, 'metadata', 'name'],
]
const byPlace = (one: readonly unknown[], other: readonly unknown[]) =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1

describe('what is wrong with rows', () => {
  test('is found by a dry run, which writes nothing and announces nothing', async () => {
    const before = await events('member.created')
    const result = await importCsv(env.side, FAULTY, { dry_run: 'true' })
    expect(result).toMatchObject({ dry_run: true, total_rows: 15, created: 2, faulty: 13 })
    const found = result.faults.map(({ row, field, rule }) => [row, field, rule])
    expect(found.sort(byPlace)).toEqual([...REASONS].sort(byPlace))
    expect(await search('f1@example.com')).toEqual([])
    expect(await events('member.created')).toEqual(before)
  })

  test('is found again, in the same words, by the run, which creates the others', async () => {
    const dry = await importCsv(env.side, FAULTY, { dry_run: 'true' })
    const wet = await importCsv(env.side, FAULTY)
    expect({ ...wet, faults_url: '' }).toEqual({
      ...dry,
      dry_run: false,
      id: wet.id,
      faults_url: '',
      created_at: wet.created_at,
      finished_at: wet.finished_at,
    })
    expect((await search('f1@example.com')).map(({ email }) => email)).toEqual(['f1@example.com'])
    // What an export put before it is taken away again.
    expect((await search('f15@example.com')).map(({ email }) => email)).toEqual(['=f15@example.com'])
  })

  test('includes addresses that live members have, in any case, and no others’', async () => {
    await env.side.makeMember({ email: 'Taken@example.com' })
    const gone = await env.side.makeMember({ email: 'gone@example.com' })
    await env.side.admin.delete(`/members/${gone.id}`)
    await env.others[0].makeMember({ email: 'elsewhere@example.com' })
    const csv = 'email\ntaken@EXAMPLE.com\ngone@example.com\nelsewhere@example.com\n'
    for (const dry_run of ['true', 'false']) {
      const result = await importCsv(env.side, csv, { dry_run })
      expect(result).toMatchObject({ created: 2, faulty: 1 })
      expect(result.faults).toEqual([
        { row: 2, field: 'email', rule: 'unique', message: 'another member has this email' },
      ])
    }
  })
})

describe('what is no CSV of members is refused at once, in words, and nothing is kept of it', () => {
  const cases: [string, string | Buffer, string][] = [
    ['an empty file', '', 'is empty: it has no header'],
    ['blank lines alone', '\n\r\n\n', 'is empty: it has no header'],
    ['a header alone', 'email,full_name\n', 'has a header and no rows'],
    ['a header without addresses', 'full_name\nAda\n', 'has no column email in its header'],
    ['no header', 'ada@example.com,Ada\n', 'unknown columns in its header: "ada@example.com", "ada"'],
    [
      'an unknown column',
      'email,shoe_size\na@example.com,42\n',
      'an unknown column in its header: "shoe_size"',
    ],
    ['a column twice', 'email,Email \na@example.com,b\n', 'has the column "email" twice'],
    ['semicolons', 'email;full_name\na@example.com;Ada\n', 'separate cells by commas'],
    ['a quote never closed', 'email\na@example.com\n"b\n', 'has a quote in row 3 that is never closed'],
    ['Latin-1', Buffer.from('email,full_name\na@example.com,René\n', 'latin1'), 'byte 33 (0xE9), in row 2'],
    ['NUL', 'email\na\0@example.com\n', 'NUL characters: there is one at byte 7 (0x00), in row 2'],
    ['UTF-16', Buffer.from('\ufeffemail\n', 'utf16le'), 'must be UTF-8: byte 0 (0xFF), in row 1'],
    ['too many rows', `email\n${'a\n'.repeat(100_001)}`, 'must have at most 100000 rows'],
    ['a line without end', `email\n${'a'.repeat(1_000_000)}`, 'has more than 128 KiB in row 2'],
  ]
  for (const [what, csv, message] of cases) {
    test(what, async () => {
      const { status, body } = await sendCsv<Refusal>(env.side, csv)
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' })
      expect(body.details).toEqual([
        { field: 'file', rule: expect.any(String), message: expect.stringContaining(message) },
      ])
    })
  }

  test('and leaves no import, no object and no upload behind', async () => {
    expect(await env.sql("select from member_imports where state = 'receiving'")).toEqual([])
    await expect.poll(() => env.s3.keys()).toEqual([])
    expect(await env.s3.unfinished()).toBe(0)
  })
})

test('a byte order mark, mixed line ends and blank lines are taken', async () => {
  const csv =
    '\ufeffemail,full_name\r\nm1@example.com,"two\nlines"\n\nm2@example.com,Two\rm3@example.com,Three'
  const result = await importCsv(env.side, csv)
  expect(result).toMatchObject({ total_rows: 3, created: 2, faulty: 1 })
  expect(result.faults).toMatchObject([{ row: 2, field: 'full_name', rule: 'pattern' }])
})

test('forms with another field, a wrong value, no file or two are refused', async () => {
  const { side } = env
  const refusal = async (fields: Record<string, string>) =>
    (await sendCsv<Refusal>(side, 'email\na@b.co\n', fields)).body
  expect((await refusal({ dry_run: 'maybe' })).details).toMatchObject([{ field: 'dry_run', rule: 'enum' }])
  expect((await refusal({ dryrun: 'true' })).details).toMatchObject([{ field: 'dryrun' }])
})

test('an import of another project is indistinguishable from a missing one', async () => {
  const { id } = await importCsv(env.side, 'email\nisolated@example.com\n')
  for (const other of env.others) {
    const answer = await other.admin.get<Refusal>(`/members/imports/${id}`)
    expect(answer).toMatchObject({ status: 404, body: { error: 'Import not found' } })
  }
})

test('imports are listed, the newest first, by status, and for their own project alone', async () => {
  const older = await importCsv(env.side, 'email\nlisted1@example.com\n')
  const newer = await importCsv(env.side, 'email\nlisted2@example.com\n')
  const list = (side: StorageEnvironment['side'], query = '') =>
    side.admin.get<{ data: { id: string }[]; code?: string }>(`/members/imports?limit=2${query}`)
  const { body } = await list(env.side, '&status=completed')
  expect(body.data).toMatchObject([
    { id: newer.id, status: 'completed', created: 1 },
    { id: older.id, status: 'completed', created: 1 },
  ])
  expect(body.data[0]).not.toHaveProperty('faults')
  expect((await list(env.side, '&status=failed')).body.data).toEqual([])
  for (const other of env.others) expect((await list(other)).body.data).toEqual([])
  expect(await list(env.side, '&status=done')).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PARAMETERS' },
  })
})
