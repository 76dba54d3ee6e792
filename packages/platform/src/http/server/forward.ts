import type { IncomingMessage } from 'node:http'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Dispatcher } from 'undici'
import { type Cell, isUnreachable, type Slot } from '../../cells/cell.ts'
import { type Cells, cellUnavailable } from '../../cells/cells.ts'
import { FORWARDED, makeForwardHeader, REFUSED } from '../../cells/forward-header.ts'
import { ApiError, forbidden } from '../../errors.ts'
import { ProjectElsewhere } from '../../keys/project-states.ts'
import type { Api } from '../api.ts'
import { allowLongRequest, endLongRequest } from './client-error.ts'
import { headersFor, headersOf } from './forward-headers.ts'

/**
 * Forwards requests for projects that live in another cell, and knows those that another cell has forwarded. It begins before all
 * other steps: they ask for the client's address.
 */
export function knowForwarded(api: Api, cells: Cells): void {
  api.decorateRequest('fromCell', undefined)
  api.decorateRequest('toCell', undefined)
  api.addHook('onRequest', async (request) => {
    const header = request.headers[FORWARDED]
    if (header === undefined) return
    const { method, originalUrl: url } = request
    const from = typeof header === 'string' ? await cells.read({ method, url }, header) : undefined
    request.fromCell = from ?? 'forged'
    if (from !== undefined) Object.defineProperty(request, 'ip', { value: from.address })
  })
}

/** Refuses what only seems to come from another cell, and keeps bodies of requests whose project is known only after the body was read. */
export function registerForwarding(api: Api, cells: Cells): void {
  api.addHook('onRequest', (request, reply, done) => {
    if (request.fromCell !== 'forged') return done()
    reply.header(REFUSED, '1')
    done(forbidden('This request says that another cell has forwarded it, and none of this installation has'))
  })
  api.addHook('preParsing', (request, _reply, payload, done) => {
    const { access, keyInText } = request.routeOptions.config
    if (!cells.areThere || (access !== 'open' && keyInText !== true)) return done(null, payload)
    done(null, keepBody(request, payload as Readable))
  })
  api.addHook('onRoute', (route: RouteOptions) => {
    const { handler } = route
    route.handler = function (request, reply) {
      const returned: unknown = handler.call(this, request, reply)
      if (!(returned instanceof Promise)) return returned
      return returned.catch((error: unknown) => forwardIfElsewhere(error, request, reply, cells))
    }
  })
}

/**
 * Forwards the request if an error says that its project is elsewhere.
 * @throws the error otherwise; ApiError 503 where it cannot be forwarded
 */
export async function forwardIfElsewhere(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  cells: Cells,
): Promise<FastifyReply> {
  if (!(error instanceof ProjectElsewhere)) throw error
  const { fromCell } = request
  // Two cells that know different things do not send a request back and forth.
  if (fromCell !== undefined || !request.originalUrl.startsWith('/')) throw error
  const body = bodyOf(request)
  if (body === 'lost') throw error
  const cell = await cells.get(cells.placeOf(error.projectId, error.cell))
  const slot = cell.take(error.projectId)
  if (slot === undefined) {
    cells.count(cell.name, 'full')
    throw cellUnavailable()
  }
  request.toCell = cell.name
  await new Forwarding({ request, reply, cells, cell, slot, projectId: error.projectId }).run(body)
  return reply
}

const kept = new WeakMap<FastifyRequest, Buffer[]>()

function keepBody(request: FastifyRequest, payload: Readable): Readable {
  const chunks: Buffer[] = []
  kept.set(request, chunks)
  const tee = new PassThrough()
  tee.on('data', (chunk: Buffer) => chunks.push(chunk))
  tee.pause()
  return pipeline(payload, tee, () => undefined)
}

/** The body that is still to be sent; undefined for none. */
function bodyOf(request: FastifyRequest): Readable | Buffer | undefined | 'lost' {
  const { raw } = request
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && (length === undefined || length === '0')) return undefined
  const chunks = kept.get(request)
  if (chunks !== undefined) return Buffer.concat(chunks)
  return raw.readableDidRead ? 'lost' : raw
}

