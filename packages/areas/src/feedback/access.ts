import { answering, mapAnswer } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { forbidden } from '#platform/errors.ts'
import { isMember, isStaff, type Viewer } from '#platform/http/viewer.ts'

// Who may see and do what on the board. Nothing else in this area decides it.

interface Item {
  readonly visibility: string
  readonly author_id: string | null
}

/** Private items are for the team and for whoever sent them. Lists leave them out for everybody but the team. */
export const maySee = (viewer: Viewer, item: Item): boolean =>
  isStaff(viewer) || item.visibility === 'public' || isAuthor(viewer, item)

/** Who sent an item may change its words. */
export const mayReword = (viewer: Viewer, item: Item): boolean => isStaff(viewer) || isAuthor(viewer, item)

const isAuthor = (viewer: Viewer, { author_id }: Pick<Item, 'author_id'>) => isMember(viewer, author_id)

/** Authors delete comments of their own, the team every one. @throws ApiError 403 */
export function assertMayDelete(viewer: Viewer, comment: { readonly author_id: string | null }): void {
  if (!isStaff(viewer) && !isAuthor(viewer, comment))
    throw forbidden('Only the author, moderators and secret keys may delete this comment')
}

/** `assertTeam` among other questions of a `read`. */
export const teamOnly = (viewer: Viewer): Ask<void> => mapAnswer(answering(viewer), assertTeam)

/** Statuses, merges, deletions, voters, notes and official comments are the team’s. @throws ApiError 403 */
export function assertTeam(viewer: Viewer): void {
  if (!isStaff(viewer)) throw forbidden('Only moderators and secret keys may do this')
}
