import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { comment, startThread } from '#areas/stream/stream.fixture.ts'
import { newUuid } from '#platform/ids.ts'
import { makeSecretBox } from '#platform/secrets/secret-box.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { makeRow } from '#testkit/catalog/any-row.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { requestsLogged } from '#testkit/requests-logged.ts'
import type { TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'
import { COMMAND } from '../acts.ts'
import { listProjects } from '../service.ts'
import { resumeProject } from '../suspension.ts'
import { exportProject } from './export-project.ts'
import { importProject } from './import-project.ts'
import type { Manifest } from './manifest.ts'
import { ofRow, SEALED } from './sealed.ts'
import { type Installation, newFolder, sidesOf, startInstallation, sumsOf } from './transfer.fixture.ts'

// Tables are filled one by one.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const OTHER_KEY = 'the secret key of another installation, of 32 characters'

let [first, second]: Installation[] = []
let s3: TestS3
let otherS3: TestS3
let here: TestApi
let there: TestApi

beforeAll(async () => {
  ;[first, second] = [await startInstallation(), await startInstallation()]
  ;[here, there, s3, otherS3] = [first.api, second.api, first.s3, second.s3]
})
afterAll(async () => {
  await first?.close()
  await second?.close()
})

const partsOf = (api: TestApi, folder: string, more: { secretKey?: string; passphrase?: string } = {}) => {
  const of = api === here ? first : second
  if (of === undefined) throw new Error('no installation was started')
  return of.partsIn(folder, more)
}
const exported = async ({ project }: TestProject, folder?: string) => {
  const to = folder ?? (await newFolder())
  return { folder: to, done: await exportProject(partsOf(here, to), project.id) }
}

/** All secrets of some sides, opened. */
async function secretsOf(api: TestApi, sides: readonly string[], secretKey: string): Promise<string[]> {
  const found: string[] = []
  for (const [table, columns] of Object.entries(SEALED))
    for (const { column, purpose, owner = ofRow } of columns) {
      const { rows } = await api.owner.query(
        `select *, ${table === 'analytics_salts' ? 'day::text as day,' : ''} ${column} as sealed from ${table}
         where project_id = any ($1) and ${column} is not null order by 1, 2`,
        [sides],
      )
      const box = makeSecretBox(secretKey, purpose)
      found.push(...rows.map((row) => `${table}.${column} ${box.open(row.sealed, owner(row))}`))
    }
  return found.sort()
}

/** A row in every table of both sides, with sealed secrets that can be opened. */
async function fillTables(project: TestProject): Promise<void> {
  const client = new pg.Client({ connectionString: here.database.url })
  await client.connect()
  try {
    const tables = await readTables(client)
    for (const projectId of sidesOf(project)) {
      const made = new Map<string, Record<string, unknown>>()
      await client.query("select set_config('app.project_id', $1, false)", [projectId])
      for (const { name } of tenantTables(tables)) await makeRow(client, tables, name, projectId, made)
    }
    for (const [table, columns] of Object.entries(SEALED))
      for (const { column, purpose, owner = ofRow } of columns) {
        const box = makeSecretBox(here.database.secretKey, purpose)
        const { rows } = await client.query(
          `select ctid, * ${table === 'analytics_salts' ? ', day::text as day' : ''} from ${table}
           where project_id = any ($1) and ${column} is not null`,
          [sidesOf(project)],
        )
        for (const row of rows)
          await client.query(`update ${table} set ${column} = $2 where ctid = $1`, [
            row.ctid,
            box.seal(`secret of ${table}`, owner(row)),
          ])
      }
  } finally {
    await client.end()
  }
}

/** What customers write: threads with answers to answers, orders, webhooks, a file. */
async function fillByApi(
  { live }: TestProject,
  { texts, threads }: { texts: string[]; threads: number },
): Promise<void> {
  const author_id = await live.member()
  for (let n = 0; n < threads; n++) {
    const content = texts[n % texts.length] ?? 'x'
    const thread = await startThread(live)
    const first = await comment(live, thread, content)
    for (const text of texts) {
      const { status } = await live.admin.post(`/discussions/${thread}/comments`, {
        ...{ content: text, parent_id: first, author_id },
      })
      expect(status).toBe(201)
    }
    await live.admin.post(`/discussions/${thread}/answer`, { comment_id: first })
    await makeOrder(live)
    await live.makeMember({ full_name: content, metadata: { text: content, number: 0.1, none: null } })
  }
  await live.admin.post('/webhooks', {
    url: 'https://example.com/hooks',
    events: ['*'],
    headers: { 'x-a': 'b' },
  })
  expect((await uploadFile(live, fileOf(texts.join('\n'), 'a.txt', 'text/plain'))).status).toBe(201)
  await requestsLogged(here)
  // Written some seconds after the request, too.
  await here.deps.usage.flush()
}

test('any project is the same in another installation, in each row of each table and in its files, with its secrets sealed anew', async () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .map((each) => `a${each.replaceAll('\u0000', '')}`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (texts, threads) => {
        const [one] = await makeProjects(here)
        const sides = sidesOf(one)
        await fillTables(one)
        await fillByApi(one, { texts, threads })
        const before = await sumsOf(here, sides)
        const { folder, done } = await exported(one)
        const secrets = await secretsOf(here, sides, here.database.secretKey)
        expect(secrets.length).toBeGreaterThanOrEqual(10)
        const read = await importProject(partsOf(there, folder, { secretKey: OTHER_KEY }))
        expect(read).toEqual(done)
        expect(Object.keys(before)).toHaveLength(done.tables)
        expect(await sumsOf(there, sides)).toEqual(before)
        expect(await secretsOf(there, sides, OTHER_KEY)).toEqual(secrets)
        const ofProject = (keys: string[]) => keys.filter((key) => sides.some((side) => key.startsWith(side)))
        expect(ofProject(await otherS3.keys())).toEqual(ofProject(await s3.keys()))
        const all = await readdir(folder, { recursive: true, withFileTypes: true })
        for (const file of all.filter((each) => each.isFile() && each.name.endsWith('.ndjson')))
          expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toContain('secret of ')
      },
    ),
    // Shrinking would take longer than the test may, and hide the failure.
    { numRuns: 2, endOnFailure: true, examples: [[['a\u2028b', 'c\u2029d\u0085e\r\nf\u000bg'], 1]] },
  )
})

