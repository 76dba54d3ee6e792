import { answering, mapAnswer } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { forbidden } from '#platform/errors.ts'
import { isMember, isStaff, type Viewer } from '#platform/http/viewer.ts'

// Who may see and do what on the board. Nothing else in this area decides it.

interface Item {
  readonly visibility: string
  readonly author_id: string | null
}

/** What is waiting or removed: `shown_as` is its visibility when others see it. */
interface Shown {
  readonly visibility: string
  readonly shown_as: string | null
}

/** Whether others see a post, as its visibility allows; it waits for a moderator; or a moderator has removed it. */
export const statusOf = ({ visibility, shown_as }: Shown): 'visible' | 'pending' | 'removed' => {
  if (visibility === 'removed') return 'removed'
  return shown_as === null ? 'visible' : 'pending'
}

/**
 * Private items, and those that wait, are for the team and for whoever sent them. Lists leave them out for everybody but the team.
 * Removed ones are for the team.
 */
export const maySee = (viewer: Viewer, item: Item): boolean =>
  isStaff(viewer) || item.visibility === 'public' || (item.visibility === 'private' && isAuthor(viewer, item))

/** Private notes are for the team; a comment that waits for its author, too. */
export const maySeeComment = (viewer: Viewer, comment: Item & Shown): boolean =>
  isStaff(viewer) ||
  comment.visibility === 'public' ||
  (statusOf(comment) === 'pending' && isAuthor(viewer, comment))

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
