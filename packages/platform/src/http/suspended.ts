import type { FastifyContextConfig } from 'fastify'
import { type SqlBool, sql } from 'kysely'
import { now } from '../db/project-clock.ts'
import { defineLookup } from '../db/query.ts'
import { query } from '../db/statement.ts'
import { defineError } from '../define-error.ts'
import { ApiError } from '../errors.ts'

// A suspended member may not write for others to see. This file decides it for all routes; acting-member.ts asks it
// when it looks the member up.

/** What a route does with a member who is suspended. */
export type WhileSuspended = 'refused' | 'goes on'

const WRITING = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether a route refuses suspended members. Those on which members write to the community do, unless they say otherwise; a
 * DELETE takes back what a member did. A route for keys alone that says nothing has no member who acts.
 */
export function refusesSuspended(
  method: string,
  { access, whileSuspended }: Pick<FastifyContextConfig, 'access' | 'whileSuspended'>,
): boolean {
  if (whileSuspended !== undefined) return whileSuspended === 'refused'
  if (access === undefined || access === 'open') return false
  return access.secret === 'write:community' && access.user !== undefined && WRITING.has(method)
}

/** Whether the suspension in a row `s` has not ended. */
export const isSuspended = sql<SqlBool>`(s.until is null or s.until > ${now})`

/** A suspension as its member reads it. */
export interface Suspended {
  readonly reason: string
  /** Null where no end is set. */
  readonly until: string | null
}

/** 422, where a key acts for a suspended member. */
export const memberSuspended = defineError({
  code: 'MEMBER_SUSPENDED',
  message: 'The member is suspended and cannot write: `reason` says why, and `until` when it ends',
})

/** What a suspended member is answered, and a key that acts for one. */
export function suspendedMember(
  { reason, until }: Suspended,
  { byToken, field }: { readonly byToken: boolean; readonly field: string },
): ApiError {
  const message = byToken
    ? 'You are suspended and cannot write: `reason` says why, and `until` when it ends'
    : `The member in ${field} is suspended and cannot write: \`reason\` says why, and \`until\` when it ends`
  return new ApiError(byToken ? 403 : 422, 'MEMBER_SUSPENDED', message, {
    reason,
    until,
    ...(!byToken && { details: [{ field, rule: 'suspended', message: 'is suspended' }] }),
  })
}

/** Refuses what a key does for a member who owns it, but who does not act. @throws ApiError 422 MEMBER_SUSPENDED */
export const assertNotSuspended = defineLookup('suspension_of_owner', (v: { id: string; field: string }) =>
  query
    .selectFrom('suspensions as s')
    .select(['s.reason', 's.until'])
    .where('s.id', '=', v.id)
    .where(isSuspended),
)
  .map((row, { field }) => {
    throw suspendedMember(row, { byToken: false, field })
  })
  .first()
