import type { FastifyRequest } from 'fastify'
import type { Actor } from '#platform/actor.ts'
import { type ActingMember, type WhoActs, whoMayAct } from '#platform/http/acting-member.ts'
import type { Viewer } from './access.ts'

/** The member whose token a request carries, where it does; with a key nobody reads as a member. */
export const whoReads = (request: FastifyRequest): WhoActs | undefined =>
  whoMayAct(request, { field: 'X-User-ID', id: undefined })

/** Who asks. @param member who acts, where somebody does: by token it is the one who asks */
export function viewerOf(actor: Actor, member: ActingMember | undefined): Viewer {
  if (actor.kind === 'public_key') return { kind: 'visitor' }
  if (actor.kind !== 'member') return { kind: 'key' }
  if (member === undefined) throw new Error('a token was not asked for its member')
  return { kind: 'member', memberId: member.id, planId: member.planId, isModerator: member.isModerator }
}

/** The public id of who acts, for records. */
export const memberIdOf = (viewer: Viewer): string | null =>
  viewer.kind === 'member' ? viewer.memberId : null