/**
 * The body as a stream of its own. undici destroys what it is given, also what it has read to its end, and takes the socket from a request
 * that it destroys; with the socket go the client's address and whoever reads the rest. Once this stream is destroyed, the rest is read
 * and dropped, so that the connection can be used again.
 */
function passOn(raw: IncomingMessage): Readable {
  const body = new PassThrough()
  // It is said by the answer.
  body.on('error', () => undefined)
  body.once('close', () => {
    raw.unpipe(body)
    raw.resume()
  })
  return raw.pipe(body)
}

interface Parts {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly cells: Cells
  readonly cell: Cell
  readonly slot: Slot
  readonly projectId: string
}

/** One request that is forwarded: both bodies pass through as they come. */
class Forwarding implements Dispatcher.DispatchHandler {
  readonly #parts: Parts
  readonly #begun = Promise.withResolvers<void>()
  #controller: Dispatcher.DispatchController | undefined
  #gone: Error | undefined
  #passed: Readable | undefined
  #hasHead = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Ends when the answer has begun. @throws ApiError 503 where there is none */
  run(body: Readable | Buffer | undefined): Promise<void> {
    const { request, reply, cell, projectId } = this.#parts
    const { method, originalUrl: url } = request
    const forwarded = makeForwardHeader(cell.keys, { method, url }, { address: request.ip, projectId })
    const headers = headersFor(request, forwarded, body)
    if (body === request.raw) {
      allowLongRequest(request.socket)
      this.#passed = passOn(request.raw)
    }
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return
      this.#gone = new Error('the client has gone')
      this.#controller?.abort(this.#gone)
    })
    const options = { method: method as Dispatcher.HttpMethod, path: url, headers }
    try {
      cell.dispatch({ ...options, body: this.#passed ?? body ?? null }, this)
    } catch (error) {
      this.onResponseError(undefined, error as Error)
    }
    return this.#begun.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#gone) controller.abort(this.#gone)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // The answer comes later.
    if (status < 200) return
    const { reply, slot, cells, cell, projectId } = this.#parts
    if (headers[REFUSED] !== undefined) {
      cells.count(cell.name, 'refused')
      reply.log.error(
        { cell: cell.name },
        'another cell refuses what is forwarded: are the secrets equal, and the clocks?',
      )
      controller.abort(new Error('refused'))
      return
    }
    if (String(headers['content-type']).startsWith('text/event-stream') && !slot.becomesStream()) {
      cells.count(cell.name, 'full')
      controller.abort(new Error('too many streams'))
      return
    }
    // Its client tries again, and is forwarded to where the project is by then.
    if (status === 503) void cells.lookAgain(projectId)
    this.#hasHead = true
    cells.count(cell.name, 'answered')
    reply.hijack()
    reply.raw.writeHead(status, headersOf(headers))
    reply.raw.flushHeaders()
    this.#begun.resolve()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { raw } = this.#parts.reply
    if (!this.#hasHead || raw.write(chunk)) return
    controller.pause()
    raw.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.#end()
    if (this.#hasHead) this.#parts.reply.raw.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const { cells, cell, reply } = this.#parts
    this.#end()
    if (isUnreachable(error)) cell.isAway()
    if (this.#gone === undefined && !this.#hasHead) cells.count(cell.name, 'failed')
    if (this.#gone !== undefined) cells.count(cell.name, 'aborted')
    // A part of an answer is not taken for the whole: the connection breaks.
    if (this.#hasHead) reply.raw.destroy(error)
    this.#begun.reject(cellUnavailable(error))
  }

  #end(): void {
    const { slot, request } = this.#parts
    slot.release()
    // A cell that could not be reached has read none of it.
    this.#passed?.destroy()
    endLongRequest(request.socket)
  }
}

/** 503, where another cell has sent a request for a project that is not here. */
export const projectMovedOn = () =>
  new ApiError(503, 'PROJECT_MOVED', 'This project has just moved to another installation: try again', {
    headers: { 'retry-after': '1' },
  })