test('an imported project is suspended, has its ids and keys, and works when it is resumed', async () => {
  const [one] = await makeProjects(here)
  const member = await one.live.makeMember()
  const { folder } = await exported(one)
  await importProject(partsOf(there, folder))
  const ask = async () =>
    await there.send<{ code?: string }>('GET', `/api/v1/members/${member.id}`, { key: one.live.key })
  expect((await ask()).body.code).toBe('PROJECT_SUSPENDED')
  expect((await listProjects(there.operators)).find(({ id }) => id === one.project.id)?.state).toBe(
    'suspended',
  )
  await resumeProject(there.operators, one.project.id, COMMAND)
  await expect.poll(async () => (await ask()).status, SOON).toBe(200)
  // The log of events goes on with numbers of this server.
  const { status, body } = await there.send<{ data: unknown[] }>('GET', '/api/v1/events', {
    key: one.live.key,
  })
  expect([status, body.data.length > 0]).toEqual([200, true])
})

test('an export has the rows of one moment, however much is written meanwhile', async () => {
  const [one] = await makeProjects(here)
  const stop = new AbortController()
  const writing = (async () => {
    while (!stop.signal.aborted) await one.live.makeMember()
  })()
  await expect.poll(() => sumsOf(here, sidesOf(one)).then((sums) => 'members' in sums), SOON).toBe(true)
  const { folder } = await exported(one)
  stop.abort()
  await writing
  const lines = async (table: string) =>
    (await readFile(join(folder, 'live', `${table}.ndjson`), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  const members = (await lines('members')).map(({ id }) => id)
  const told = (await lines('events'))
    .filter(({ type }) => type === 'member.created')
    .map(({ member_id }) => member_id)
  expect(members.length).toBeGreaterThan(0)
  expect(told.toSorted()).toEqual(members.toSorted())
})

test('an import that is refused or broken off leaves nothing: twice, another passphrase, a changed line, a missing file, a storage that is away', async () => {
  const [one] = await makeProjects(here)
  const { live } = one
  await live.makeMember()
  expect((await uploadFile(live, fileOf('hello', 'a.txt', 'text/plain'))).status).toBe(201)
  const { folder } = await exported(one)
  const refused = (more = {}) => importProject(partsOf(there, folder, more))
  const nothing = async () => {
    expect(await sumsOf(there, sidesOf(one))).toEqual({})
    expect((await listProjects(there.operators)).some(({ id }) => id === one.project.id)).toBe(false)
    expect((await otherS3.keys()).filter((key) => key.startsWith(live.projectId))).toEqual([])
  }
  await expect(refused({ passphrase: 'another passphrase' })).rejects.toMatchObject({
    details: [{ field: 'passphrase' }],
  })
  await nothing()

  const path = join(folder, 'live', 'members.ndjson')
  const members = await readFile(path, 'utf8')
  await writeFile(path, members.replace('@example.com', '@example.org'))
  await expect(refused()).rejects.toMatchObject({ details: [{ rule: 'same' }] })
  await nothing()
  await writeFile(path, members)

  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const list = join(folder, 'files.ndjson')
  const files = await readFile(list, 'utf8')
  await writeFile(list, files.replace(/[0-9a-f]{64}/, '0'.repeat(64)))
  await expect(refused()).rejects.toMatchObject({ details: [{ rule: 'file' }] })
  await nothing()
  await writeFile(list, files)

  await otherS3.stop()
  await expect(refused()).rejects.toMatchObject({ status: 503 })
  await otherS3.start()
  await nothing()

  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, schema: 'another' }))
  await expect(refused()).rejects.toMatchObject({ details: [{ rule: 'schema' }] })
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  await refused()
  const read = await sumsOf(there, sidesOf(one))
  await expect(refused()).rejects.toMatchObject({ details: [{ rule: 'unique' }] })
  expect(await sumsOf(there, sidesOf(one))).toEqual(read)
  expect((await otherS3.keys()).filter((key) => key.startsWith(live.projectId))).toHaveLength(1)
  await expect(exported(one, folder)).rejects.toThrow('manifest.json')
})

