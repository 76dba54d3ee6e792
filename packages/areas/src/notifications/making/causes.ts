import * as auth from '#areas/auth/events.ts'
import * as discussions from '#areas/discussions/events.ts'
import { caseId, commentId, discussionId } from '#areas/discussions/ids.ts'
import * as feedback from '#areas/feedback/events.ts'
import { feedbackId, commentId as noteId, statusChangeId } from '#areas/feedback/ids.ts'
import * as lms from '#areas/lms/events.ts'
import { certificateId, courseId } from '#areas/lms/ids.ts'
import { memberSuspended, memberUnsuspended } from '#areas/moderation/events.ts'
import * as shop from '#areas/shop/events.ts'
import { orderId } from '#areas/shop/ids.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { EventType } from '#platform/events/emit.ts'
import { parseId, type Resource } from '#platform/ids.ts'
import type { Kind, StoredTarget } from '../kinds.ts'
import { OFFICIAL } from '../text.ts'
import {
  answererOf,
  caseOf,
  lockDiscussion,
  mentionedIn,
  mentionedInFeedback,
  type Page,
  readersOf,
  readersOfFeedback,
  votersOf,
} from './recipients.ts'

/** Who is notified, and of what. */
export interface Notice {
  readonly member_id: string
  readonly kind: Kind
  readonly target_type: StoredTarget
  readonly target_id: string
  readonly actor_id?: string | null
  readonly detail?: string | null
  readonly note?: string | null
  /** It has a mail of its own. */
  readonly has_mail?: boolean
}

/** Whom an event notifies of what, a page at a time in the order of members. */
export type Cause = (ctx: Context, payload: unknown, page: Page) => Promise<readonly Notice[]>

type DataOf<E> = E extends { readonly example: infer D } ? D : never

/** The types are those of the event's data, which was written by `emit`. */
const cause = <E extends EventType>(
  type: E,
  noticesOf: (ctx: Context, data: DataOf<E>, page: Page) => Promise<readonly Notice[]>,
): readonly [string, Cause] => [type.name, (ctx, payload, page) => noticesOf(ctx, payload as DataOf<E>, page)]

const stored = (resource: Resource, id: string | null | undefined): string | undefined =>
  id ? parseId(resource, id) : undefined

/** One member, who is notified of something that is the member's own. */
function own(
  kind: Kind,
  target_type: StoredTarget,
  member: string | null | undefined,
  resource: Resource,
  id: string,
  more: Partial<Notice> = {},
): Notice[] {
  const [member_id, target_id] = [stored('member', member), stored(resource, id)]
  return member_id && target_id ? [{ member_id, kind, target_type, target_id, ...more }] : []
}

const POSTS = [
  ['discussion', discussionId],
  ['comment', commentId],
  ['feedback', feedbackId],
  ['feedback_comment', noteId],
] as const
const ofPost = (id: string) => POSTS.find(([, { prefix }]) => id.startsWith(`${prefix}_`)) ?? POSTS[0]

const moderated = (type: typeof discussions.postHeld, detail: string) =>
  cause(type, async (_ctx, { id, author_id, by_hook }) => {
    // While a hook decides, there is nothing to tell.
    if (by_hook) return []
    const [target, resource] = ofPost(id)
    return own('moderation', target, author_id, resource, id, { detail })
  })

const ordered = (type: typeof shop.orderPaid, detail: string) =>
  cause(type, async (_ctx, { id, member_id }) => own('order', 'order', member_id, orderId, id, { detail }))

const enrolled = (type: typeof lms.enrollmentCreated, detail: string) =>
  cause(type, async (_ctx, { course_id, student_id }) =>
    own('course', 'course', student_id, courseId, course_id, { detail }),
  )

