import type { FastifyReply, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError, forbidden, invalidBody, invalidParameters, invalidToken } from '#platform/errors.ts'
import { actingMember, whoMayAct } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf, memberOf } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import { countWrongCredential, hasTicket } from '#platform/http/server/authenticate.ts'
import { projectSuspended } from '#platform/keys/project-states.ts'
import { describeStream, EXAMPLE } from './describe.ts'
import { Hub, operatorStands } from './hub/hub.ts'
import { openStream } from './hub/open.ts'
import { StreamSlots } from './hub/slots.ts'
import { type Listener, type OperatorStands, standingsOf } from './hub/standing.ts'
import { NewTicket, StreamQuery, Ticket } from './schema.ts'
import { type FoundTicket, makeTicket, readTicket } from './tickets/tickets.ts'
import { MOST_TOPICS, openTopics } from './topics.ts'

const access = { secret: 'any', user: 'self' } as const

const events = {
  description: 'The events, as they happen. The answer has no end',
  content: { 'text/event-stream': { schema: Type.Unsafe<unknown>({ type: 'string', examples: [EXAMPLE] }) } },
}

/** What the routes of streams work with. */
interface StreamParts extends Pick<AreaDeps, 'catalogue' | 'limiter'> {
  readonly hub: Hub
  readonly slots: StreamSlots
  readonly dataOf: DataOf
  readonly stands: OperatorStands
}

type DataOf = (projectId: string) => ReturnType<AreaDeps['asSystem']>

export function streamRoutes(api: Api, deps: AreaDeps): void {
  const { asSystem, catalogue, limiter } = deps
  const hub = new Hub(deps)
  api.addHook('preClose', async () => hub.close())
  new Gauge({
    name: 'guildhall_open_streams',
    help: 'Streams that are open in this process',
    registers: [deps.metrics.registry],
    collect() {
      this.set(hub.size)
    },
  })

  // Whether the project rests is a part of what a listener may.
  const dataOf: DataOf = (projectId) => asSystem(projectId, 'streams', { evenAtRest: true })
  const parts: StreamParts = {
    catalogue,
    limiter,
    hub,
    slots: new StreamSlots(),
    dataOf,
    stands: operatorStands(deps),
  }
  createStreamTicketRoute(api, parts)
  openStreamRoute(api, parts)
}

function createStreamTicketRoute(api: Api, { catalogue, dataOf, stands }: StreamParts): void {
  api.post(
    '/stream/tickets',
    {
      config: { access, actingMember: 'optional header', oneTransaction: true },
      schema: {
        operationId: 'createStreamTicket',
        repeatCosts: false,
        summary: 'Get a ticket for a stream',
        description:
          'A ticket opens one stream within a minute, where no header can be sent: `new EventSource(…/stream?ticket=…)`. A key that names a member gets a ticket of that member. The stream of an operator ends with the session or the role of the operator.',
        body: NewTicket,
        response: { 201: envelope(Ticket) },
      },
    },
    async (request, reply) => {
      const { topics } = request.body
      const listener = await listenerOf(request)
      const asker = await standingOf(dataOf, listener, stands)
      const { faults } = await openTopics(catalogue, dataOf(listener.projectId), asker, topics)
      if (faults.length > 0) throw invalidBody(faults)
      reply.header('cache-control', 'no-store')
      return request.write((ctx) => makeTicket(ctx, listener, topics))
    },
  )
}

function openStreamRoute(api: Api, parts: StreamParts): void {
  const { catalogue, hub, slots, dataOf, stands } = parts

  api.get(
    '/stream',
    {
      exposeHeadRoute: false,
      config: { access, actingMember: 'optional header', takesTicket: true },
      schema: {
        operationId: 'openStream',
        sdk: 'stream.open',
        summary: 'Open a stream of events',
        description: describeStream(catalogue),
        querystring: StreamQuery,
        response: { 200: events },
      },
    },
    async (request, reply) => {
      const after = lastEventIdOf(request)
      const { listener, topics, take } = hasTicket(request)
        ? await ticketOf(parts, request, reply)
        : { listener: await listenerOf(request), topics: topicsOf(request), take: undefined }
      const changes = hub.changes
      const asker = await standingOf(dataOf, listener, stands)
      const { opened, faults } = await openTopics(catalogue, dataOf(listener.projectId), asker, topics)
      if (faults.length > 0) throw invalidParameters(faults)
      await openStream(
        { hub, slots, data: dataOf(listener.projectId) },
        { reply, listener, asker, opened, texts: topics, after, changes, take },
      )
      return reply
    },
  )
}

