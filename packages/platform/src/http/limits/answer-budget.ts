import { getHeapStatistics } from 'node:v8'
import type {
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Api } from '../api.ts'
import { callerOf } from '../caller.ts'
import { LARGEST_PAGE } from '../page.ts'

/** Bytes of the largest JSON answer. */
const LARGEST_ANSWER = 8 * 1024 * 1024
/** The share of the heap that answers may take while they are built and read. */
const SHARE_OF_HEAP = 1 / 8
/** The share of the budget that one project may take. */
const SHARE_OF_PROJECT = 1 / 2
const WAIT_MS = 5_000

interface Options {
  /** Bytes that all answers of this process may take. */
  readonly bytes: number
  readonly waitMs: number
}

interface Waiter {
  readonly projectId: string
  readonly bytes: number
  readonly admitted: PromiseWithResolvers<void>
}

/**
 * The bytes of answers that are being built, or that clients have not read yet. A list reserves the largest size of its
 * page before its rows are read, and keeps the real size until the client has read it. Others wait; so answers never
 * fill the heap of the process.
 */
export class AnswerBudget {
  readonly #options: Options
  readonly #ofProject = new Map<string, number>()
  readonly #waiting: Waiter[] = []
  #used = 0

  constructor(options: Partial<Options> = {}) {
    const bytes = Math.max(4 * LARGEST_ANSWER, getHeapStatistics().heap_size_limit * SHARE_OF_HEAP)
    this.#options = { bytes, waitMs: WAIT_MS, ...options }
  }

  /** Bytes that are reserved now. */
  get used(): number {
    return this.#used
  }

  /** Reserves bytes: at once where there is room. @throws ApiError 503 where there is none for five seconds */
  reserve(projectId: string, bytes: number): Reservation | Promise<Reservation> {
    const reservation = new Reservation(bytes, (change) => {
      this.#add(projectId, change)
      if (change < 0) this.#admit()
    })
    if (!this.#fits(projectId, bytes)) return this.#wait(projectId, bytes).then(() => reservation)
    this.#add(projectId, bytes)
    return reservation
  }

  async #wait(projectId: string, bytes: number): Promise<void> {
    const waiter = { projectId, bytes, admitted: Promise.withResolvers<void>() }
    this.#waiting.push(waiter)
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      waiter.admitted.reject(noRoom())
    }, this.#options.waitMs)
    await waiter.admitted.promise.finally(() => clearTimeout(timer))
  }

  /** In the order in which they came; a project that has its share does not hold up others. */
  #admit(): void {
    if (this.#waiting.length === 0) return
    for (const waiter of [...this.#waiting]) {
      if (!this.#fits(waiter.projectId, waiter.bytes)) continue
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      this.#add(waiter.projectId, waiter.bytes)
      waiter.admitted.resolve()
    }
  }

  #fits(projectId: string, bytes: number): boolean {
    const { bytes: most } = this.#options
    const own = this.#ofProject.get(projectId) ?? 0
    return this.#used + bytes <= most && own + bytes <= most * SHARE_OF_PROJECT
  }

  #add(projectId: string, bytes: number): void {
    this.#used += bytes
    const own = (this.#ofProject.get(projectId) ?? 0) + bytes
    if (own > 0) this.#ofProject.set(projectId, own)
    else this.#ofProject.delete(projectId)
  }
}

/** What one answer has reserved. */
export class Reservation {
  #bytes: number
  readonly #onChange: (change: number) => void

  constructor(bytes: number, onChange: (change: number) => void) {
    this.#bytes = bytes
    this.#onChange = onChange
  }

  /** Replaces the reserved bytes by the real number. */
  resize(bytes: number): void {
    const change = bytes - this.#bytes
    this.#bytes = bytes
    if (change !== 0) this.#onChange(change)
  }
}

const noRoom = () =>
  new ApiError(503, 'UNAVAILABLE', 'Too many large answers are being read now: try again', {
    headers: { 'retry-after': '2' },
  })

/** Bytes of the largest page that a request for a list can get. */
function largestPage({ query, routeOptions }: FastifyRequest): number {
  const { limit = 0 } = query as { limit?: number }
  return Math.min(limit, LARGEST_PAGE) * (routeOptions.config.rowBytes ?? LARGEST_ANSWER / LARGEST_PAGE)
}

const isList = ({ schema }: RouteOptions): boolean =>
  'limit' in ((schema?.querystring as { properties?: object } | undefined)?.properties ?? {})

/** Lists wait until the process has room for their answers. Other routes run none of this. */
export function registerAnswerBudget(api: Api, budget: AnswerBudget): void {
  const reservations = new WeakMap<FastifyRequest, Reservation>()
  const begin = (request: FastifyRequest, reply: FastifyReply, reservation: Reservation) => {
    reservations.set(request, reservation)
    if (reply.raw.destroyed) reservation.resize(0)
    else reply.raw.once('close', () => reservation.resize(0))
  }
  const reserve: preHandlerHookHandler = (request, reply, done) => {
    if ((request.key ?? request.member ?? request.operator) === undefined) return done()
    const reserved = budget.reserve(callerOf(request).projectId, largestPage(request))
    // Most find room at once, and wait for no promise.
    if (reserved instanceof Reservation) {
      begin(request, reply, reserved)
      return done()
    }
    reserved.then((reservation) => begin(request, reply, reservation)).then(() => done(), done)
  }
  const keep: onSendHookHandler = (request, _reply, payload, done) => {
    if (typeof payload === 'string') reservations.get(request)?.resize(payload.length)
    done(null, payload)
  }
  api.addHook('onRoute', (route: RouteOptions) => {
    if (!isList(route)) return
    route.preHandler = [reserve, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), keep]
  })
}