test('an archive that was written to reach another project reaches none', async () => {
  const [one] = await makeProjects(here)
  const [victim] = await makeProjects(there)
  await victim.live.makeMember()
  const before = await sumsOf(there, sidesOf(victim))
  const { folder } = await exported(one)
  const refused = () => importProject(partsOf(there, folder))

  const path = join(folder, 'live', 'api_keys.ndjson')
  const keys = await readFile(path, 'utf8')
  const [line = ''] = keys.split('\n')
  const foreign = { ...JSON.parse(line), project_id: victim.live.projectId, id: newUuid(), key_hash: '\\x00' }
  await writeFile(path, `${keys}${JSON.stringify(foreign)}\n`)
  await expect(refused()).rejects.toMatchObject({ details: [{ rule: 'same' }] })
  await writeFile(path, keys)

  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const [live, other] = manifest.projects
  for (const projects of [
    [live, { ...other, live_id: victim.live.projectId }],
    [{ ...live, live_id: victim.live.projectId }, other],
    [live],
    [live, { ...other, environment: '../live' }],
    [live, other, other],
    [other, live],
  ]) {
    await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, projects }))
    await expect(refused()).rejects.toMatchObject({ details: [{ rule: 'project' }] })
  }
  expect(await sumsOf(there, sidesOf(victim))).toEqual(before)
  expect(await sumsOf(there, sidesOf(one))).toEqual({})
})

/** Hashes, keys and numbers, which are the same everywhere. */
const NOT_SEALED = new Set([
  'api_keys.key_hash',
  'certificates.code',
  'device_log_ins.device_hash',
  'device_log_ins.token_hash',
  'form_submissions.digest',
  'idempotency_keys.fingerprint',
  'invitations.code_hash',
  'invitations.token_hash',
  'one_time_tokens.code_hash',
  'one_time_tokens.token_hash',
  'passkey_challenges.hash',
  'passkeys.credential_id',
  'passkeys.public_key',
  'recovery_codes.hash',
  'refresh_tokens.hash',
  'sso_assertions.assertion_hash',
  'sso_codes.code_hash',
  'sso_logins.state_hash',
  'stream_tickets.hash',
])

test('every column of bytes is known as sealed or as nothing that is sealed', async () => {
  const { rows } = await here.owner.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns c
     where table_schema = 'public' and data_type = 'bytea'
       and exists (select from information_schema.columns p
         where p.table_schema = 'public' and p.table_name = c.table_name and p.column_name = 'project_id')`,
  )
  const sealed = Object.entries(SEALED).flatMap(([table, columns]) =>
    columns.map(({ column }) => `${table}.${column}`),
  )
  expect(rows.map(({ name }) => name).sort()).toEqual([...sealed, ...NOT_SEALED].sort())
})
