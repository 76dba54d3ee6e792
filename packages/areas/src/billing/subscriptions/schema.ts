import { type Static, Type } from 'typebox'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, idParameter, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { Bill, DraftLine } from '../bills/schema.ts'
import { PlanId } from '../schema.ts'
import { STATUSES } from './machine/state.ts'

export const SubscriptionId = Type.String({
  description: 'The id of a subscription',
  examples: ['subs_01jcq3k8f7e8qtk4m3hbw7rn2h'],
})
const AccountId = Type.String({
  description: 'The id of a payment account',
  examples: ['pacc_01jcq3k8f7e8qtk4m3hbw7rn2n'],
})
const Status = oneOf(STATUSES, {
  description:
    '`incomplete`: the first bill is not paid, and the member has no access; `past_due`: a renewal is not paid, and the member keeps access; `paused`: billing and access are stopped',
})
const When = oneOf(['now', 'period_end'])

export const Subscription = Type.Object(
  {
    id: SubscriptionId,
    member_id: MemberId,
    plan_id: PlanId,
    status: Status,
    price: Type.Number({
      description: 'The price of one period, at which this member subscribed',
      examples: [9.5],
    }),
    currency: Type.String({ examples: ['eur'] }),
    interval: oneOf(['month', 'year']),
    interval_count: Type.Integer({ examples: [1] }),
    payment_account_id: nullable({ ...AccountId, description: 'Null: money is taken by hand' }),
    period_start: Timestamp(),
    period_end: Timestamp(),
    trial_end: nullable(Timestamp()),
    cancel_at_period_end: Type.Boolean({ examples: [false] }),
    next_plan_id: nullable({
      ...PlanId,
      description: 'The plan after the end of the period; null: no change',
    }),
    paused_at: nullable(Timestamp()),
    resume_at: nullable(Timestamp()),
    open_bill_id: nullable(Type.String({ examples: ['bill_01jcq3k8f7e8qtk4m3hbw7rn2m'] })),
    canceled_at: nullable(Timestamp()),
    cancel_reason: nullable(
      Type.String({
        description:
          '`canceled`, `period_end`, `unpaid`, `incomplete_expired`, `bill_voided`, `amount_too_small`, `dispute_lost`, `operator` or `member_deleted`',
        examples: [null],
      }),
    ),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Subscription' },
)
export type Subscription = Static<typeof Subscription>

/** What an act on a subscription answers. */
export const SubscriptionWithBill = Type.Object(
  {
    ...Subscription.properties,
    bill: nullable(
      Type.Unsafe<Static<typeof Bill> | null>({
        ...Bill,
        description: 'The bill that this request created',
      }),
    ),
  },
  { title: 'SubscriptionWithBill' },
)
export type SubscriptionWithBill = Static<typeof SubscriptionWithBill>

export const NewSubscription = strict(
  {
    member_id: Type.Optional({
      ...MemberId,
      description: 'The member who subscribes; not needed with a token',
    }),
    plan_id: PlanId,
    trial: Type.Optional(
      Type.Boolean({
        description:
          'Default: true if the plan has a trial and the member has not used it. `true` answers 422 if there is no trial',
      }),
    ),
    payment_account_id: Type.Optional({
      ...AccountId,
      description: 'Default: the default account of the project. A member’s token can name no other one',
    }),
  },
  {
    title: 'NewSubscription',
    examples: [{ member_id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d', plan_id: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2e' }],
  },
)

const PlanChange = {
  plan_id: PlanId,
  when: Type.Optional({
    ...When,
    description: 'Default: `now` for an upgrade (to a higher rank), `period_end` for everything else',
  }),
}
export const PreviewRequest = strict(PlanChange, {
  title: 'PreviewRequest',
  examples: [{ plan_id: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2e', when: 'now' }],
})
const PreviewId = Type.String({ examples: ['prev_01jcq3k8f7e8qtk4m3hbw7rn2p'] })
export const PreviewLine = DraftLine
const Lines = Type.Array(PreviewLine, { description: 'The total is the sum of the lines' })

/** A bill that is not made yet. */
export const UpcomingBill = Type.Object(
  {
    date: Timestamp({ description: 'When the bill will be made' }),
    plan_id: { ...PlanId, description: 'The plan of the period that the bill is for' },
    lines: Lines,
    total: Type.Number({
      description: 'The amount that will be charged, after the credit of the member',
      examples: [9.5],
    }),
    currency: Type.String({ examples: ['eur'] }),
  },
  { title: 'UpcomingBill' },
)

export const Preview = Type.Object(
  {
    preview_id: PreviewId,
    plan_id: PlanId,
    when: When,
    takes_effect: oneOf(['now', 'when_paid', 'period_end'], {
      description: '`when_paid`: the provider charges the amount first',
    }),
    date: Timestamp({ description: 'When the change takes effect: now, or at the end of the period' }),
    rank: oneOf(['higher', 'lower', 'equal'], {
      description:
        'The rank of the new plan, compared with the present plan. Without `when`, only a change to a higher rank takes effect now. Every other change waits for the end of the period',
    }),
    lines: Type.Array(DraftLine, { description: 'The amount is the sum of the lines' }),
    amount: Type.Number({ description: 'The exact amount that the change will charge', examples: [4.75] }),
    currency: Type.String({ examples: ['eur'] }),
    next_bill: nullable(
      Type.Unsafe<Static<typeof UpcomingBill> | null>({
        ...UpcomingBill,
        title: 'NextBill',
        description: 'The bill of the next period after the change; null: none follows',
      }),
    ),
    expires_at: Timestamp({ description: 'A change with this preview charges this amount until this time' }),
  },
  { title: 'ChangePreview' },
)
export const ChangeRequest = strict(
  {
    ...PlanChange,
    preview_id: Type.Optional({
      ...PreviewId,
      description: 'The change charges exactly the amount of this preview',
    }),
  },
  { title: 'SubscriptionChange', examples: [{ plan_id: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2e' }] },
)
export const CancelRequest = strict(
  {
    at: { ...When, description: '`now` gives no credit for the rest of the period, and settles open bills' },
  },
  { title: 'SubscriptionCancel', examples: [{ at: 'period_end' }] },
)
export const PauseRequest = strict(
  {
    resume_at: Type.Optional(
      Timestamp({
        description: 'When the subscription resumes by itself. Without it, it is paused until it is resumed',
      }),
    ),
  },
  { title: 'SubscriptionPause', examples: [{}] },
)
export const PaymentMethod = Type.Object(
  {
    client_secret: Type.String({
      description: 'For the script of the provider in the browser',
      examples: ['seti_1_secret_2'],
    }),
    publishable_key: Type.Optional(
      Type.String({
        description: 'The publishable key of the payment account, if it has one',
        examples: ['pk_test_TYooMQauvdEDq54NiTphI7jx'],
      }),
    ),
  },
  { title: 'PaymentMethodSetup' },
)
const PlanOfMove = Type.Object({ id: PlanId, name: Type.String({ examples: ['Supporter'] }) })
export const Move = Type.Object(
  {
    id: Type.String({ examples: ['move_01jcq3k8f7e8qtk4m3hbw7rn2q'] }),
    event: Type.String({ examples: ['cancel'] }),
    from: nullable(Status),
    to: Status,
    from_plan: nullable(
      Type.Unsafe<{ id: string; name: string } | null>({
        ...PlanOfMove,
        title: 'PlanBeforeMove',
        description:
          'The plan before the change. Null if the subscription began, or if the change is older than this list',
      }),
    ),
    to_plan: nullable(
      Type.Unsafe<{ id: string; name: string } | null>({
        ...PlanOfMove,
        title: 'PlanAfterMove',
        description: 'The plan after the change',
      }),
    ),
    takes_effect: nullable(
      oneOf(['now', 'when_paid', 'period_end'], {
        description: 'When the new plan starts; null if no change of plan was requested',
        examples: [null],
      }),
    ),
    by: Type.String({
      description: 'The actor who made the change: `secret_key`, `member`, `operator` or `system`',
      examples: ['secret_key'],
    }),
    reason: nullable(Type.String({ examples: ['period_end'] })),
    occurred_at: Timestamp(),
  },
  { title: 'SubscriptionMove' },
)

export const ById = strict({ id: pathId(subscriptionId, SubscriptionId) })
export const HistoryQuery = strict(pageParameters)
export const SubscriptionsQuery = strict({
  ...pageParameters,
  member_id: Type.Optional({ ...MemberId, description: 'Only subscriptions of this member' }),
  plan_id: idParameter(PlanId, 'Only subscriptions to this plan'),
  status: Type.Optional(oneOf(STATUSES, { description: 'Only subscriptions with this status' })),
  search: searchIn('the name or address of the member'),
  ...createdParameters,
  ...sortParameters(['created_at']),
})
