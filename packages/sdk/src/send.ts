import { type Options, RETRIES, TIMEOUT_MS } from './calls.ts'
import { type Detail, GuildhallError } from './errors.ts'

/** What every request of a client has. */
export interface Sender {
  /** The address of the API, without a slash at its end. */
  readonly origin: string
  readonly fetch: typeof fetch
  readonly timeout: number | undefined
  readonly retries: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The credential of a request. @param refused the one that was just refused as no longer valid */
  readonly credential: (refused?: string) => string | undefined | Promise<string | undefined>
}

export interface Outgoing {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  readonly sendsKey?: boolean
  /** The body is read by the caller, for as long as that takes: only the headers must come in time. */
  readonly isLong?: boolean
  readonly options: Options<unknown>
}

/** The longest time between two attempts that nobody asked for. */
const LONGEST_BACKOFF_MS = 8_000
const FIRST_BACKOFF_MS = 500
/** A client that must wait longer gets the error. */
const LONGEST_WAIT_S = 60

/**
 * Sends a request, and sends it again where that is safe.
 * @returns an answer that succeeded
 * @throws GuildhallError, or the reason of the signal that ended it
 */
export async function send(sender: Sender, outgoing: Outgoing): Promise<Response> {
  const { options } = outgoing
  const retries = options.retries ?? sender.retries ?? RETRIES
  const url = sender.origin + outgoing.path + queryOf(outgoing.query)
  const { headers, body } = contentOf(sender, outgoing)
  const isSafe = outgoing.method !== 'POST' && outgoing.method !== 'PATCH'
  const mayRepeat = isSafe || 'idempotency-key' in headers
  let credential = await sender.credential()
  let isRenewed = false
  for (let attempt = 0; ; attempt++) {
    if (credential !== undefined) headers['authorization'] = `Bearer ${credential}`
    const outcome = await attemptOnce(sender, outgoing, url, { method: outgoing.method, headers, body })
    if (outcome instanceof Response) return outcome
    if (wantsNewOne(outcome) && !isRenewed) {
      isRenewed = true
      const renewed = await sender.credential(credential)
      if (renewed !== undefined && renewed !== credential) {
        credential = renewed
        continue
      }
    }
    if (attempt >= retries || !isForNow(outcome, mayRepeat)) throw outcome
    await pause(waitOf(outcome, attempt), options.signal)
  }
}

/** Where a new credential may be let in: the old one has expired, or is of the role that its operator had before. */
const wantsNewOne = ({ code, reason }: GuildhallError): boolean =>
  code === 'INVALID_TOKEN' && (reason === 'expired' || reason === 'role_ended')

/** An answer that succeeded, or why there is none. @throws the reason of the caller's signal */
async function attemptOnce(
  sender: Sender,
  { operation, options, isLong = false }: Outgoing,
  url: string,
  init: RequestInit,
): Promise<Response | GuildhallError> {
  const milliseconds = options.timeout ?? sender.timeout ?? TIMEOUT_MS
  const { signal: timeout, stop } = isLong
    ? untilStopped(milliseconds)
    : { signal: AbortSignal.timeout(milliseconds) }
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    const response = await sender.fetch(url, { ...init, signal })
    stop?.()
    options.onResponse?.(response)
    return response.ok ? response : await errorOf(sender.origin, operation, response)
  } catch (error) {
    stop?.()
    options.signal?.throwIfAborted()
    return timeout.aborted
      ? new GuildhallError('The API did not answer in time', { code: 'TIMEOUT', operation }, error)
      : new GuildhallError(
          `The API cannot be reached: ${messageOf(error)}`,
          { code: 'NO_ANSWER', operation },
          error,
        )
  }
}

/** A time-out that can be stopped. */
function untilStopped(milliseconds: number): { signal: AbortSignal; stop?: () => void } {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DOMException('timed out', 'TimeoutError')),
    milliseconds,
  )
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface ErrorBody {
  readonly error: string
  readonly code: string
  readonly request_id?: string
  readonly reason?: string
  readonly limit?: unknown
  readonly details?: readonly Detail[]
}

async function errorOf(origin: string, operation: string, response: Response): Promise<GuildhallError> {
  const { status, headers } = response
  const wait = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isFinite(wait) ? wait : undefined
  const text = await response.text()
  const body = parsed(text)
  if (body === undefined) return notOfThisApi(operation, response, retryAfter)
  return new GuildhallError(body.error, {
    ...{ code: body.code, status, operation, retryAfter },
    docs: `${origin}/docs/errors/${body.code}`,
    requestId: body.request_id ?? headers.get('x-request-id') ?? undefined,
    details: body.details,
    reason: body.reason,
    limit: body.limit,
  })
}

/** What a proxy, or another site, says where the API should be. */
export function notOfThisApi(operation: string, response: Response, retryAfter?: number): GuildhallError {
  const type = response.headers.get('content-type') ?? 'no content type'
  return new GuildhallError(
    `The answer is not of this API: ${response.status} with ${type}. Check the address, and what stands between you and the API`,
    { code: 'NOT_JSON', status: response.status, operation, retryAfter },
  )
}

function parsed(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text)
    return typeof body?.code === 'string' && typeof body.error === 'string' ? body : undefined
  } catch {
    return undefined
  }
}

/** Whether the same request can succeed in a moment. */
function isForNow({ code, status, retryAfter = 0 }: GuildhallError, mayRepeat: boolean): boolean {
  if (retryAfter > LONGEST_WAIT_S) return false
  // Nothing was done.
  if (status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS') return true
  return mayRepeat && (status === undefined || status >= 500)
}

/** Milliseconds before the next attempt. Jitter keeps clients apart that failed at the same time. */
function waitOf({ retryAfter }: GuildhallError, attempt: number): number {
  if (retryAfter !== undefined) return retryAfter * 1000
  const most = Math.min(FIRST_BACKOFF_MS * 2 ** attempt, LONGEST_BACKOFF_MS)
  return most * (0.5 + Math.random() / 2)
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

type Content = { readonly headers: Record<string, string>; readonly body: BodyInit | null }

function contentOf(sender: Sender, { operation, body, sendsKey, options }: Outgoing): Content {
  const headers: Record<string, string> = { ...sender.headers, ...options.headers }
  const key = options.idempotencyKey ?? (sendsKey ? crypto.randomUUID() : undefined)
  if (key !== undefined) headers['idempotency-key'] = key
  if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch
  if (options.actingMember !== undefined) headers['x-user-id'] = options.actingMember
  if (body === undefined) return { headers, body: null }
  if (body instanceof FormData) return { headers, body }
  headers['content-type'] = 'application/json'
  try {
    return { headers, body: JSON.stringify(body) }
  } catch (error) {
    throw new GuildhallError(
      `The body is not JSON: ${messageOf(error)}`,
      { code: 'CANNOT_BE_SENT', operation },
      error,
    )
  }
}

/** A list has commas; a map is several parameters, as `metadata.company`. */
export function queryOf(query: object | undefined): string {
  const entries = Object.entries(query ?? {}).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    if (Array.isArray(value)) return [[name, value.join(',')]]
    if (typeof value !== 'object' || value === null) return [[name, String(value)]]
    return Object.entries(value).map(([key, inner]) => [`${name}.${key}`, String(inner)])
  })
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
