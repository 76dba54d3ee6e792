import type { FastifyRequest } from 'fastify'
import type { Context } from '#platform/db/tenant.ts'
import type { TokenFault } from '#platform/errors.ts'
import { emit, emitEach } from '#platform/events/emit.ts'
import { clientAddress } from '#platform/http/server/client-address.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Aal, Claims } from '#platform/tokens/access-token.ts'
import { sessionCreated, sessionRevoked } from '../events.ts'
import type { Identity } from '../identity.ts'
import type { EndReason, Session } from '../schema.ts'
import { hashToken, newRefreshToken } from '../tokens/refresh-token.ts'
import {
  endAllSessions,
  endOneSession,
  endSessionsOfDomains,
  insertRefreshToken,
  insertSession,
  lockRefreshToken,
  touchSession,
  useRefreshToken,
} from './queries.ts'

/** A session as it is handed to its member once the transaction is over: see `present`. */
export interface OpenSession {
  readonly claims: Claims
  readonly refreshToken: string
}

interface Opening {
  readonly memberId: string
  readonly role: string
  readonly aal: Aal
  readonly amr: readonly string[]
  readonly device: Device
}

/** Starts a session of a member who may have one. */
export function openSession(ctx: Context, opening: Opening): OpenSession {
  const { memberId, role, aal, amr } = opening
  const id = startSession(ctx, opening)
  const refreshToken = newRefreshToken()
  insertRefreshToken(ctx, { id: newUuid(), session_id: id, hash: hashToken(refreshToken) })
  return { claims: { projectId: ctx.projectId, memberId, sessionId: id, role, aal, amr }, refreshToken }
}

/** Stores and announces a session. @returns its stored id */
export function startSession(
  ctx: Context,
  { memberId, aal, amr, device: { ip, userAgent: user_agent } }: Omit<Opening, 'role'>,
): string {
  const id = newUuid()
  insertSession(ctx, { id, member_id: memberId, aal, amr: [...amr], ip, user_agent })
  emit(ctx, sessionCreated, {
    id: toId('session', id),
    member_id: toId('member', memberId),
    aal,
    amr: [...amr],
    ip,
    user_agent,
  })
  return id
}

/**
 * Exchanges a refresh token for its successor. A token that is used again within ten seconds gets the same successor. A
 * later use, or a use after the successor was used, means that the token was stolen, and ends the session.
 * @param successor the token that follows this one, if it is exchanged
 * @returns the reason where the token is refused; the transaction must be committed in any case, because a stolen token
 *   has ended its session
 */
export async function refreshSession(
  ctx: Context,
  token: string,
  successor: string,
  device: Device,
): Promise<OpenSession | TokenFault> {
  const next = hashToken(successor)
  const locked = await lockRefreshToken(ctx, { hash: hashToken(token), successor: next })
  if (!locked) return 'unknown_token'
  if (locked.has_ended) return 'session_ended'
  if (locked.is_expired) return 'expired_token'
  const { member_id: memberId, session_id: sessionId, role, amr } = locked
  const isFresh = locked.used_at === null
  if (!isFresh && !locked.is_replay) {
    await endSession(ctx, memberId, sessionId, 'token_reuse')
    return 'reused'
  }
  if (isFresh) {
    useRefreshToken(ctx, { id: locked.id })
    insertRefreshToken(ctx, { id: newUuid(), session_id: sessionId, hash: next })
    touchSession(ctx, { id: sessionId, ip: device.ip, user_agent: device.userAgent })
  }
  const claims = { projectId: ctx.projectId, memberId, sessionId, role, aal: locked.aal as Aal, amr }
  return { claims, refreshToken: successor }
}

/** Ends one session of a member. @returns whether there was one */
export async function endSession(
  ctx: Context,
  memberId: string,
  id: string,
  reason: EndReason,
): Promise<boolean> {
  const ended = await endOneSession(ctx, { id, memberId, reason })
  if (ended) announceEnd(ctx, memberId, id, reason)
  return ended !== undefined
}

/** Ends all sessions of a member, or all but one. @returns their stored ids */
export async function endSessions(
  ctx: Context,
  memberId: string,
  reason: EndReason,
  { but = null }: { but?: string | null } = {},
): Promise<string[]> {
  const ended = (await endAllSessions(ctx, { memberId, but, reason })).map(({ id }) => id)
  for (const id of ended) announceEnd(ctx, memberId, id, reason)
  return ended
}

/** Ends sessions without single sign-on, because their domain requires it from now on. */
export async function endOtherSessions(ctx: Context, domains: readonly string[]): Promise<void> {
  const reason = 'revoked' as const
  const ended = await endSessionsOfDomains(ctx, { domains, reason })
  const revoked = ended.map(({ id, member_id }) => ({
    id: toId('session', id),
    member_id: toId('member', member_id),
    reason,
  }))
  emitEach(ctx, sessionRevoked, revoked)
}

/** The tokens of a session, as its member gets them. It signs, so call it after the transaction. */
export async function present({ accessTokens }: Identity, session: OpenSession): Promise<Session> {
  const { token, expiresAt } = await accessTokens.issue(session.claims)
  return {
    access_token: token,
    refresh_token: session.refreshToken,
    token_type: 'Bearer',
    expires_in: Math.round((expiresAt - Date.now()) / 1_000),
    expires_at: new Date(expiresAt).toISOString(),
  }
}

const announceEnd = (ctx: Context, memberId: string, id: string, reason: EndReason) =>
  emit(ctx, sessionRevoked, { id: toId('session', id), member_id: toId('member', memberId), reason })

/** Where somebody comes from. */
export interface Device {
  readonly ip: string
  readonly userAgent: string | null
}

const USER_AGENT_LENGTH = 512

/** The device behind a request. */
export function deviceOf(request: FastifyRequest): Device {
  const userAgent = request.headers['user-agent']
  return { ip: clientAddress(request), userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null }
}
