import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { askedBy } from '#testkit/statements.ts'
import { withApi } from '#testkit/with-api.ts'
import type { Bill } from '../bills/schema.ts'
import { advanceDueSubscriptions } from './advance-due.due.ts'

let api: TestApi

withApi((opened) => {
  api = opened
})

/** So many subscriptions by hand, paid once, whose period is over. */
async function renewing(side: Side, count: number): Promise<void> {
  const { id: plan_id } = await side.makePlan({ name: 'Gold', price: 10, currency: 'eur' })
  for (let i = 0; i < count; i++) {
    const member_id = (await side.makeMember()).id
    const { body } = await side.admin.post<{ data: { bill: Bill } }>('/subscriptions', { member_id, plan_id })
    await side.admin.post(`/bills/${body.data.bill.id}/mark-paid`)
  }
  await api.owner.query(
    `update subscriptions set anchor_at = anchor_at - interval '40 days', period_start = period_start - interval '40 days',
      period_end = now() - interval '1 day', due_at = now() - interval '1 day' where project_id = $1`,
    [side.projectId],
  )
}

test('renewals of one sweep share their statements, with their bills, events and mails; their bills are numbered without a gap', async () => {
  const [one, other] = await makeProjects(api)
  const deps = { ...api.deps, catalogue: { paymentHandlers: {}, memberData: [], searchSources: [] } }
  const renew = async (side: Side, count: number) => {
    await renewing(side, count)
    const asked = await askedBy(() => advanceDueSubscriptions.workOff({ ...side, deps }))
    const { body } = await side.admin.get<{ data: Bill[] }>('/bills?limit=50')
    expect(body.data.map(({ number, reason }) => [number, reason])).toEqual(
      Array.from({ length: count * 2 }, (_, i) => [count * 2 - i, i < count ? 'renewal' : 'first']),
    )
    const { rows } = await api.owner.query(
      `select count(*)::int as mails from outbox where project_id = $1 and name = 'billing.mail-payer' and payload->>'mail' = 'due'`,
      [side.projectId],
    )
    expect(rows).toEqual([{ mails: count * 2 }])
    return asked.map(({ label }) => label)
  }
  const alone = await renew(one.test, 1)
  expect(alone).toContain('insert_bills')
  expect(await renew(other.test, 6)).toEqual(alone)
})
