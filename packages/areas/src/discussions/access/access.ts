import { forbidden, notFound } from '#platform/errors.ts'
import { isMember, isStaff, passesGate, type Viewer } from '#platform/http/viewer.ts'
import { locked } from '../errors.ts'

// Who may read and write what. Nothing else in this area decides it; lists say the same in SQL (threads/list.ts).

export type Status = 'visible' | 'pending' | 'removed'

/** A category: members on one of its plans read and write there, everybody where it names none. */
export interface Place {
  readonly required_plans: readonly string[]
}

/** A discussion or a comment. */
export interface Post {
  readonly status: string
  readonly author_id: string
}

/** Whether a category is open. */
export const mayEnter = (viewer: Viewer, { required_plans }: Place): boolean =>
  passesGate(viewer, required_plans)

/**
 * Whether a viewer may read a post. Its author sees a post that waits for a moderator, and staff alone a removed one.
 */
export function maySee(viewer: Viewer, place: Place, post: Post): boolean {
  if (!mayEnter(viewer, place)) return false
  if (post.status === 'visible' || isStaff(viewer)) return true
  return post.status === 'pending' && isAuthor(viewer, post)
}

export const isAuthor = (viewer: Viewer, { author_id }: Post): boolean => isMember(viewer, author_id)

/** The fields of a discussion that decide what a viewer may do in it. */
export interface Thread extends Post, Place {
  readonly is_locked: boolean
}

/** @throws ApiError 404, the same as for a discussion that is missing */
export function assertSees(viewer: Viewer, thread: Thread): void {
  if (!maySee(viewer, thread, thread)) throw notFound('Discussion')
}

/** Whether something can be done to a discussion at all. @throws ApiError 404 where it is removed or cannot be seen */
export function assertThere(viewer: Viewer, thread: Thread): void {
  if (thread.status === 'removed') throw notFound('Discussion')
  assertSees(viewer, thread)
}

/** The same for a comment. @throws ApiError 404 */
export function assertCommentThere(viewer: Viewer, thread: Thread, comment: Post): void {
  if (thread.status === 'removed' || comment.status === 'removed') throw notFound('Comment')
  assertSeesComment(viewer, thread, comment)
}

/** @throws ApiError 404, the same as for a comment that is missing */
export function assertSeesComment(viewer: Viewer, thread: Thread, comment: Post): void {
  if (!maySee(viewer, thread, thread) || !maySee(viewer, thread, comment)) throw notFound('Comment')
}

/** @throws ApiError 404; 422 DISCUSSION_LOCKED, for keys and moderators too */
export function assertTakesComments(viewer: Viewer, thread: Thread): void {
  assertThere(viewer, thread)
  if (thread.is_locked) throw locked()
}

/** Authors change their own, and staff everything. @throws ApiError 403; 422 DISCUSSION_LOCKED for authors */
export function assertMayEdit(viewer: Viewer, thread: Thread, post: Post): void {
  assertOwns(viewer, post)
  if (thread.is_locked && !isStaff(viewer)) throw locked()
}

/** @throws ApiError 403 for whoever is neither the author nor staff */
export function assertOwns(viewer: Viewer, post: Post): void {
  if (!isStaff(viewer) && !isAuthor(viewer, post))
    throw forbidden('Only the author, moderators and secret keys may do this')
}

/** @throws ApiError 403 for whoever is no moderator */
export function assertModerates(viewer: Viewer): void {
  if (!isStaff(viewer)) throw forbidden('Only moderators and secret keys may do this')
}
