import { type Static, Type } from 'typebox'
import { Plan } from '#areas/plans/schema.ts'
import { nullable, oneOf, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'

/** What can give something to a member. */
export const SOURCE_TYPES = ['operator', 'subscription', 'order_line'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

const SourceId = nullable(
  Type.String({
    description: 'The subscription or the order line from which the grant comes; null if there is none',
    examples: ['subs_01jcq3k8f7e8qtk4m3hbw7rn2h'],
  }),
)
const EndsAt = nullable(
  Timestamp({ description: 'When the grant ends; null: it has no planned end', examples: [null] }),
)
const GrantSource = Type.Object(
  { type: oneOf(SOURCE_TYPES, { examples: ['subscription'] }), id: SourceId },
  { title: 'GrantSource' },
)

const { id, name, slug, rank, status, features, limits } = Plan.properties

export const Entitlements = Type.Object(
  {
    member_id: MemberId,
    active: Type.Boolean({
      description:
        'True while the status of the member is `active`; otherwise the member is entitled to nothing',
      examples: [true],
    }),
    plan: Type.Object(
      {
        id,
        name,
        slug,
        rank,
        status,
        source: Type.Object({
          type: oneOf(['default', ...SOURCE_TYPES], {
            description: 'The source of the plan; `default`: nothing else gives a plan',
            examples: ['subscription'],
          }),
          id: SourceId,
        }),
        ends_at: {
          ...EndsAt,
          description:
            'When the plan ends, with all grants of it that follow on one another; null: no planned end',
        },
      },
      {
        description: 'The plan of the member. It decides the limits and a part of the features',
      },
    ),
    features: {
      ...features,
      description:
        'Keys of the features that the member has, by the plan and by grants; empty unless `active`',
    },
    limits: {
      ...limits,
      description: 'The numbers and settings of the plan; empty unless `active`',
    },
    grants: Type.Array(
      Type.Object(
        {
          id: Type.String({
            description: 'The id of a grant',
            examples: ['grant_01jcq3k8f7e8qtk4m3hbw7rn2j'],
          }),
          source: GrantSource,
          plan_id: nullable(Plan.properties.id),
          features: {
            ...features,
            description: 'Keys of the features of this grant, besides those of a plan',
          },
          course_id: nullable(
            Type.String({ description: 'The id of a course', examples: ['crs_01jcq3k8f7e8qtk4m3hbw7rn2k'] }),
          ),
          starts_at: Timestamp(),
          ends_at: EndsAt,
        },
        { title: 'Grant' },
      ),
      {
        description:
          'All grants of the member, earliest first, with their source and end. The list includes grants of plans that are not the plan of the member, and grants that begin later: a pass that was bought again begins when the first one ends.',
      },
    ),
  },
  { title: 'Entitlements' },
)
export type Entitlements = Static<typeof Entitlements>

/** As events tell it: of the member whose id it is. */
export const ChangedEntitlements = Type.Object(
  { id: MemberId, ...Entitlements.properties },
  { title: 'ChangedEntitlements' },
)
