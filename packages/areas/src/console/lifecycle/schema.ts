import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { LIMIT_NAMES, TIERS } from '#platform/keys/rate-limits.ts'
import { Environment } from '../projects/schema.ts'
import { ProjectId } from '../schema.ts'

const Reason = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Why, for the audit',
    examples: ['Unpaid since June'],
  }),
)
export const Suspension = Type.Object(
  {
    id: ProjectId,
    suspended_at: nullable(Timestamp({ description: 'Null for a project that is not suspended' })),
  },
  { title: 'ProjectSuspension' },
)
export const SuspensionRequest = strict({ reason: Reason }, { title: 'ProjectSuspensionRequest' })

export const DeletionRequest = strict(
  {
    name: Type.String({
      maxLength: 120,
      description: 'The name of the project, as the confirmation',
      examples: ['Analytical Engines'],
    }),
    reason: Reason,
  },
  { title: 'ProjectDeletionRequest' },
)
export const Deletion = Type.Object(
  {
    id: ProjectId,
    deleted_at: Timestamp(),
    remove_after: Timestamp({
      description: 'From then on rows and files are removed, and the project cannot be restored',
    }),
  },
  { title: 'ProjectDeletion' },
)
export const Restored = Type.Object({ id: ProjectId }, { title: 'RestoredProject' })

const RATE_LIMIT = 'Requests per minute of each key; null: as the tier says'
const QUOTA = 'Bytes of files; null: as the tier says'
const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })

const ownLimits = Object.fromEntries(
  LIMIT_NAMES.map((name) => [
    name,
    Type.Optional(Count(`Requests per minute of the limit \`${name}\``, 100)),
  ]),
)
export const LimitChanges = strict(
  {
    environment: Type.Optional(Environment),
    tier: Type.Optional(oneOf(TIERS, { description: 'The tier, of both sides', examples: ['pro'] })),
    rate_limit: Type.Optional(nullable(Count(RATE_LIMIT, 600))),
    storage_quota: Type.Optional(nullable(Count(QUOTA, 10_737_418_240))),
    limits: Type.Optional(
      strict(
        Object.fromEntries(
          LIMIT_NAMES.map((name) => [
            name,
            Type.Optional(
              nullable(Count(`Requests per minute of the limit \`${name}\`; null: the default`, 100)),
            ),
          ]),
        ),
        { description: 'Other limits by name' },
      ),
    ),
  },
  { title: 'ProjectLimitChanges' },
)
export type LimitChanges = Static<typeof LimitChanges>

export const Limits = Type.Array(
  Type.Object(
    {
      environment: Environment,
      tier: oneOf(TIERS, { description: 'The tier decides what is not set', examples: ['pro'] }),
      rate_limit: nullable(Count(RATE_LIMIT, 600)),
      storage_quota: nullable(Count(QUOTA, 10_737_418_240)),
      own_limits: Type.Object(ownLimits, { description: 'Other limits that are not the default' }),
    },
    { title: 'ProjectLimits' },
  ),
  { description: 'The limits of both sides' },
)

const Used = Type.Object(
  {
    requests: Count('Requests with a right key or token, refused ones included', 120_400),
    active_members: Count('Members who were logged in at some time of the month', 812),
    storage_bytes: Count('The most bytes of files at a time', 734_003_200),
    mails: Count('Mails that were sent', 2_310),
    deliveries: Count('Webhook messages that were delivered', 9_120),
    events: Count('Events that were emitted', 15_870),
  },
  { title: 'UsedInMonth' },
)
export const Usage = Type.Array(
  Type.Object(
    {
      month: Type.String({ description: 'The month, in UTC', examples: ['2026-11'] }),
      live: Used,
      test: Used,
    },
    { title: 'MonthOfUsage' },
  ),
  { description: 'The newest month comes first. Months are kept for two years' },
)
