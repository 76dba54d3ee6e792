import { describe, expect, test } from 'vitest'
import { updateBillingSettings } from '#areas/billing/settings/queries.ts'
import { MEMBER_ACTS, type MemberAct } from '#areas/billing/settings/settings.ts'
import type { Plan } from '#areas/plans/schema.ts'
import { makeProduct } from '#testkit/areas/money/shop.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { SubscriptionWithBill } from './schema.ts'

interface Refusal {
  code?: string
  error?: string
  details?: { field: string; rule: string; message: string }[]
}

let side: Side
let low: Plan
let high: Plan
let hidden: Plan

withProjects(async (_api, project) => {
  side = project.test
  low = await side.makePlan({ rank: 10, price: 10 })
  high = await side.makePlan({ rank: 20, price: 20 })
  hidden = await side.makePlan({ rank: 5, price: 1, visibility: 'hidden' })
})

const letMembers = (...memberMay: MemberAct[]) =>
  side.write((ctx) => updateBillingSettings(ctx, { memberMay }))

/** A member with a token and, with a plan, a subscription that is paid for. */
async function makeSubscriber(plan?: Plan): Promise<{ client: Client; member: string; id: string }> {
  const { token, memberId: member } = await side.signIn()
  const client = side.as(token)
  if (plan === undefined) return { client, member, id: '' }
  const body = { member_id: member, plan_id: plan.id }
  const { data } = (await side.admin.post<{ data: SubscriptionWithBill }>('/subscriptions', body)).body
  await side.admin.post(`/bills/${data.bill?.id}/mark-paid`)
  return { client, member, id: data.id }
}

const outcome = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  const { code, details } = body as Refusal
  return status < 300 ? status : [status, code, ...(details?.map(({ field }) => field) ?? [])]
}

