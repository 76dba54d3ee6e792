import { fetchBeyondThePage } from './leaving.ts'
import { noteConsoleCall } from './recorded-calls.ts'
import { t } from './words.ts'

/** What an operator's log-in answers, or a new access token. */
interface Session {
  readonly access_token: string
  readonly expires_in: number
}

export interface Operator {
  readonly id: string
  readonly email: string
  readonly full_name: string
}

export interface Me extends Operator {
  readonly is_administrator: boolean
  /** Minutes without work after which the session ends; null: never. */
  readonly idle_minutes: number | null
  readonly sign_up: 'closed' | 'invited' | 'open'
}

export type Role = 'owner' | 'admin' | 'viewer'
export type Environment = 'live' | 'test'

export interface Project {
  readonly id: string
  readonly name: string
  readonly tier: string
  readonly rate_limit: number
  readonly idle_minutes: number | null
  readonly state: 'active' | 'suspended' | 'deleted' | 'moved'
  /** Null for an administrator of the installation who has no role in it. */
  readonly role: Role | null
  readonly created_at: string
}

export interface Detail {
  readonly field: string
  readonly rule: string
  readonly message: string
}

/** What the console's API refused, with what a form needs to show it. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError'
  readonly code: string
  readonly status: number
  readonly details: readonly Detail[]
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.error ?? `The server answered ${status}`)
    this.status = status
    this.code = body.code ?? 'NO_ANSWER'
    this.details = body.details ?? []
    this.requestId = body.request_id
  }
}

/** The server was not reached, or the answer was lost. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer'

  constructor() {
    super(t('The server cannot be reached. Look at your network, and try again.'))
  }
}

interface ErrorBody {
  readonly error: string
  readonly code: string
  readonly details: readonly Detail[]
  readonly request_id: string
}

declare global {
  interface Window {
    /** Asked for by a script of index.html. */
    firstRefresh?: Promise<Response | undefined>
  }
}

/** Seconds before its end in which a token is no longer used. */
const MARGIN_S = 30

/** Of this tab alone. A script of another site never sees it, and no other tab needs it: each gets its own by the cookie. */
let access: { readonly token: string; readonly until: number } | undefined
let refreshing: Promise<boolean> | undefined
let onEnded: () => void = () => undefined

/** @returns whether the operator has logged in again */
type AskForLogIn = () => Promise<boolean>
let askForLogIn: AskForLogIn = async () => false

/** Called when an act wants a log-in of the last minutes: the log-in opens over what they do, and the act goes on after it. */
export function whenLogInIsWanted(ask: AskForLogIn): void {
  askForLogIn = ask
}

/** Called when the session has ended while somebody works: the log-in then opens over what they do. */
export function whenSessionEnds(call: () => void): void {
  onEnded = call
}

/** Looks whether the session has ended, after a token of it was refused. */
export function sessionWasRefused(): void {
  resumeSession().then(
    (is) => is || onEnded(),
    () => undefined,
  )
}

/** Takes over the access token of a log-in. */
export function takeSession({ access_token: token, expires_in: seconds }: Session): void {
  access = { token, until: Date.now() + (seconds - MARGIN_S) * 1_000 }
}

/**
 * Gets an access token by the cookie of the session.
 * @returns whether there is a session
 */
export function resumeSession(): Promise<boolean> {
  refreshing ??= refresh().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** The answer that the page itself asked for, once; undefined where it got none. */
async function firstRefresh(): Promise<Response | undefined> {
  const answer = window.firstRefresh
  delete window.firstRefresh
  return answer
}

async function refresh(): Promise<boolean> {
  const answer = (await firstRefresh()) ?? (await send('POST', '/refresh', {}))
  if (answer.ok) {
    const { session } = (await answer.json()) as { session: Session }
    takeSession(session)
    return true
  }
  if (answer.status !== 401) throw await errorOf(answer)
  access = undefined
  return false
}

interface CallOptions {
  readonly body?: unknown
  /** The ETag that the changed thing must still have; else the answer is 412. */
  readonly ifMatch?: string | undefined
  /** Called with the answer, for its headers, such as `ETag`. */
  readonly onResponse?: ((response: Response) => void) | undefined
  readonly signal?: AbortSignal
  /** False for what nobody must be logged in for. */
  readonly isSignedIn?: boolean
}

/**
 * Calls the console's API.
 * @param path below `/console/api`
 * @returns the whole body
 * @throws ConsoleError
 */
export async function callConsole<T>(
  method: string,
  path: string,
  { isSignedIn = true, onResponse, ...request }: CallOptions = {},
): Promise<T> {
  noteConsoleCall(method, path, request.body)
  if (isSignedIn && (access === undefined || access.until < Date.now())) await resumeSession()
  let answer = await send(method, path, request)
  if (isSignedIn && answer.status === 401 && (await resumeSession()))
    answer = await send(method, path, request)
  if (isSignedIn && answer.status === 401) onEnded()
  if (!answer.ok) {
    const error = await errorOf(answer)
    if (error.code !== 'RECENT_LOGIN_REQUIRED' || !(await askForLogIn())) throw error
    answer = await send(method, path, request)
    if (!answer.ok) throw await errorOf(answer)
  }
  onResponse?.(answer)
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T)
}

async function send(
  method: string,
  path: string,
  { body, signal, ifMatch }: Pick<CallOptions, 'body' | 'signal' | 'ifMatch'>,
): Promise<Response> {
  const headers = new Headers({ 'x-guildhall-console': '1' })
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  if (access !== undefined) headers.set('authorization', `Bearer ${access.token}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  try {
    return await fetchBeyondThePage(`/console/api${path}`, {
      ...{ method, headers, credentials: 'same-origin', cache: 'no-store' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new NoAnswer()
  }
}

const errorOf = async (answer: Response): Promise<ConsoleError> =>
  new ConsoleError(answer.status, await answer.json().catch(() => ({})))

/** Ends the session, here and by the cookie. */
export async function logOut(): Promise<void> {
  await callConsole('POST', '/logout', { body: {} })
  access = undefined
}
