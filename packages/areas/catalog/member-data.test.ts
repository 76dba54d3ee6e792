import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { requestExport } from '#areas/exports/service.ts'
import { erasePeople, findPeople } from '#areas/members/removal/erase.ts'
import { catalogueOf } from '#platform/area.ts'
import type { People } from '#platform/catalogue/personal-data.ts'
import { parseId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeRow } from '#testkit/catalog/any-row.ts'
import { fingerprint, readTables, type Table, tenantTables } from '#testkit/catalog/catalogue.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every table that says of a row which member it is about. Rows are made from the catalogue, so that a new table is
// covered the day it is added.

const { memberData } = catalogueOf(areas)
const EMAIL = 'marked.person@example.com'
const NAME = 'Marked Person'

let api: TestApi
let owner: pg.Client
let side: Side
let other: Side
let tables: Table[]
let person: People
let memberId: string
let before: string

/** Where the id of a member who is forgotten stays, and points at the bare row, with the reason. */
const STAYS: Readonly<Record<string, string>> = {
  'comments.author_id': 'what others answered stays',
  'discussions.author_id': 'what others answered stays',
  'events.member_id': 'of what happened to members, the log keeps ids',
  'feedback.author_id': 'what others voted for and answered stays',
  'feedback_comments.author_id': 'a discussion with holes cannot be read',
  'feedback_status_changes.member_id': 'who decided stays known, as in the audit log',
  'credit_balances.member_id': 'the balance is the sum of the ledger',
  'credit_entries.member_id': 'the ledger of credit must add up, and points at a row without a name',
  'accepted_differences.member_id': 'the proof of money must add up, and points at a row without a name',
  'bills.member_id': 'a bill stays, and points at a row without a name',
  'payments.member_id': 'a payment stays beside its bill or order',
  'orders.member_id': 'an order stays, and points at a row without a name',
  'subscriptions.member_id': 'a subscription ends and stays beside its bills',
  'certificates.member_id': 'a certificate stays, and points at a row without a name',
  'course_ratings.member_id': 'a rating stays in the mean of its course',
}

/** Columns with the id of a member; not those that PostgreSQL computes from others. */
const memberColumns = (table: Table): string[] => {
  const referring = table.foreignKeys.flatMap(({ target, columns }) => (target === 'members' ? columns : []))
  const named = table.columns.flatMap(({ name, generated }) =>
    !generated && MEMBER_NAMES.test(name) ? [name] : [],
  )
  return [...new Set([...referring, ...named])].filter((name) => name !== 'project_id')
}
const MEMBER_NAMES = /^(.*_)?(member|owner|author|student|user|voter|reviewer)_id$/

/** Columns with an address. */
const addressColumns = (table: Table): string[] =>
  table.columns.flatMap(({ name, type }) =>
    type === 'text' && /(^|_)(email|address)$/.test(name) ? [name] : [],
  )

const holding = () =>
  tables.filter(
    (table) => memberColumns(table).length + addressColumns(table).length > 0 || table.name === 'members',
  )

/** What says only in its parameters which member it is about. */
const archived = () =>
  side.write((ctx) =>
    requestExport(ctx, {
      kind: 'member_data',
      format: 'zip',
      params: { member_id: memberId },
      permission: 'read:members',
      fileName: 'member.zip',
      contentType: 'application/zip',
      totalRows: null,
    }),
  )

/** A row of each such table that is about the member. */
async function markRows(): Promise<void> {
  await archived()
  await owner.query("select set_config('app.project_id', $1, false)", [side.projectId])
  const { rows } = await owner.query('select * from members where id = $1', [memberId])
  const made = new Map<string, Record<string, unknown>>([['members', rows[0]]])
  const all = await readTables(owner)
  for (const table of holding()) {
    if (table.name === 'members') continue
    const row = await makeRow(owner, all, table.name, side.projectId, made)
    for (const column of memberColumns(table).filter((name) => row[name] !== memberId))
      await mark(table, row, column, memberId)
    for (const column of addressColumns(table)) await mark(table, row, column, EMAIL)
  }
}

async function mark(
  table: Table,
  row: Record<string, unknown>,
  column: string,
  value: string,
): Promise<void> {
  const where = table.primaryKey.map((name, i) => `${pg.escapeIdentifier(name)} = $${i + 2}`).join(' and ')
  const sql = `update ${pg.escapeIdentifier(table.name)} set ${pg.escapeIdentifier(column)} = $1 where ${where}`
  const { rowCount } = await owner.query(sql, [value, ...table.primaryKey.map((name) => row[name])])
  expect({ table: table.name, column, rowCount }).toMatchObject({ rowCount: 1 })
}