/** By the type of the event. */
export const CAUSES: Readonly<Record<string, Cause>> = Object.fromEntries([
  cause(discussions.discussionCreated, async (ctx, { id }, page) =>
    (await mentionedIn(ctx, { id: stored(discussionId, id) ?? null, ...page })).map((row) => ({
      ...row,
      ...({ kind: 'mention', target_type: 'discussion' } as const),
    })),
  ),
  cause(discussions.commentCreated, async (ctx, { id }, page) =>
    (await readersOf(ctx, { id: stored(commentId, id) ?? null, ...page })).map(
      ({ is_mentioned, ...row }) => ({
        ...row,
        ...({ kind: is_mentioned ? 'mention' : 'reply', target_type: 'comment' } as const),
      }),
    ),
  ),
  cause(discussions.discussionAnswered, async (ctx, { id }) => {
    const of = { id: stored(discussionId, id) ?? null }
    await lockDiscussion(ctx, of)
    return (await answererOf(ctx, of)).map((row) => ({
      ...row,
      ...({ kind: 'answer', target_type: 'comment' } as const),
    }))
  }),
  cause(discussions.postLiked, async (_ctx, { id, author_id, member_id }) => {
    const [target, resource] = ofPost(id)
    if (author_id === member_id) return []
    return own('like', target, author_id, resource, id, { actor_id: stored('member', member_id) ?? null })
  }),
  moderated(discussions.postHeld, 'held'),
  moderated(discussions.postHidden, 'hidden'),
  moderated(discussions.postShown, 'shown'),
  cause(discussions.reportResolved, async (ctx, { id, decision, reason }) => {
    if (decision !== 'removed') return []
    return (await caseOf(ctx, { id: stored(caseId, id) ?? null })).map((row) => ({
      ...row,
      kind: 'moderation' as const,
      ...{ detail: 'removed', note: reason },
    }))
  }),
  cause(discussions.appealDecided, async (_ctx, { target_id, author_id, decision, reason, decided_by }) => {
    // A post that is shown again has an event of its own, and nobody is notified of what they removed themselves.
    if (decision === 'overturned' || decided_by === author_id) return []
    const [target, resource] = ofPost(target_id)
    return own('moderation', target, author_id, resource, target_id, { detail: 'upheld', note: reason })
  }),
  cause(memberSuspended, async (_ctx, { id, reason }) =>
    own('moderation', 'member', id, 'member', id, { detail: 'suspended', note: reason, has_mail: true }),
  ),
  cause(memberUnsuspended, async (_ctx, { id }) =>
    own('moderation', 'member', id, 'member', id, { detail: 'unsuspended' }),
  ),
  cause(feedback.feedbackCreated, async (ctx, { id }, page) =>
    (await mentionedInFeedback(ctx, stored(feedbackId, id), page)).map((row) => ({
      ...row,
      ...({ kind: 'mention', target_type: 'feedback' } as const),
    })),
  ),
  cause(feedback.feedbackCommented, async (ctx, { id }, page) =>
    (await readersOfFeedback(ctx, stored(noteId, id), page)).map(({ is_mentioned, is_official, ...row }) => ({
      ...row,
      ...({ kind: is_mentioned ? 'mention' : 'reply', target_type: 'feedback_comment' } as const),
      detail: is_official ? OFFICIAL : null,
    })),
  ),
  cause(feedback.feedbackStatusChanged, async (ctx, { id, change }, page) => {
    if (!change.notified_voters || stored(statusChangeId, change.id) === undefined) return []
    return (await votersOf(ctx, { id: stored(feedbackId, id) ?? null, ...page })).map((row) => ({
      ...row,
      ...({ kind: 'feedback_status', target_type: 'feedback' } as const),
      ...{ detail: change.status, note: change.note },
    }))
  }),
  ordered(shop.orderPaid, 'paid'),
  ordered(shop.orderFulfilled, 'fulfilled'),
  ordered(shop.orderCanceled, 'canceled'),
  ordered(shop.orderRefunded as typeof shop.orderPaid, 'refunded'),
  enrolled(lms.enrollmentCreated, 'enrolled'),
  enrolled(lms.enrollmentCompleted, 'completed'),
  enrolled(lms.enrollmentExpired, 'expired'),
  cause(lms.certificateIssued, async (_ctx, { id, student_id }) =>
    own('certificate', 'certificate', student_id, certificateId, id),
  ),
  cause(auth.invitationAccepted, async (_ctx, { member_id }) =>
    member_id === null ? [] : own('invitation', 'member', member_id, 'member', member_id),
  ),
])
