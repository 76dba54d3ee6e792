import { type Static, Type } from 'typebox'
import { ByProject, environmentParameter } from '#areas/console/schema.ts'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'failed'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

const RequestId = Type.String({
  maxLength: 100,
  description: 'The id of the request: its header `X-Request-Id`',
  examples: ['req_0f9c2d1e-6f0a-4c55-9f3b-6d0f4c1f7a10'],
})
const id = (description: string, example: string) =>
  Type.String({ maxLength: 80, description, examples: [example] })

export const LoggedRequest = Type.Object(
  {
    id: RequestId,
    at: Timestamp({ description: 'When the request came' }),
    method: oneOf(METHODS, { description: 'The method of the request', examples: ['GET'] }),
    route: Type.String({ description: 'The pattern of its path', examples: ['/api/v1/members/:id'] }),
    status: Type.Integer({ description: 'The status of the answer', examples: [200] }),
    ms: Type.Number({ description: 'Milliseconds until the answer was sent', examples: [3.2] }),
    code: nullable(Type.String({ description: 'The code of the error', examples: ['NOT_FOUND'] })),
    key_id: nullable(id('The key that sent it', 'key_01jcq3k8f7e8qtk4m3hbw7rn2d')),
    member_id: nullable(id('The member whose token sent it', 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d')),
    operator_id: nullable(id('The operator whose token sent it', 'op_01jcq3k8f7e8qtk4m3hbw7rn2d')),
  },
  { title: 'LoggedRequest' },
)
export type LoggedRequest = Static<typeof LoggedRequest>

export const RequestsQuery = strict({
  environment: environmentParameter,
  method: Type.Optional(oneOf(METHODS, { description: 'Only requests with this method' })),
  status: Type.Optional(
    Type.Integer({ minimum: 100, maximum: 599, description: 'Only requests with this status' }),
  ),
  status_class: Type.Optional(
    oneOf(STATUS_CLASSES, { description: 'Only requests with such a status; `failed` means 4xx and 5xx' }),
  ),
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only requests with this error code' }),
  ),
  route: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only requests to this pattern of a path' }),
  ),
  key_id: Type.Optional(id('Only requests of this key', 'key_01jcq3k8f7e8qtk4m3hbw7rn2d')),
  member_id: Type.Optional(id('Only requests of this member', 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d')),
  request_id: Type.Optional({ ...RequestId, description: 'Only requests with this id' }),
  start_date: Type.Optional(
    Type.String({ format: 'date-or-time', description: 'Only requests from this date or time on' }),
  ),
  end_date: Type.Optional(
    Type.String({
      format: 'date-or-time',
      description: 'Only requests up to this date or time; a date includes the whole day',
    }),
  ),
  include_operators: Type.Optional(
    Type.Boolean({ default: false, description: 'True adds the requests of operators' }),
  ),
  ...pageParameters,
})
export type RequestsQuery = Static<typeof RequestsQuery>

export const ByRequest = strict({ ...ByProject.properties, request_id: RequestId })

export const CausedDelivery = Type.Object(
  {
    id: id('The delivery', 'dlv_01jcq3k8f7e8qtk4m3hbw7rn2d'),
    endpoint_id: id('The webhook', 'whe_01jcq3k8f7e8qtk4m3hbw7rn2d'),
    state: oneOf(['pending', 'delivered', 'failed'], { description: 'How far the delivery is' }),
    attempts: Type.Integer({ description: 'How often it was sent', examples: [1] }),
    last_status: nullable(Type.Integer({ description: 'The last status of the receiver', examples: [500] })),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed', examples: ['timeout'] })),
  },
  { title: 'CausedDelivery' },
)

const CausedEvent = Type.Object(
  {
    id: id('The event', 'evt_01jcq3k8f7e8qtk4m3hbw7rn2j'),
    type: Type.String({ description: 'Its type', examples: ['member.created'] }),
    timestamp: Timestamp({ description: 'When it happened' }),
    member_id: nullable(id('The member that it is about', 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d')),
    deliveries: Type.Array(CausedDelivery, { description: 'Its delivery to each webhook' }),
  },
  { title: 'CausedEvent' },
)

const CausedJob = Type.Object(
  {
    id: id('The job, as `guildhall why job` takes it', '01938b60-1f2e-7c3a-9d4b-5e6f708192a3'),
    name: Type.String({ description: 'Its name', examples: ['mail.deliver'] }),
    state: oneOf(['queued', 'running', 'done', 'failed'], { description: 'How far the job is' }),
    attempts: Type.Integer({ description: 'How often it was begun', examples: [1] }),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed', examples: ['timeout'] })),
    created_at: Timestamp(),
  },
  { title: 'CausedJob' },
)

export const RequestTrace = Type.Object(
  {
    requests: Type.Array(LoggedRequest, {
      description: 'The requests with this id, the newest first; several if the client sent the id itself',
    }),
    events: Type.Array(CausedEvent, { description: 'The events that it caused, the first 100' }),
    jobs: Type.Array(CausedJob, { description: 'The background work that it caused, the first 100' }),
  },
  { title: 'RequestTrace' },
)
export type RequestTrace = Static<typeof RequestTrace>
