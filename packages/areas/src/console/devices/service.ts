import { randomBytes, randomInt } from 'node:crypto'
import { endDeviceSession, extendDeviceSession, hashToken, openDeviceSession } from '#areas/auth/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { Environment } from '#platform/keys/key-format.ts'
import {
  deleteExpiredCodes,
  insertCode,
  lockByDeviceCode,
  logInByToken,
  noteQuestion,
  takeLogIn,
} from './queries.ts'

/** Letters of codes: no vowels, so that they make no words, and none that looks like another. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LETTERS = 8

const newToken = () => randomBytes(32).toString('base64url')
const newUserCode = () =>
  Array.from({ length: CODE_LETTERS }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')

/** A code as it is stored: of what people type, only the letters count. */
export const typedCode = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z]/g, '')
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Why no token is given, in the words of RFC 8628 and RFC 6749. */
export type Refusal =
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'
  | 'invalid_grant'
  | 'invalid_request'

/** A log-in of a program. Ids are stored ones. */
export interface DeviceLogIn {
  readonly sessionId: string
  readonly operatorId: string
  readonly liveId: string
  readonly environment: Environment
}

/** Makes the codes of a program that asks to be logged in. */
export function askForLogIn(
  ctx: Context,
  { clientName, ip }: { clientName: string; ip: string },
): { deviceCode: string; userCode: string } {
  const deviceCode = newToken()
  const userCode = newUserCode()
  deleteExpiredCodes(ctx, {})
  insertCode(ctx, {
    ...{ id: newUuid(), device_hash: hashToken(deviceCode), user_code: userCode },
    ...{ client_name: clientName, ip },
  })
  return { deviceCode, userCode }
}

/**
 * Exchanges a device code, once it was approved. It works once.
 * @returns the reason where it is refused; the transaction must be committed in any case, because it counts questions
 */
export async function takeToken(
  ctx: Context,
  deviceCode: string,
): Promise<{ refreshToken: string } | { refusal: Refusal }> {
  const found = await lockByDeviceCode(ctx, { device_hash: hashToken(deviceCode) })
  if (found === undefined || found.status === 'taken') return { refusal: 'invalid_grant' }
  if (found.is_expired) return { refusal: 'expired_token' }
  if (found.status === 'denied') return { refusal: 'access_denied' }
  const { id, is_hasty: isHasty, operator_id: memberId } = found
  if (found.status === 'pending' || memberId === null) {
    noteQuestion(ctx, { id, isHasty })
    return { refusal: isHasty ? 'slow_down' : 'authorization_pending' }
  }
  const device = { ip: found.ip, userAgent: `guildhall-cli (${found.client_name})` }
  const sessionId = await openDeviceSession(ctx, memberId, device)
  // The operator was deactivated or deleted in the meantime.
  if (sessionId === undefined) return { refusal: 'access_denied' }
  const refreshToken = newToken()
  takeLogIn(ctx, { id, token_hash: hashToken(refreshToken), session_id: sessionId })
  return { refreshToken }
}

/** The log-in of a refresh token, which is used now; or undefined where it has ended. */
export async function useLogIn(
  ctx: Context,
  refreshToken: string,
  ip: string,
): Promise<(DeviceLogIn & { readonly email: string }) | undefined> {
  const found = await logInByToken(ctx, { token_hash: hashToken(refreshToken) })
  if (found?.session_id == null || found.live_id === null) return undefined
  const userAgent = `guildhall-cli (${found.client_name})`
  extendDeviceSession(ctx, found.session_id, { ip, userAgent })
  return {
    sessionId: found.session_id,
    operatorId: found.member_id,
    liveId: found.live_id,
    environment: found.environment === 'live' ? 'live' : 'test',
    email: found.email,
  }
}

/** Ends the log-in of a refresh token, and its session. @returns whether there was one */
export async function endLogIn(ctx: Context, refreshToken: string): Promise<boolean> {
  const found = await logInByToken(ctx, { token_hash: hashToken(refreshToken) })
  if (found === undefined) return false
  return endDeviceSession(ctx, found.member_id, found.session_id)
}
