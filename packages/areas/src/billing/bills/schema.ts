import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { Payment } from '../payments/schema.ts'
import { PlanId } from '../plan-id.ts'

export const BILL_STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const

export const BillId = Type.String({
  description: 'The id of a bill',
  examples: ['bill_01jcq3k8f7e8qtk4m3hbw7rn2m'],
})

const Line = Type.Object(
  {
    kind: oneOf(['period', 'proration', 'credit'], {
      description: '`credit`: what the member had in hand, or keeps for the next bill',
    }),
    description: Type.String({ examples: ['Supporter'] }),
    plan_id: nullable(PlanId),
    period_start: nullable(Timestamp()),
    period_end: nullable(Timestamp()),
    amount: Type.Number({ description: 'Below zero where it lowers the bill', examples: [9.5] }),
  },
  { title: 'BillLine' },
)

/** A bill without its payments, as events tell it. */
export const BillData = Type.Object(
  {
    id: BillId,
    number: Type.Integer({ description: 'Counts the bills of the project, without gaps', examples: [1] }),
    subscription_id: Type.String({ examples: ['subs_01jcq3k8f7e8qtk4m3hbw7rn2h'] }),
    member_id: MemberId,
    status: oneOf(BILL_STATUSES),
    currency: Type.String({ examples: ['eur'] }),
    lines: Type.Array(Line, { description: 'Their sum is the total' }),
    total: Type.Number({ examples: [9.5] }),
    due_at: Timestamp(),
    paid_at: nullable(Timestamp()),
    created_at: Timestamp(),
  },
  { title: 'BillData' },
)

export const Bill = Type.Object(
  {
    ...BillData.properties,
    payments: Type.Array(Payment, { description: 'Attempts to pay, the earliest first' }),
  },
  { title: 'Bill' },
)
export type Bill = Static<typeof Bill>

export const ById = strict({ id: BillId })
export const BillsQuery = strict({
  ...pageParameters,
  member_id: Type.Optional({ ...MemberId, description: 'Bills of this member only' }),
  status: Type.Optional(oneOf(BILL_STATUSES, { description: 'Bills with this status only' })),
})
