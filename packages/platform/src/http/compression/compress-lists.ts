import type { FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'
import { type Asker, FairSemaphore } from '../../threads/fair-semaphore.ts'
import type { Api } from '../api.ts'
import { callerOf } from '../server/authenticate.ts'
import { acceptedEncoding, compress, type Encoding, varyByEncoding } from './encoding.ts'
import { hasTag } from './kept-bodies.ts'

/** Bytes of the smallest list that is compressed: below it, a packet or two are saved at most. */
const SMALLEST = 4 * 1024

/** Effort of compression, of 9: a list is sent once. It takes 1 ms for 100 KiB. */
const EFFORT = 4

/** Lists that are compressed at a time, each in a thread of Node's pool, which has four. */
const SLOTS = 2
/** A list that has waited so long is sent as it is. */
const WAIT_MS = 100

/** Names of what is secret. Its length must not show in the length of an answer that also has a guess of somebody (BREACH). */
const SECRET_FIELD = /(?:^|_)(?:secret|token|password|credential|code|key)s?$/i
const SECRET_PATH = /\/(?:auth|[\w-]*(?:key|secret|token)s?)(?:\/|$)/i

/**
 * Compresses lists of 4 KiB and more for clients that take it, outside of the event loop; projects take turns. Such a list has
 * a weak `ETag`, and a client that has it gets 304. Other routes run none of this.
 */
export function compressLists(api: Api): void {
  const slots = new FairSemaphore({
    ...{ slots: SLOTS, perProject: 1, waiting: 100, waitMs: WAIT_MS },
    busy: 'Too many lists are being compressed now',
  })
  const send: onSendHookHandler = (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < SMALLEST || reply.statusCode !== 200)
      return done(null, payload)
    shorten(request, reply, payload, slots).then((body) => done(null, body), done)
  }
  api.addHook('onRoute', (route: RouteOptions) => {
    if (mayBeCompressed(route)) route.onSend = [...[route.onSend ?? []].flat(), send]
  })
}

/** Whether a route is a list that has nothing secret in it, by its path and by the fields of its answer. */
export function mayBeCompressed({ method, url, schema = {} }: RouteOptions): boolean {
  const { querystring, response = {} } = schema as { querystring?: object; response?: object }
  const parameters = (querystring as { properties?: object } | undefined)?.properties ?? {}
  return method === 'GET' && 'limit' in parameters && !SECRET_PATH.test(url) && !hasSecretField(response)
}

function hasSecretField(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties = {} } = schema as { properties?: object }
  return (
    Object.keys(properties).some((name) => SECRET_FIELD.test(name)) ||
    Object.values(schema).some(hasSecretField)
  )
}

async function shorten(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  slots: FairSemaphore,
): Promise<Buffer | string> {
  if (reply.hasHeader('set-cookie')) return text
  const body = Buffer.from(text)
  varyByEncoding(reply)
  if (!reply.hasHeader('etag')) {
    const tag = await tagOf(body)
    reply.header('etag', `W/"${tag}"`)
    if (hasTag(request.headers['if-none-match'], tag)) {
      reply.code(304).removeHeader('content-type')
      return ''
    }
  }
  const encoding =
    request.method === 'HEAD' ? undefined : acceptedEncoding(request.headers['accept-encoding'])
  const compressed = encoding && (await inTurn(slots, askerOf(request), body, encoding))
  if (compressed === undefined) return body
  reply.header('content-encoding', encoding)
  return compressed
}

async function tagOf(body: Buffer): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(body))
  return Buffer.from(hash).toString('base64url').slice(0, 22)
}

const askerOf = (request: FastifyRequest): Asker => ({
  projectId: request.key || request.member ? callerOf(request).projectId : request.ip,
})

/** The body compressed, or undefined where it is not its turn soon. */
export async function inTurn(
  slots: FairSemaphore,
  asker: Asker,
  body: Buffer,
  encoding: Encoding,
): Promise<Buffer | undefined> {
  const isTaken = await (async () => slots.take(asker))().catch(() => false)
  if (!isTaken) return undefined
  try {
    return await compress(body, encoding, EFFORT)
  } finally {
    slots.release(asker)
  }
}