describe('with a token', () => {
  test('a member does what the project lets members do, and gets a clear error for the rest', async () => {
    const acts: Record<
      string,
      {
        needs: MemberAct[]
        call: (who: Awaited<ReturnType<typeof makeSubscriber>>) => Promise<{ status: number; body: unknown }>
        prepare?: (id: string) => Promise<unknown>
      }
    > = {
      subscribe: {
        needs: ['subscribe'],
        call: ({ client }) => client.post('/subscriptions', { plan_id: low.id }),
      },
      preview: {
        needs: ['change'],
        call: ({ client, id }) => client.post(`/subscriptions/${id}/preview-change`, { plan_id: high.id }),
      },
      change: {
        needs: ['change'],
        call: ({ client, id }) => client.post(`/subscriptions/${id}/change`, { plan_id: high.id }),
      },
      cancel: {
        needs: ['cancel'],
        call: ({ client, id }) => client.post(`/subscriptions/${id}/cancel`, { at: 'period_end' }),
      },
      'take a cancellation back': {
        needs: ['cancel'],
        prepare: (id) => side.admin.post(`/subscriptions/${id}/cancel`, { at: 'period_end' }),
        call: ({ client, id }) => client.post(`/subscriptions/${id}/resume`),
      },
      pause: { needs: ['pause'], call: ({ client, id }) => client.post(`/subscriptions/${id}/pause`, {}) },
      'end a pause': {
        needs: ['cancel', 'pause'],
        prepare: (id) => side.admin.post(`/subscriptions/${id}/pause`, {}),
        call: ({ client, id }) => client.post(`/subscriptions/${id}/resume`),
      },
      'change the card': {
        needs: ['change_payment_method'],
        call: ({ client, id }) => client.post(`/subscriptions/${id}/payment-method`),
      },
    }
    for (const [name, { needs, call, prepare }] of Object.entries(acts)) {
      for (const act of MEMBER_ACTS) {
        await letMembers(act)
        const who = await makeSubscriber(name === 'subscribe' ? undefined : low)
        await prepare?.(who.id)
        const { status, body } = await call(who)
        const { code, error } = body as Refusal
        const wanted = needs.includes(act) ? 'done' : 'INSUFFICIENT_PERMISSIONS'
        // Without a provider no card can be saved, which is another refusal.
        expect([name, act, status < 300 || code === 'PAID_BY_HAND' ? 'done' : code]).toEqual([
          name,
          act,
          wanted,
        ])
        if (wanted !== 'done') expect(error).toMatch(/^Members of this project may not .+: ask the operator/)
      }
    }
  })

  test('by default a member does everything but pause, and a key pauses', async () => {
    await letMembers('subscribe', 'change', 'cancel', 'change_payment_method')
    const { client, id } = await makeSubscriber(low)
    expect(await outcome(client.post(`/subscriptions/${id}/pause`, {}))).toEqual([
      ...[403, 'INSUFFICIENT_PERMISSIONS'],
    ])
    expect(await outcome(side.admin.post(`/subscriptions/${id}/pause`, {}))).toBe(200)
  })

  test('a hidden plan cannot be distinguished from a missing one, unless the member has it', async () => {
    await letMembers(...MEMBER_ACTS)
    const refused = [422, 'VALIDATION_ERROR', 'plan_id']
    const gone = await side.makePlan()
    await side.admin.delete(`/plans/${gone.id}`)
    const { client } = await makeSubscriber()
    const texts = new Set<string | undefined>()
    for (const plan of [hidden, gone]) {
      const answer = await client.post<Refusal>('/subscriptions', { plan_id: plan.id })
      expect([answer.status, answer.body.code, answer.body.details?.[0]?.field]).toEqual(refused)
      texts.add(answer.body.error)
    }
    expect(texts.size).toBe(1)
    const { client: other, id, member } = await makeSubscriber(low)
    for (const act of ['preview-change', 'change'])
      for (const when of ['now', 'period_end'])
        expect(
          await outcome(other.post(`/subscriptions/${id}/${act}`, { plan_id: hidden.id, when })),
        ).toEqual(refused)
    // Nor with a preview that a key has made.
    const preview = { plan_id: hidden.id, when: 'period_end' }
    const made = await side.admin.post<{ data: { preview_id: string } }>(
      `/subscriptions/${id}/preview-change`,
      preview,
    )
    const { preview_id } = made.body.data
    expect(await outcome(other.post(`/subscriptions/${id}/change`, { ...preview, preview_id }))).toEqual(
      refused,
    )
    expect(await outcome(side.admin.post(`/subscriptions/${id}/change`, { ...preview, preview_id }))).toBe(
      200,
    )
    // A plan that the member has may be hidden.
    await side.admin.patch(`/members/${member}`, { plan_id: hidden.id })
    expect(await outcome(other.post('/subscriptions', { plan_id: hidden.id }))).toBe(201)
    const { client: keeper, id: kept } = await makeSubscriber(hidden)
    expect(
      await outcome(keeper.post(`/subscriptions/${kept}/change`, { plan_id: high.id, when: 'period_end' })),
    ).toBe(200)
    expect(await outcome(keeper.post(`/subscriptions/${kept}/change`, { plan_id: hidden.id }))).toBe(200)
  })

  test('a member pays with the default account only, for subscriptions and orders alike', async () => {
    await letMembers(...MEMBER_ACTS)
    const account = async (name: string) =>
      (await side.admin.post<{ data: { id: string } }>('/payment-accounts', { provider: 'manual', name }))
        .body.data.id
    const [first, second] = [await account('Bank'), await account('Cash')]
    const refused = [422, 'VALIDATION_ERROR', 'payment_account_id']
    const subscribe = (client: Client, more: object) =>
      outcome(client.post('/subscriptions', { plan_id: low.id, ...more }))
    const { client } = await makeSubscriber()
    expect(await subscribe(client, { payment_account_id: second })).toEqual(refused)
    expect(await subscribe(client, { payment_account_id: first })).toBe(201)
    const { id: product_id } = await makeProduct(side)
    await client.post('/shop/cart', { product_id })
    const checkOut = (payment_account_id: string) =>
      outcome(client.post('/shop/checkout', { payment_account_id }))
    expect(await checkOut(second)).toEqual(refused)
    expect(await checkOut(first)).toBe(201)
    const { id: member_id } = await side.makeMember()
    expect(await subscribe(side.admin, { member_id, payment_account_id: second })).toBe(201)
  })
})