/** @throws ApiError 401 for one that may listen no longer */
async function standingOf(dataOf: DataOf, listener: Listener, stands: OperatorStands) {
  const standing = (await standingsOf(dataOf(listener.projectId), [listener], stands))(listener)
  if (standing === 'project_suspended') throw projectSuspended()
  if (standing === 'shutting_down') throw new ApiError(503, 'UNAVAILABLE', 'The project is moving: try again')
  if (typeof standing === 'string')
    throw invalidToken(standing === 'key_revoked' ? 'revoked' : 'session_ended')
  return standing
}

async function ticketOf(
  { dataOf, limiter }: StreamParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FoundTicket> {
  const { ticket = '', topics } = request.query as StreamQuery
  if (topics !== undefined)
    throw invalidParameters([
      { field: 'topics', rule: 'unexpected', message: 'must be left out: the ticket has its own' },
    ])
  if (request.headers['x-user-id'] !== undefined)
    throw forbidden('The ticket says who listens: leave out X-User-ID')
  try {
    return await readTicket(ticket, dataOf)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await countWrongCredential(request, reply, limiter)
    throw error
  }
}

/** By which credential of a header somebody listens, and for whom. @throws ApiError 401, 403, 422 */
async function listenerOf(request: FastifyRequest): Promise<Listener> {
  const who = whoMayAct(request)
  const { projectId, actor } = callerOf(request)
  if (actor.kind === 'member')
    return {
      ...{ projectId, memberId: actor.id, sessionId: actor.sessionId, keyId: null },
      operator: memberOf(request).operator ?? null,
    }
  const { member } = await request.read({ member: actingMember(who) })
  const memberId = member?.id ?? null
  const { operator } = request
  if (operator) return { projectId, memberId, sessionId: null, keyId: null, operator }
  if (actor.kind !== 'secret_key') throw forbidden('Streams are for members and secret keys')
  return { projectId, memberId, sessionId: null, keyId: actor.id, operator: null }
}

/** @throws ApiError 400 */
function topicsOf(request: FastifyRequest): readonly string[] {
  const { topics, ticket } = request.query as StreamQuery
  if (ticket !== undefined)
    throw invalidParameters([
      { field: 'ticket', rule: 'unexpected', message: 'must be left out with the header Authorization' },
    ])
  const sent = topics?.split(',') ?? []
  if (sent.length === 0)
    throw invalidParameters([{ field: 'topics', rule: 'required', message: 'is required without a ticket' }])
  if (sent.length > MOST_TOPICS)
    throw invalidParameters([
      { field: 'topics', rule: 'maxItems', message: `must be at most ${MOST_TOPICS} topics` },
    ])
  return [...new Set(sent)]
}

/** Numbers that a log never reaches are no numbers of ours. */
const NUMBER = /^\d{1,15}$/

/**
 * Behind which number a stream goes on; undefined where it begins now. The header is newer than the address: a browser
 * sends it when it connects again.
 * @throws ApiError 400
 */
export function lastEventIdOf(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id']
  const { last_event_id } = request.query as StreamQuery
  const [field, sent] =
    header === undefined || header === ''
      ? ['last_event_id', last_event_id]
      : ['Last-Event-ID', String(header)]
  if (sent === undefined) return undefined
  if (!NUMBER.test(sent))
    throw invalidParameters([{ field, rule: 'number', message: 'must be an `id` that a stream has sent' }])
  return Number(sent)
}
