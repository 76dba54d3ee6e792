import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { answering, defineLookup, isContext } from '../db/query.ts'
import { type Ask, query } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import type { DeferredResult } from '../db/transaction.ts'
import { defineError } from '../define-error.ts'
import { ApiError, forbidden, invalidBody, invalidParameters, invalidToken } from '../errors.ts'
import { parseId } from '../ids.ts'
import { callerOf } from './caller.ts'
import { isSuspended, refusesSuspended, suspendedMember } from './suspended.ts'

// This file finds the member who acts: the member of the token, or the member that a secret key names. A route says in
// `config.actingMember` where a key names the member. It calls `whoActs` (or `whoMayAct`) before its transaction, and
// `actingMember` inside it, or as the first of a `read`. It asks for the resource of the path first and for other ids of the body last, because
// errors are answered in the order of the questions.

/** A field of a body that names a member, as it was sent. */
export interface NamedMember {
  readonly field: string
  readonly id: string | undefined
}

/** The member who is named as acting. Nobody has checked yet whether this member exists. */
export interface WhoActs {
  /** Undefined where the text that was sent is no member's id. */
  readonly memberId: string | undefined
  /** Where the name was sent. */
  readonly field: string
  readonly byToken: boolean
  readonly writes: boolean
  /** Whether the route refuses a suspended member; see suspended.ts. */
  readonly refusesSuspended: boolean
}

/** The member who acts. */
export interface ActingMember {
  readonly id: string
  readonly role: string
  /** The stored id of the plan that this member has. */
  readonly planId: string
  /** Whether this member's role is in the project's `moderator_roles`; a suspended member moderates nothing. */
  readonly isModerator: boolean
}

/**
 * Who acts. A secret key must name a member; a token may.
 * @param named the field of the body that names the member; without it, the header `X-User-ID` does
 * @throws ApiError 400 or 422 where a key names nobody, 403 with a public key or for another member than the token's
 */
export function whoActs(request: FastifyRequest, named: NamedMember = userId(request)): WhoActs {
  const who = whoMayAct(request, named)
  if (who) return who
  if (callerOf(request).actor.kind === 'public_key') throw forbidden('A public key cannot act for a member')
  const fault = { field: named.field, rule: 'required', message: 'is required with a secret key' }
  throw named.field === HEADER ? invalidParameters([fault]) : invalidBody([fault])
}

/**
 * Who acts, or undefined where a key names nobody.
 * @param named the field of the body that names the member; without it, the header `X-User-ID` does
 * @throws ApiError 403 where a public key names anybody, or a token another member
 */
export function whoMayAct(
  request: FastifyRequest,
  named: NamedMember = userId(request),
): WhoActs | undefined {
  const { actor } = callerOf(request)
  const { id, field } = named
  assertSameHeader(request, named)
  const memberId = id === undefined ? undefined : parseId('member', id)
  request.actsFor = memberId
  const writes = request.method !== 'GET' && request.method !== 'HEAD'
  const as = { writes, refusesSuspended: refusesSuspended(request.method, request.routeOptions.config) }
  if (actor.kind === 'member') {
    if (id !== undefined && memberId !== actor.id)
      throw forbidden(`${field} must be the member whose token this is`)
    return { memberId: actor.id, field, byToken: true, ...as }
  }
  if (id === undefined) return undefined
  if (actor.kind === 'public_key') throw forbidden(`A public key cannot act for a member: leave out ${field}`)
  return { memberId, field, byToken: false, ...as }
}

/**
 * A route whose body names the member needs no header. One that names somebody else says that the client means somebody else.
 * @throws ApiError 422, or 403 where it is another member than the token's
 */
function assertSameHeader(request: FastifyRequest, { id, field }: NamedMember): void {
  const header = request.headers['x-user-id']
  if (request.routeOptions.config.actingMember !== 'body' || header === undefined) return
  const { actor } = callerOf(request)
  if (actor.kind === 'member' && parseId('member', String(header)) !== actor.id)
    throw forbidden(`${HEADER} must be the member whose token this is`)
  if (id !== undefined && id !== header)
    throw invalidBody([
      { field, rule: 'same', message: `names another member than ${HEADER}: send one of them` },
    ])
}

