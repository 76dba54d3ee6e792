import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'
import { LARGE_JSON } from '../../threads/event-loop-turns.ts'
import { type Asker, FairSemaphore } from '../../threads/fair-semaphore.ts'
import type { Api } from '../api.ts'
import { callerOf } from '../caller.ts'
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
    if (reply.hasHeader('set-cookie')) return done(null, payload)
    const encoding = encodingFor(request, reply)
    const finish = (tag: string) => {
      if (isKnown(request, reply, tag)) return done(null, '')
      if (encoding === undefined) return done(null, payload)
      inTurn(slots, askerOf(request), Buffer.from(payload), encoding).then((compressed) => {
        if (compressed !== undefined) reply.header('content-encoding', encoding)
        done(null, compressed ?? payload)
      }, done)
    }
    // Most tags are made at once, and wait for no promise.
    const tag = tagOf(payload)
    if (typeof tag === 'string') finish(tag)
    else tag.then(finish, done)
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

function encodingFor({ method, headers }: FastifyRequest, reply: FastifyReply): Encoding | undefined {
  varyByEncoding(reply)
  return method === 'HEAD' ? undefined : acceptedEncoding(headers['accept-encoding'])
}

/** Whether the client has the list already: then the answer is 304. */
function isKnown({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('etag', `W/"${tag}"`)
  const has = hasTag(headers['if-none-match'], tag)
  if (has) reply.code(304).removeHeader('content-type')
  return has
}

/** Of a text of 100 KiB in a tenth of a millisecond; of a larger one outside of the event loop. */
function tagOf(text: string): string | Promise<string> {
  if (text.length <= LARGE_JSON) return hash('sha256', text, 'base64url').slice(0, 22)
  return crypto.subtle
    .digest('SHA-256', new TextEncoder().encode(text))
    .then((digest) => Buffer.from(digest).toString('base64url').slice(0, 22))
}

const askerOf = (request: FastifyRequest): Asker => ({
  projectId: (request.key ?? request.member ?? request.operator) ? callerOf(request).projectId : request.ip,
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
