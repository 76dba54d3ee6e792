import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { ByProject, environmentParameter } from '../schema.ts'

export const KINDS = ['event', 'mail', 'order', 'session', 'act', 'request'] as const
export type Kind = (typeof KINDS)[number]

export const ByMember = strict({ ...ByProject.properties, member_id: pathId('member', MemberId) })

export const TimelineQuery = strict({
  environment: environmentParameter,
  kinds: Type.Optional(
    Type.String({
      pattern: `^(${KINDS.join('|')})(,(${KINDS.join('|')}))*$`,
      description: `Only entries of these kinds, separated by commas: ${KINDS.join(', ')}. Default: all but \`request\``,
      examples: ['event,mail'],
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 50,
    description: 'The largest number of entries',
  }),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'The `next_cursor` of the previous page' }),
  ),
})

const Cause = Type.Object(
  {
    request_id: nullable(
      Type.String({ description: 'The request that caused it', examples: ['req_0f9c2d1e-6f0a'] }),
    ),
    actor: nullable(
      Type.String({
        description: 'The kind of the credential: `secret_key`, `public_key`, `member`, `operator`, `system`',
        examples: ['operator'],
      }),
    ),
    actor_id: nullable(
      Type.String({ description: 'Who acted', examples: ['op_01jcq3k8f7e8qtk4m3hbw7rn2d'] }),
    ),
    reason: nullable(Type.String({ description: 'The reason that was given', examples: ['Spam'] })),
  },
  { title: 'TimelineCause', description: 'What it comes from, as far as it is known' },
)

export const TimelineEntry = Type.Object(
  {
    kind: oneOf(KINDS, {
      description:
        'An `event` about the member, a `mail` to the member, a status of an `order`, a `session` that began, an `act` of the audit log, or a `request` of the member',
    }),
    id: Type.String({ description: 'The id of the thing', examples: ['evt_01jcq3k8f7e8qtk4m3hbw7rn2j'] }),
    at: Timestamp({ description: 'When it happened' }),
    title: Type.String({
      description: 'The type of an event, the name of a mail, the number of an order, and so on',
      examples: ['member.updated'],
    }),
    state: nullable(
      Type.String({
        description: 'The state of a mail, the status of an order or of a request',
        examples: ['sent'],
      }),
    ),
    cause: Cause,
  },
  { title: 'TimelineEntry' },
)
export type TimelineEntry = Static<typeof TimelineEntry>
