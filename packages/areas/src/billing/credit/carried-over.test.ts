import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeRow } from '#testkit/catalog/any-row.ts'
import { readTables } from '#testkit/catalog/catalogue.ts'
import { databaseUrl, dropDatabase, onServer } from '#testkit/database.ts'

const FOLDER = new URL('../../../../../migrations/', import.meta.url)
const LEDGER = '20261123T0100_credit_ledger.sql'
const AT = '2026-11-01T00:00:00Z'

let url: string
let owner: pg.Client
let projectId: string

/** A database as it was before the ledger. */
beforeAll(async () => {
  const { postgresUrl, prefix } = inject('servers')
  const name = `${prefix}_${randomBytes(5).toString('hex')}`
  await onServer(postgresUrl, `create database ${name}`)
  url = databaseUrl(postgresUrl, name)
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  for (const file of (await readdir(FOLDER)).filter((each) => each.endsWith('.sql') && each < LEDGER).sort())
    await owner.query(await readFile(new URL(file, FOLDER), 'utf8'))
  projectId = randomUUID()
  await owner.query(
    "insert into projects (id, name, tier, environment, live_id) values ($1, 'One', 'free', 'live', $1)",
    [projectId],
  )
  await owner.query("select set_config('app.project_id', $1, false)", [projectId])
})
afterAll(async () => {
  await owner.end()
  await dropDatabase(url)
})

const insert = async (table: string, row: Record<string, unknown>) => {
  const full = { project_id: projectId, id: randomUUID(), ...row }
  const names = Object.keys(full)
  await owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(full),
  )
  return full.id
}

test('what there was before the ledger is carried into it, and adds up', async () => {
  const made = new Map<string, Record<string, unknown>>()
  const tables = await readTables(owner)
  const subscription = await makeRow(owner, tables, 'subscriptions', projectId, made)
  const member_id = subscription['member_id']
  const [low, high] = [subscription['plan_id'], randomUUID()]
  await owner.query("update subscriptions set status = 'active', trial_plan_id = plan_id, due_at = $1", [
    '2027-01-01T00:00:00Z',
  ])
  let number = 0
  const bill = (status: string, total_minor: number, reason: string) =>
    insert('bills', {
      ...{
        number: ++number,
        subscription_id: subscription['id'],
        member_id,
        reason,
        status,
        currency: 'eur',
      },
      ...{ total_minor, due_at: AT, created_at: AT, paid_at: status === 'paid' ? AT : null },
    })
  let position = 0
  const line = (bill_id: string, kind: string, amount_minor: number, plan_id: unknown = null) =>
    insert('bill_lines', { bill_id, position: position++, kind, description: kind, plan_id, amount_minor })
  const pay = (purpose_id: string, amount_minor: number) =>
    insert('payments', {
      ...{ member_id, purpose: 'bill', purpose_id, status: 'succeeded', amount_minor, currency: 'eur' },
      ...{ created_at: AT, refunded_minor: 0 },
    })
  const refund = (payment_id: string, amount_minor: number, reason: string) =>
    insert('refunds', { payment_id, amount_minor, status: 'succeeded', reason, created_at: AT })

  const first = await bill('paid', 3_000, 'first')
  const period = await line(first, 'period', 3_000, low)
  // Its payer paid twice, and the one that nobody waited for went back.
  const twice = await pay(first, 3_000)
  const kept = await pay(first, 3_000)
  await refund(twice, 3_000, 'unwanted')
  await refund(kept, 500, 'the payer won a dispute')
  const up = await bill('paid', 1_500, 'change')
  await line(up, 'proration', -1_500, low)
  const rest = await line(up, 'proration', 3_000, high)
  await pay(up, 1_500)
  const down = await bill('paid', 0, 'change')
  await line(down, 'proration', -2_000, high)
  await line(down, 'proration', 1_000, low)
  await line(down, 'credit', 1_000)
  const open = await bill('open', 2_600, 'change')
  await line(open, 'period', 3_000, low)
  await line(open, 'credit', -400)
  await insert('credit_balances', { member_id, currency: 'eur', amount_minor: 600 })

  await owner.query(await readFile(new URL(LEDGER, FOLDER), 'utf8'))

  const rows = async (sql: string) => (await owner.query(sql)).rows
  expect(
    await rows('select kind, amount_minor::int, bill_id, reason from credit_entries order by amount_minor'),
  ).toEqual([
    { kind: 'used', amount_minor: -400, bill_id: open, reason: null },
    { kind: 'carried_over', amount_minor: 1_000, bill_id: null, reason: 'The balance before the ledger' },
  ])
  expect(
    await rows(
      `select id, given_back_minor::int as given from bill_lines where given_back_minor > 0 order by position`,
    ),
  ).toEqual([
    { id: period, given: 2_000 },
    { id: rest, given: 2_000 },
  ])
  expect(
    await rows('select payment_id from bills where payment_id is not null order by number limit 1'),
  ).toEqual([{ payment_id: kept }])
  expect(await rows('select cause, amount_minor::int from bill_refunds')).toEqual([
    { cause: 'dispute', amount_minor: 500 },
  ])
  expect(await rows('select plan_id from plan_trials')).toEqual([{ plan_id: low }])
  // The change's bill is overdue 14 days after it was due.
  expect(await rows('select due_at from subscriptions')).toEqual([
    { due_at: new Date('2026-11-15T00:00:00Z') },
  ])
  // Payments − refunds = paid bills before credit − what was refunded of them + the ledger without open bills.
  const [sums] = await rows(`select
    (select sum(amount_minor) from payments) - (select sum(amount_minor) from refunds) as money,
    (select sum(l.amount_minor) from bill_lines l join bills b on b.id = l.bill_id
      where b.status = 'paid' and l.kind <> 'credit') - (select sum(amount_minor) from bill_refund_lines)
      + (select sum(e.amount_minor) from credit_entries e left join bills b on b.id = e.bill_id
        where b.status is distinct from 'open') as books`)
  expect(sums?.money).toBe(sums?.books)
})
