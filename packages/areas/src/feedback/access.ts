import type { FastifyRequest } from 'fastify'
import { answering, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { forbidden } from '#platform/errors.ts'
import { actingMember, whoMayAct } from '#platform/http/acting-member.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'

// Who may see and do what on the board. Nothing else in this area decides it.

/** Somebody before the board. */
export interface Visitor {
  /** The member whose token it is. */
  readonly memberId: string | null
  /** Keys, operators and moderators: they see private items and notes, and decide about items. */
  readonly isTeam: boolean
  /** Keys and operators: they see addresses and metadata too. */
  readonly seesSenders: boolean
}

/** Keys and operators. */
export const TEAM: Visitor = { memberId: null, isTeam: true, seesSenders: true }
const PUBLIC: Visitor = { memberId: null, isTeam: false, seesSenders: false }

/**
 * Whoever asks. A token’s member is looked up, because a moderator’s role counts as it is now; for keys nothing is asked.
 * @throws ApiError 401 for an inactive member’s token; 403 where a pending one writes
 */
export const visitorOf = deriveQuery((request: FastifyRequest): Ask<Visitor> => {
  const { actor } = callerOf(request)
  if (actor.kind !== 'member') return answering(actor.kind === 'public_key' ? PUBLIC : TEAM)
  const who = whoMayAct(request, { field: 'X-User-ID', id: undefined })
  return mapAnswer(actingMember(who), (member) => ({
    memberId: actor.id,
    isTeam: member?.isModerator ?? false,
    seesSenders: false,
  }))
})

interface Item {
  readonly visibility: string
  readonly author_id: string | null
}

/** Private items are for the team and for whoever sent them. Lists leave them out for everybody but the team. */
export const maySee = (visitor: Visitor, item: Item): boolean =>
  visitor.isTeam || item.visibility === 'public' || isAuthor(visitor, item)

/** Who sent an item may change its words. */
export const mayReword = (visitor: Visitor, item: Item): boolean => visitor.isTeam || isAuthor(visitor, item)

const isAuthor = ({ memberId }: Visitor, { author_id }: Pick<Item, 'author_id'>) =>
  memberId !== null && author_id === memberId

/** Authors delete comments of their own, the team every one. @throws ApiError 403 */
export function assertMayDelete(visitor: Visitor, comment: { readonly author_id: string | null }): void {
  if (!visitor.isTeam && !isAuthor(visitor, comment))
    throw forbidden('Only the author, moderators and secret keys may delete this comment')
}

/** `assertTeam` among other questions of a `read`. */
export const teamOnly = (visitor: Visitor): Ask<void> => mapAnswer(answering(visitor), assertTeam)

/** Statuses, merges, deletions, voters, notes and official comments are the team’s. @throws ApiError 403 */
export function assertTeam(visitor: Visitor): void {
  if (!visitor.isTeam) throw forbidden('Only moderators and secret keys may do this')
}
