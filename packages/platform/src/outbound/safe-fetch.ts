import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import type { Agent, buildConnector } from 'undici'
import { isAllowedNetwork, isReachable, type OutboundRules } from './address.ts'
import { type Answer, Exchange, type Limits } from './exchange.ts'
import { type FetchError, FetchFailure, reasonOf } from './fetch-error.ts'
import { checkOutboundUrl, isLocalName } from './outbound-url.ts'

/** All addresses of a host name. @throws an error whose `code` says why there are none */
export type Resolve = (name: string) => Promise<readonly string[]>

/** The timeout of the first of two queries; the second has twice as long. */
const OPTIONS = { timeout: 2_000, tries: 2 }

/**
 * Queries name servers. It does not use `dns.lookup`, which occupies one of four threads of libuv until a slow name
 * server answers, adds the search domains of the machine and reads its hosts file.
 */
export function makeResolve(): Resolve {
  const resolver = new Resolver(OPTIONS)
  return async (name) => {
    if (isLocalName(name)) return ['127.0.0.1', '::1']
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [ipv4, ipv6].flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
    if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
    return found
  }
}

/** One deadline for DNS, connection, headers and body. */
const DEADLINE_MS = 15_000
/** The number of bytes of a body that are read, and that are kept, unless the caller wants more. */
const READ_BYTES = 64 * 1024
const KEPT_BYTES = 16 * 1024
/** URLs of which it is remembered that they may be called, and what they say. */
const TARGETS = 1_000

/** A request to a URL of a customer. */
export interface FetchRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** How many bytes of the body are kept; at most as many as are read. */
  readonly keepBytes?: number
  /** How many bytes of the body are read. Default: 64 KiB. */
  readonly readBytes?: number
}

/** The result of a request. A failure is a result too. */
export interface FetchResult {
  /** The status of the answer, also if its body failed later; undefined if there was no answer. */
  readonly status: number | undefined
  /** Names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The first bytes of the body, neither decoded nor decompressed. */
  readonly body: Buffer
  readonly durationMs: number
  /** Unset if the answer was read to its end. With `body_too_large` the status is valid. */
  readonly error?: FetchError
}

/** Opens connections. Tests replace it. */
export interface Edge {
  readonly resolve?: Resolve
  /** Makes what opens connections to the addresses that `lookup` answers. */
  readonly dial?: (lookup: LookupFunction, timeoutMs: number) => buildConnector.connector
  readonly deadlineMs?: number
}

/**
 * The only way to request a URL of a customer. It connects only to globally routable addresses: all addresses of a name
 * are checked together, the connection goes to one of them, and its peer is checked again. It follows no redirects.
 * Connections are kept open and used again for the same origin.
 */
export class SafeFetch {
  readonly #rules: OutboundRules
  readonly #edge: Edge
  readonly #deadlineMs: number
  readonly #targets = new LRUCache<string, Target>({ max: TARGETS })
  /** Made for the first request: the library has a hundred files, and most API processes call nobody. */
  #agent: Promise<Agent> | undefined

  constructor(rules: OutboundRules, edge: Edge = {}) {
    this.#rules = rules
    this.#edge = edge
    this.#deadlineMs = edge.deadlineMs ?? DEADLINE_MS
  }

  /**
   * Sends a request and reads the answer, in 15 s in total.
   * @throws only for errors on our side; failures of the other side are in the result
   */
  async fetch(request: FetchRequest): Promise<FetchResult> {
    const start = performance.now()
    const { keepBytes = KEPT_BYTES, readBytes = READ_BYTES } = request
    const answer: Answer = { status: undefined, headers: {}, chunks: [] }
    let error: FetchError | undefined
    try {
      await this.#exchange(request, { deadlineMs: this.#deadlineMs, bytes: readBytes }, answer)
    } catch (failure) {
      error = reasonOf(failure)
      if (error === undefined) throw failure
    }
    const [first = Buffer.alloc(0)] = answer.chunks
    const body = answer.chunks.length > 1 ? Buffer.concat(answer.chunks) : first
    return {
      status: answer.status,
      headers: answer.headers,
      body: body.subarray(0, Math.min(keepBytes, readBytes)),
      durationMs: Math.round(performance.now() - start),
      ...(error && { error }),
    }
  }

  /** Lets requests in flight finish, and closes the connections. */
  async close(): Promise<void> {
    await (await this.#agent)?.close()
  }

  async #open(): Promise<Agent> {
    const { Agent, buildConnector } = await import('undici')
    const openSocket = (lookup: LookupFunction, timeout: number): buildConnector.connector =>
      buildConnector({ lookup, timeout, allowH2: false } as buildConnector.BuildOptions)
    const { resolve = makeResolve(), dial = openSocket } = this.#edge
    return new Agent({
      connect: guarded(dial(checkingLookup(resolve, this.#rules), this.#deadlineMs), this.#rules),
      // The single deadline applies.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async #exchange(
    { url, method, headers = {}, body }: FetchRequest,
    limits: Limits,
    answer: Answer,
  ): Promise<void> {
    const target = this.#targetOf(url)
    this.#agent ??= this.#open()
    const agent = await this.#agent
    await new Exchange(limits, answer).send(agent, { ...target, method, headers, body: body ?? null })
  }

  /** @throws FetchFailure where it must not be called */
  #targetOf(text: string): Target {
    const known = this.#targets.get(text)
    if (known) return known
    if (checkOutboundUrl(text, this.#rules)) throw new FetchFailure('invalid_url')
    const { origin, pathname, search } = new URL(text)
    const target = { origin, path: pathname + search }
    this.#targets.set(text, target)
    return target
  }
}

interface Target {
  readonly origin: string
  readonly path: string
}

/**
 * A lookup for `net.connect` that returns only allowed addresses. If one address of a name is not allowed, none is
 * returned.
 */
function checkingLookup(resolve: Resolve, rules: OutboundRules): LookupFunction {
  return (name, options, answer) => {
    resolve(name.replace(/\.$/, '')).then(
      (addresses) => {
        const judged = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = judged
        if (first === undefined) answer(new FetchFailure('dns'), [])
        else if (judged.some(({ address }) => !isReachable(address, rules)))
          answer(new FetchFailure('blocked_address'), [])
        else if (options.all) answer(null, judged)
        else answer(null, first.address, first.family)
      },
      (error) => answer(new FetchFailure('dns', error), []),
    )
  }
}

/** Checks literal addresses, which need no lookup, and the peer of every new connection. Only allowed networks take http. */
function guarded(connect: buildConnector.connector, rules: OutboundRules): buildConnector.connector {
  return (options, done) => {
    const secure = options.protocol === 'https:'
    if (isIP(options.hostname) > 0 && !isReachable(options.hostname, rules))
      return done(new FetchFailure('blocked_address'), null)
    connect(options, (error, socket) => {
      if (error !== null) return done(new FetchFailure(reasonOf(error, secure) ?? 'network', error), null)
      const isAllowed = secure ? isReachable : isAllowedNetwork
      if (socket.remoteAddress !== undefined && isAllowed(socket.remoteAddress, rules))
        return done(null, socket)
      socket.destroy()
      done(new FetchFailure(socket.remoteAddress === undefined ? 'closed' : 'blocked_address'), null)
    })
  }
}
