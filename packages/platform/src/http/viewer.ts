import type { FastifyRequest } from 'fastify'
import type { Actor, Credential, Viewer } from '../actor.ts'
import { answering, deriveQuery, mapAnswer } from '../db/query.ts'
import type { Ask } from '../db/statement.ts'
import { toId } from '../ids.ts'
import { type ActingMember, actingMember, whoMayAct } from './acting-member.ts'
import { callerOf } from './caller.ts'

export type { Credential, Viewer }

// Who asks, and what areas ask about them. A rule that only one area has is written in that area, with these.

/** A secret key, which sees everything. */
export const KEY: Viewer = { isKey: true, memberId: null, planId: null, isModerator: false }
/** A public key, that is, a visitor of the site. */
export const VISITOR: Viewer = { ...KEY, isKey: false }

/** Who asks, where neither a plan nor a role matters. Nothing is looked up. */
export const credentialOf = (request: FastifyRequest): Credential => credentialAs(callerOf(request).actor)

/** The same of whoever acts in a transaction. */
export function credentialAs(actor: Actor): Credential {
  if (actor.kind === 'member') return { isKey: false, memberId: actor.id }
  return actor.kind === 'public_key' ? VISITOR : KEY
}

/**
 * Who asks. The member of a token is looked up, because plan and role count as they are now; for keys nothing is asked.
 * @throws ApiError 401 for an inactive member's token; 403 where a pending one writes
 */
export const viewerOf = deriveQuery((request: FastifyRequest): Ask<Viewer> => {
  const { actor } = callerOf(request)
  if (actor.kind !== 'member') return answering(viewerAs(actor, undefined))
  const who = whoMayAct(request, { field: 'X-User-ID', id: undefined })
  return mapAnswer(actingMember(who), (member) => viewerAs(actor, member))
})

/** Who asks, where the member who acts is known. @param member by token it is the one who asks */
export function viewerAs(actor: Actor, member: ActingMember | undefined): Viewer {
  if (actor.kind !== 'member') return actor.kind === 'public_key' ? VISITOR : KEY
  if (member === undefined) throw new Error('a token was not asked for its member')
  const { id: memberId, planId, isModerator } = member
  return { isKey: false, memberId, planId, isModerator }
}

/** Moderators do on a site what secret keys may do. */
export const isStaff = ({ isKey, isModerator }: Viewer): boolean => isKey || isModerator

/** Whether the viewer is on one of these plans, or none is named, or the viewer is staff. */
export const passesGate = (viewer: Viewer, plans: readonly string[]): boolean =>
  plans.length === 0 || isStaff(viewer) || (viewer.planId !== null && plans.includes(viewer.planId))

/** Whether the viewer sees what belongs to a member: keys see everything, members what is their own. */
export const seesOwn = ({ isKey, memberId }: Credential, owner: string | null): boolean =>
  isKey || isMember({ memberId }, owner)

/** Whether the viewer is this member. */
export const isMember = ({ memberId }: Pick<Credential, 'memberId'>, id: string | null): boolean =>
  memberId !== null && memberId === id

/** The filter of a list that shows members their own rows alone, also if they name another member. */
export function ownOf(request: FastifyRequest): { readonly member_id?: string } {
  const { memberId } = credentialOf(request)
  return memberId === null ? {} : { member_id: toId('member', memberId) }
}
