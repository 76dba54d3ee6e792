import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, idParameter, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { billId } from '../ids.ts'
import { Payment, PlanId } from '../schema.ts'
import { BillRefund, LineId } from './refunds/schema.ts'

export const BILL_STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const
export const BILL_REASONS = ['first', 'renewal', 'change'] as const

export const BillId = Type.String({
  description: 'The id of a bill',
  examples: ['bill_01jcq3k8f7e8qtk4m3hbw7rn2m'],
})

/** A line of a bill that is not made yet. */
export const DraftLine = Type.Object(
  {
    kind: oneOf(['period', 'proration', 'credit'], {
      description: '`credit`: credit that the member had, or credit that is kept for the next bill',
    }),
    description: Type.String({ examples: ['Supporter'] }),
    plan_id: nullable(PlanId),
    period_start: nullable(Timestamp()),
    period_end: nullable(Timestamp()),
    amount: Type.Number({ description: 'Negative if the line reduces the bill', examples: [9.5] }),
  },
  { title: 'BillDraftLine' },
)
const Line = Type.Object({ id: LineId, ...DraftLine.properties }, { title: 'BillLine' })

/** A bill without its payments, as events tell it. */
export const BillData = Type.Object(
  {
    id: BillId,
    number: Type.Integer({
      description: 'The number of the bill in the project; numbers have no gaps',
      examples: [1],
    }),
    subscription_id: Type.String({ examples: ['subs_01jcq3k8f7e8qtk4m3hbw7rn2h'] }),
    member_id: MemberId,
    status: oneOf(BILL_STATUSES, {
      description:
        '`void`: nobody has to pay it; `uncollectible`: nobody paid it in time, and a late payment is still accepted',
    }),
    reason: oneOf(BILL_REASONS, {
      description:
        '`first`: the subscription begins when this bill is paid; `renewal`: the bill of a further period; `change`: the bill of a change of plan',
    }),
    currency: Type.String({ examples: ['eur'] }),
    lines: Type.Array(Line, { description: 'The total is the sum of the lines' }),
    total: Type.Number({ examples: [9.5] }),
    amount_refunded: Type.Number({
      description: 'The amount that was refunded to the payer or to credit, refunds under way included',
      examples: [0],
    }),
    due_at: Timestamp(),
    paid_at: nullable(Timestamp()),
    created_at: Timestamp(),
  },
  { title: 'BillData' },
)

export const Bill = Type.Object(
  {
    ...BillData.properties,
    refunds: Type.Array(BillRefund, { description: 'The refunds of the bill, earliest first' }),
    payments: Type.Array(Payment, { description: 'The payments of the bill, earliest first' }),
  },
  { title: 'Bill' },
)
export type Bill = Static<typeof Bill>

export const ById = strict({ id: pathId(billId, BillId) })
export const BillsQuery = strict({
  ...pageParameters,
  member_id: Type.Optional({ ...MemberId, description: 'Only bills of this member' }),
  subscription_id: idParameter(
    Type.String({ examples: ['subs_01jcq3k8f7e8qtk4m3hbw7rn2h'] }),
    'Only bills of this subscription',
  ),
  status: Type.Optional(oneOf(BILL_STATUSES, { description: 'Only bills with this status' })),
  search: searchIn('the name or address of the member'),
  ...createdParameters,
  ...sortParameters(['created_at', 'number']),
})
