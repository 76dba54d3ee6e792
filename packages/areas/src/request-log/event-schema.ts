import { type Static, Type } from 'typebox'
import { ByProject, environmentParameter } from '#areas/console/schema.ts'
import { nullable, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { datesWhen, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { CausedDelivery } from './schema.ts'

const EventId = Type.String({ description: 'The event', examples: ['evt_01jcq3k8f7e8qtk4m3hbw7rn2j'] })
const MemberId = Type.String({
  description: 'The member that it is about',
  examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})

export const LoggedEvent = Type.Object(
  {
    id: EventId,
    type: Type.String({ description: 'Its type', examples: ['member.created'] }),
    timestamp: Timestamp({ description: 'When it happened' }),
    member_id: nullable(MemberId),
    request_id: nullable(
      Type.String({ description: 'The request that caused it', examples: ['req_0f9c2d1e-6f0a'] }),
    ),
  },
  { title: 'LoggedEvent' },
)
export type LoggedEvent = Static<typeof LoggedEvent>

export const LoggedEventInFull = Type.Object(
  {
    ...LoggedEvent.properties,
    data: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'The `data` that webhooks get',
      examples: [{ id: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2e' }],
    }),
    deliveries: Type.Array(CausedDelivery, { description: 'Its delivery to each webhook' }),
  },
  { title: 'LoggedEventInFull' },
)

export const EventsQuery = strict({
  environment: environmentParameter,
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only events of this type, or of a group like `form.*`; an unknown type is refused',
      examples: ['member.created'],
    }),
  ),
  member_id: Type.Optional({ ...MemberId, maxLength: 80, description: 'Only events about this member' }),
  ...datesWhen('happened'),
  ...sortParameters(['timestamp']),
  ...pageParameters,
})

export const ByEvent = strict({ ...ByProject.properties, event_id: pathId('event', EventId) })
