import type { Side } from '#testkit/factories.ts'

/** What the paths of billing name. */
export const samples = {
  bline: payForLine,
  bill: async (side: Side) => ({ id: (await subscribe(side)).open_bill_id }),
  pacc: addAccount,
  prev: previewChange,
  subs: subscribe,
}

async function subscribe(side: Side): Promise<{ id: string; open_bill_id: string }> {
  const [{ id: member_id }, { id: plan_id }] = [await side.makeMember(), await side.makePlan()]
  const body = { member_id, plan_id }
  return (await side.admin.post<{ data: { id: string; open_bill_id: string } }>('/subscriptions', body)).body
    .data
}

/** A change of plan that would be free of charge: of a trial. */
async function previewChange(side: Side): Promise<{ id: string }> {
  const [{ id: member_id }, plan, other] = [
    await side.makeMember(),
    await side.makePlan({ trial_days: 7 }),
    await side.makePlan(),
  ]
  const { id } = (
    await side.admin.post<{ data: { id: string } }>('/subscriptions', { member_id, plan_id: plan.id })
  ).body.data
  const { body } = await side.admin.post<{ data: { preview_id: string } }>(
    `/subscriptions/${id}/preview-change`,
    {
      plan_id: other.id,
    },
  )
  return { id: body.data.preview_id }
}

/** A line that was paid. */
async function payForLine(side: Side): Promise<{ id: string }> {
  const { open_bill_id } = await subscribe(side)
  const { body } = await side.admin.post<{ data: { lines: { id: string }[] } }>(
    `/bills/${open_bill_id}/mark-paid`,
  )
  return { id: body.data.lines[0]?.id ?? '' }
}

async function addAccount(side: Side): Promise<{ id: string }> {
  const body = { provider: 'manual', name: 'By bank transfer' }
  return (await side.admin.post<{ data: { id: string } }>('/payment-accounts', body)).body.data
}