/** The same member, whom a route lets do other things while suspended. */
export const refusingSuspended = (who: WhoActs): WhoActs => ({ ...who, refusesSuspended: true })

/** What `actingMember` asks: with a member, there is an answer. */
interface ActingMemberQuery {
  (ctx: Context, who: WhoActs): DeferredResult<ActingMember>
  (ctx: Context, who: WhoActs | undefined): DeferredResult<ActingMember | undefined>
  (who: WhoActs): Ask<ActingMember>
  (who: WhoActs | undefined): Ask<ActingMember | undefined>
}

/**
 * The member who acts. Ask for what the path names before it.
 * @throws ApiError with a key 422 MEMBER_NOT_FOUND, MEMBER_INACTIVE or MEMBER_SUSPENDED; with a token 401 or 403
 */
export const actingMember = ((first: Context | WhoActs | undefined, second?: WhoActs) => {
  if (isContext(first)) return first.tx.ask(askWhoActs(second))
  return askWhoActs(first)
}) as ActingMemberQuery

const askWhoActs = (who: WhoActs | undefined): Ask<ActingMember | undefined> =>
  who === undefined ? answering(undefined) : memberWhoActs({ id: who.memberId ?? null, who })

const HEADER = 'X-User-ID'

/** `member_id` in its place has become this header by now; see member-names.ts. */
function userId(request: FastifyRequest): NamedMember {
  const { url = '', config } = request.routeOptions
  if (config.actingMember === undefined || config.actingMember === 'body')
    throw new Error(`${url} does not say in config.actingMember that it takes ${HEADER}`)
  const id = request.headers['x-user-id']
  return { field: HEADER, id: Array.isArray(id) ? id.join() : id }
}

const memberWhoActs = defineLookup('acting_member', (v: { id: string | null; who: WhoActs }) =>
  query
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .leftJoin('suspensions as s', (on) => on.onRef('s.id', '=', 'm.id').on(isSuspended))
    .select(['m.id', 'm.status', 'm.role', 'm.plan_id', 's.reason', 's.until'])
    .select(sql<boolean>`m.role = any (p.moderator_roles) and s.id is null`.as('is_moderator'))
    .where('m.id', '=', v.id)
    .where('m.deleted_at', 'is', null),
)
  .map(({ id, status, role, plan_id, is_moderator, reason, until }, { who }): ActingMember => {
    assertMayAct(status, who)
    if (reason !== null && who.refusesSuspended) throw suspendedMember({ reason, until }, who)
    return Object.freeze({ id, role, planId: plan_id, isModerator: is_moderator })
  })
  .one(({ who }) => (who.byToken ? invalidToken('session_ended') : memberNotFound(who.field)))

/** An inactive member does nothing; a pending one writes nothing. */
function assertMayAct(status: string, { byToken, writes, field }: WhoActs): void {
  if (status === 'active' || (status === 'pending' && !writes)) return
  if (!byToken) throw memberInactive(field, status)
  if (status === 'inactive') throw invalidToken('session_ended')
  throw forbidden('This member is pending and cannot write: the email address must be confirmed first')
}

/** What a route answers where nobody has the id. @param field where the member was named */
export const memberNotFoundIn = (field: string) =>
  defineError({
    code: 'MEMBER_NOT_FOUND',
    message: `No member of this project has the id in ${field}: send the id of a member of the same project and environment`,
    details: [{ field, rule: 'exists', message: 'is not a member of this project' }],
  })

/** 422. @param field where the member was named */
export const memberNotFound = (field: string, cause?: unknown) => memberNotFoundIn(field)(cause)

const memberInactive = (field: string, status: string) =>
  new ApiError(422, 'MEMBER_INACTIVE', `The member in ${field} is ${status} and cannot act`, {
    details: [{ field, rule: 'active', message: `is ${status}` }],
  })
