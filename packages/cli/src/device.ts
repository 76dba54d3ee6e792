import { setTimeout as sleep } from 'node:timers/promises'
import { GuildhallError } from '../../sdk/src/guildhall.ts'
import { Failure } from './failure.ts'

// The device flow of RFC 8628: a code is asked for, typed into a page by whoever is logged in, and exchanged.

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const TIMEOUT_MS = 30_000

/** What waits for an approval. */
export interface DeviceCode {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  /** Seconds. */
  readonly expires_in: number
  /** Seconds between two questions. */
  readonly interval: number
}

/** An operator token for one side of one project, and whose it is. */
export interface DeviceTokens {
  readonly access_token: string
  readonly token_type: string
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token?: string
  readonly email: string
  readonly project: { readonly id: string; readonly name: string }
  readonly environment: string
  readonly role: string
}

/** An answer of OAuth that refuses. */
class Refusal extends Error {
  readonly code: string
  constructor(code: string, description: string) {
    super(description)
    this.code = code
  }
}

async function post<T>(url: string, path: string, body: object): Promise<T> {
  const operation = `POST /console/api/device/${path}`
  let response: Response
  try {
    response = await fetch(`${url}/console/api/device/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'guildhall-cli/0.1.0' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // A credential goes nowhere else.
      redirect: 'error',
    })
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
    throw new GuildhallError(`${url} cannot be reached: ${reason}`, { code: 'NO_ANSWER', operation })
  }
  const answer = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  if (answer === undefined)
    throw new GuildhallError(`${url} answered ${response.status}, and no JSON`, {
      code: 'NOT_JSON',
      operation,
    })
  if (response.ok) return answer as T
  const { error, error_description, code, request_id } = answer as Record<string, string | undefined>
  if (error_description !== undefined) throw new Refusal(String(error), error_description)
  const known = { code: code ?? 'NOT_JSON', status: response.status, operation, requestId: request_id }
  throw new GuildhallError(String(error), known)
}

export const askForCode = (url: string, client: string): Promise<DeviceCode> =>
  post(url, 'code', { client_id: 'guildhall-cli', client_name: client })

/** Waits until somebody has approved the code. @throws Failure where it is refused, or nobody does in time */
export async function awaitApproval(url: string, code: DeviceCode): Promise<DeviceTokens> {
  let interval = code.interval
  for (;;) {
    await sleep(interval * 1_000)
    try {
      return await post<DeviceTokens>(url, 'token', {
        client_id: 'guildhall-cli',
        grant_type: GRANT,
        device_code: code.device_code,
      })
    } catch (error) {
      const reason = error instanceof Refusal ? error.code : undefined
      const isForNow = error instanceof GuildhallError && ['NO_ANSWER', 'RATE_LIMITED'].includes(error.code)
      if (reason === 'slow_down' || isForNow) interval += 5
      else if (reason === 'access_denied') throw new Failure('The log-in was refused')
      else if (reason === 'expired_token')
        throw new Failure('Nobody approved the log-in in time: run guildhall-cli login again')
      else if (reason !== 'authorization_pending') throw error
    }
  }
}

/** A new operator token. @throws Failure where the log-in has ended */
export async function renewTokens(url: string, refreshToken: string): Promise<DeviceTokens> {
  try {
    return await post<DeviceTokens>(url, 'token', {
      client_id: 'guildhall-cli',
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    })
  } catch (error) {
    if (error instanceof Refusal) throw new Failure('The log-in has ended: run guildhall-cli login again')
    throw error
  }
}

/** Ends a log-in. One that has ended is no failure. */
export const endTokens = (url: string, refreshToken: string): Promise<unknown> =>
  post(url, 'revoke', { token: refreshToken })
