import { type Static, Type } from 'typebox'
import {
  Currency,
  Metadata,
  MetadataOut,
  oneOf,
  pathId,
  strict,
  Timestamp,
  unsettable,
} from '#platform/http/envelope.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'

export const INTERVALS = ['month', 'year', 'one_time', 'free'] as const
export const VISIBILITIES = ['public', 'hidden'] as const
export const PLAN_STATUSES = ['active', 'archived'] as const

const PlanId = Type.String({ description: 'The id of a plan', examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'] })
const Name = Type.String({ minLength: 1, maxLength: 120, examples: ['Supporter'] })
const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 80,
  description: 'Lower-case words joined by hyphens; unique in the project',
  examples: ['supporter'],
})
const Description = Type.String({ maxLength: 2000, examples: ['Everything, and our thanks'] })
const Price = Type.Number({
  minimum: 0,
  maximum: 99_999_999,
  description: 'The price in the currency, with at most as many decimals as the currency has',
  examples: [9.5],
})
const Interval = oneOf(INTERVALS, { description: 'The unit of the billing period' })
const IntervalCount = Type.Integer({
  minimum: 1,
  maximum: 36,
  description: 'The number of intervals in a billing period',
  examples: [1],
})
const TrialDays = Type.Integer({ minimum: 0, maximum: 730, examples: [14] })
const Features = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Keys of the features of the plan',
  examples: [['downloads']],
})
const Rank = Type.Integer({
  minimum: -1000,
  maximum: 1000,
  description: 'The order of plans: a change to a plan with a higher rank is an upgrade',
  examples: [10],
})
const limits = { description: 'Numbers and settings that your product reads', examples: [{ seats: 5 }] }

export const Plan = Type.Object(
  {
    id: PlanId,
    name: Name,
    slug: Slug,
    description: Description,
    price: Price,
    currency: Type.String({ description: 'The currency: an ISO 4217 code in lower case', examples: ['eur'] }),
    interval: Interval,
    interval_count: IntervalCount,
    trial_days: TrialDays,
    features: Features,
    limits: Type.Unsafe<Record<string, unknown>>({ ...MetadataOut, ...limits }),
    rank: Rank,
    visibility: oneOf(VISIBILITIES),
    status: oneOf(PLAN_STATUSES),
    is_default: Type.Boolean({ description: 'True for the plan that new members get', examples: [false] }),
    member_count: Type.Integer({ description: 'The number of members on the plan', examples: [12] }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Plan' },
)
export type Plan = Static<typeof Plan>

export const NewPlan = strict(
  {
    name: Name,
    slug: Type.Optional(Slug),
    description: Type.Optional(Description),
    price: Price,
    currency: Type.Optional(Currency()),
    interval: Type.Optional(Interval),
    interval_count: Type.Optional(IntervalCount),
    trial_days: Type.Optional(TrialDays),
    features: Type.Optional(Features),
    limits: Type.Optional(Metadata(limits)),
    rank: Type.Optional(Rank),
    visibility: Type.Optional(oneOf(VISIBILITIES)),
    is_default: Type.Optional(
      Type.Boolean({
        description:
          'True replaces the present default plan. Members who are on that plan only because it was the default move to this plan within seconds',
      }),
    ),
  },
  {
    title: 'NewPlan',
    examples: [
      { name: 'Supporter', price: 9.5, currency: 'eur', interval: 'month', features: ['downloads'] },
    ],
  },
)
export type NewPlan = Static<typeof NewPlan>

export const PlanChanges = strict(
  {
    ...NewPlan.properties,
    name: Type.Optional(Name),
    description: Type.Optional(unsettable(Description)),
    price: Type.Optional(Price),
  },
  { title: 'PlanChanges', examples: [{ price: 12, trial_days: 14 }] },
)
export type PlanChanges = Static<typeof PlanChanges>

export const ById = strict({ id: pathId('plan', PlanId) })

export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(
    oneOf(PLAN_STATUSES, { description: 'Only plans with this status; public keys get active plans only' }),
  ),
  visibility: Type.Optional(
    oneOf(VISIBILITIES, { description: 'Only plans of this visibility; public keys get public plans only' }),
  ),
  search: searchIn('the name or the slug'),
  ...createdParameters,
  ...sortParameters(['rank', 'name', 'created_at'], { byDefault: 'asc' }),
})
export type ListQuery = Static<typeof ListQuery>
