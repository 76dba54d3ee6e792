import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool } from '#platform/db/pool.ts'
import { toId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { leaveUnproven } from '#testkit/areas/money/prove-money.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { acceptDifferences } from './accept.ts'
import { proveMoneyEachNight } from './prove-money.schedule.ts'
import { reportMoney } from './report.ts'
import { MoneyRows } from './rows.fixture.ts'
import { type Auditing, findBreaches, proveMoney } from './service.ts'

let api: TestApi
let side: Side
let other: Side
let rows: MoneyRows
let others: MoneyRows
/** The proof as it is asked for: as guildhall_auditor. */
let auditing: Auditing & { end(): Promise<void> }

beforeAll(async () => {
  api = await startApi()
  const [one, two] = await makeProjects(api)
  side = one.test
  other = two.test
  auditing = openPool(api.config, { role: 'auditor', size: 1, onError: () => {} })
  leaveUnproven(side)
  rows = new MoneyRows(api, side)
  others = new MoneyRows(api, other)
})
afterAll(async () => {
  await auditing.end()
  await api.close()
})

const now = new Date().toISOString()
const differencesOf = async (member_id: string) => {
  const { differences } = await proveMoney(auditing, [side.projectId])
  return differences.filter((each) => each.member_id === member_id).map(({ difference }) => difference)
}

describe('the proof of money', () => {
  test('says nothing of a member whose bills, orders, refunds and credit add up', async () => {
    const one = await rows.member()
    const { id, lines, payment_id } = await rows.paidBill(one, 1_000)
    expect(await differencesOf(one)).toEqual([])
    await rows.insert('refunds', { payment_id, amount_minor: 300, status: 'pending', created_at: now })
    expect(await differencesOf(one)).toEqual([-300])
    const refund = {
      bill_id: id,
      amount_minor: 300,
      destination: 'payment',
      cause: 'request',
      status: 'pending',
    }
    const refund_id = await rows.insert('bill_refunds', { ...refund, created_at: now })
    await rows.insert('bill_refund_lines', { refund_id, line_id: lines[0], amount_minor: 300 })
    expect(await differencesOf(one)).toEqual([])
    await rows.entry(one, 'operator', 250)
    expect(await differencesOf(one)).toEqual([])
    // 200 of it are used by a bill that is not paid yet, and come back when it dies.
    const open = await rows.bill(one, 'open', [1_000])
    await rows.entry(one, 'used', -200, { bill_id: open.id })
    expect(await differencesOf(one)).toEqual([])
    await rows.set('bills', open.id, 'status', 'void')
    expect(await differencesOf(one)).toEqual([200])
    await rows.entry(one, 'returned', 200, { bill_id: open.id })
    expect(await differencesOf(one)).toEqual([])
  })

  test('finds credit that came from a bill which nobody has paid', async () => {
    const one = await rows.member()
    const first = await rows.paidBill(one, 1_000)
    // A change to a plan of 100, whose bill is open, and back: the dear plan is credited.
    const up = await rows.bill(one, 'open', [-1_000, 10_000])
    await rows.set('bill_lines', up.lines[0], 'source_line_id', first.lines[0])
    const back = await rows.bill(one, 'paid', [-10_000, 1_000])
    await rows.set('bill_lines', back.lines[0], 'source_line_id', up.lines[1])
    await rows.entry(one, 'line', 9_000, { bill_id: back.id, line_id: up.lines[1] })
    expect(await differencesOf(one)).toEqual([1_000 - 1_000 - 1_000 - 9_000])
    expect((await findBreaches(auditing, [side.projectId])).map(({ rule, id }) => [rule, id])).toContainEqual(
      ['credit_of_unpaid_time', back.id],
    )
    // Once the first one is paid, everything was paid for.
    await rows.set('bills', up.id, 'status', 'paid')
    await rows.set('bills', up.id, 'payment_id', await rows.payment(one, 9_000, { purpose_id: up.id }))
    expect(await differencesOf(one)).toEqual([])
  })

  test('is by member and by currency: what one has too much is not what another lacks', async () => {
    const [one, two] = [await rows.member(), await rows.member()]
    await rows.payment(one, 700)
    await rows.order(two, { subtotal_minor: 700, total_minor: 700, paid_minor: 700 })
    await rows.order(one, { subtotal_minor: 700, total_minor: 700, paid_minor: 700, currency: 'usd' })
    expect([await differencesOf(one), await differencesOf(two)]).toEqual([[700, -700], [-700]])
    const { differences } = await reportMoney(auditing, [side.projectId])
    expect(differences.filter(({ member_id }) => member_id === toId('member', one))).toMatchObject([
      { environment: 'test', currency: 'eur', difference: 7, paid_in: 7, orders: 0 },
      { environment: 'test', currency: 'usd', difference: -7, paid_in: 0, orders: -7 },
    ])
  })

  test('leaves payments of another amount out, and names them apart', async () => {
    const one = await rows.member()
    const id = await rows.payment(one, 700, { status: 'pending', failure: 'amount_mismatch' })
    expect(await differencesOf(one)).toEqual([])
    expect(await findBreaches(auditing, [side.projectId])).toContainEqual({
      ...{ rule: 'amount_mismatch', project_id: side.projectId, member_id: one, type: 'payment', id },
    })
  })

  test('counts a difference that an operator has accepted, and finds the next one', async () => {
    const one = await rows.member()
    await rows.payment(one, 700)
    const { differences } = await proveMoney(auditing, [side.projectId])
    const mine = differences.filter(({ member_id }) => member_id === one)
    await side.write((ctx) => acceptDifferences(ctx, mine, 'Paid before the move'))
    expect(await differencesOf(one)).toEqual([])
    await rows.payment(one, 100)
    expect(await differencesOf(one)).toEqual([100])
  })

  test('of all projects is one query, and names the projects', async () => {
    const one = await others.member()
    await others.payment(one, 5)
    const all = await proveMoney(auditing)
    expect(all.differences.map(({ project_id }) => project_id)).toContain(other.projectId)
    expect(all.differences.map(({ project_id }) => project_id)).toContain(side.projectId)
    expect(all.proved).toBeGreaterThan(all.different)
    const { differences } = await proveMoney(auditing, [side.projectId])
    expect(differences.map(({ project_id }) => project_id)).not.toContain(other.projectId)
    await api.owner.query('delete from payments where project_id = $1', [other.projectId])
  })

  test('is made each night: its metrics and the log say what does not add up', async () => {
    const lines: string[] = []
    const written: string[] = []
    const run = () =>
      runSchedule(proveMoneyEachNight, api.config, {
        logTo: (line) => lines.push(line),
        metricsTo: (text) => written.push(text),
      })
    await run()
    const one = await rows.member()
    await rows.payment(one, 700)
    await run()
    const [quiet = '', metrics = ''] = written
    const countIn = (text: string) =>
      Number(/guildhall_money_faults\{kind="difference"\} (\d+)/.exec(text)?.[1])
    expect(countIn(metrics)).toBe(countIn(quiet) + 1)
    expect(metrics).toContain('guildhall_money_faults{kind="money_without_purpose"}')
    expect(lines.filter((line) => line.includes('money does not add up')).at(-1)).toContain(one)
  })

  test('is asked by a login that reads money, and neither names of members nor anything else', async () => {
    await expect(auditing.query('select email from members limit 1')).rejects.toThrow('permission denied')
    await expect(auditing.query('select key_hash from api_keys limit 1')).rejects.toThrow('permission denied')
    await expect(auditing.query('delete from payments')).rejects.toThrow()
  })
})