/** Where anything of a project has this text. */
async function findText(text: string, projectId: string): Promise<string[]> {
  const found: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await owner.query(
      `select from ${pg.escapeIdentifier(name)} t where project_id = $1 and to_jsonb(t)::text ilike '%' || $2 || '%'`,
      [projectId, text],
    )
    if (rowCount) found.push(name)
  }
  return found
}

beforeAll(async () => {
  api = await startApi()
  const projects = await makeProjects(api)
  side = projects[0].live
  other = projects[1].live
  owner = new pg.Client({ connectionString: api.database.url })
  await owner.connect()
  tables = tenantTables(await readTables(owner))
  const member = { email: EMAIL, full_name: NAME, metadata: { note: NAME } }
  memberId = parseId('member', (await side.makeMember(member)).id) ?? ''
  await side.makeMember({ email: 'neighbour@example.com' })
  await other.makeMember(member)
  await markRows()
  person = await side.write((ctx) => findPeople(ctx, { ids: [memberId] }))
  before = await fingerprint(api.database, [other.projectId])
})
afterAll(async () => {
  await owner.end()
  await api.close()
})

test('every table that names a member, or an address, is one that an area exports and erases', () => {
  const names = holding().map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['members', 'member_passwords', 'sessions', 'files', 'mails', 'events']),
  )
  const known = memberData.map(({ table }) => table as string)
  expect(names.filter((name) => !known.includes(name))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})

describe.each(memberData.map(({ table }) => table))('what %s holds', (table) => {
  const part = memberData.find((each) => each.table === table)

  test('is shown to the member, in pages, without anything that is secret', async () => {
    const page = await side.write(async (ctx) => part?.list(ctx, person, null, 1))
    expect(page?.records).toHaveLength(1)
    const text = JSON.stringify(page?.records)
    expect(text).not.toMatch(/"(hash|secret|code_hash|token_hash|sealed_values|public_key|password)"/)
    expect(text).not.toContain('"Buffer"')
    const next = await side.write(async (ctx) => part?.list(ctx, person, page?.last ?? null, 1_000))
    expect(JSON.stringify(next?.records)).not.toContain('neighbour@example.com')
  })

  test('is shown to nobody of another project', async () => {
    const page = await other.write(async (ctx) =>
      part?.list(ctx, { memberIds: person.memberIds, emails: [] }, null, 1_000),
    )
    expect(page?.records).toEqual([])
  })
})

describe('a member who is forgotten', () => {
  test('was known by address and name, so that the tests below can fail', async () => {
    expect(await findText(EMAIL, side.projectId)).toEqual(
      expect.arrayContaining([
        'members',
        'mails',
        'mail_suppressions',
        'invitations',
        'one_time_tokens',
        'events',
      ]),
    )
    expect(await findText(NAME, side.projectId)).toEqual(['events', 'members'])
  })

  test('is in no table any more, by id, address or name, but for the bare row', async () => {
    await side.write((ctx) => erasePeople(ctx, memberData, person))
    expect(await findText(EMAIL, side.projectId)).toEqual([])
    expect(await findText(NAME, side.projectId)).toEqual([])
    const left: string[] = []
    for (const table of holding()) {
      for (const column of memberColumns(table)) {
        const { rowCount } = await owner.query(
          `select from ${pg.escapeIdentifier(table.name)} where ${pg.escapeIdentifier(column)} = $1`,
          [memberId],
        )
        if (rowCount) left.push(`${table.name}.${column}`)
      }
    }
    expect(left.filter((column) => !(column in STAYS))).toEqual([])
    expect(left).toContain('events.member_id')
    const { rows } = await owner.query<{ payload: object }>(
      'select payload from events where member_id = $1',
      [memberId],
    )
    for (const { payload } of rows) expect(Object.keys(payload)).not.toContain('email')
  })

  test('may be forgotten twice', async () => {
    await side.write((ctx) => erasePeople(ctx, memberData, person))
    expect((await side.write((ctx) => findPeople(ctx, { ids: [memberId] }))).memberIds).toEqual([])
  })

  test('takes nobody else along', async () => {
    const { body } = await side.admin.get('/members?search=neighbour')
    expect(body).toMatchObject({ pagination: { total: 1 } })
    expect(await fingerprint(api.database, [other.projectId])).toBe(before)
  })
})

test('an address that a deleted member had, and another has now, is left to the other', async () => {
  const name = randomUUID()
  const { id } = await side.makeMember({ email: `${name}@example.com` })
  await side.admin.delete(`/members/${id}`)
  await side.makeMember({ email: `${name.toUpperCase()}@example.com` })
  const people = await side.write((ctx) => findPeople(ctx, { ids: [parseId('member', id) ?? ''] }))
  expect(people).toMatchObject({ memberIds: [parseId('member', id)], emails: [] })
})
