import { closeCases, holdNew } from '#areas/discussions/service.ts'
import { judgeWritten } from '#areas/moderation/service.ts'
import { attachFiles, changeFiles, openFiles, releaseFiles } from '#areas/storage/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { taggedBy } from '#platform/http/etag.ts'
import { credentialAs, type Viewer } from '#platform/http/viewer.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { storedText } from '#platform/markdown/mentions.ts'
import { forgetInSearch, keepFindable } from '#platform/search/documents.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { assertTeam, mayReword, maySee, statusOf } from './access.ts'
import { commentsWithFiles, FEEDBACK_COMMENT } from './comments/queries.ts'
import { feedbackCreated, feedbackDeleted, feedbackUpdated } from './events.ts'
import * as feedbackExportFile from './export.ts'
import { FEEDBACK, itemDocument } from './found.ts'
import { feedbackId } from './ids.ts'
import { aboutFeedback, idOfPost, judgedText, judgeWords, namesOf } from './moderated.ts'
import { changeItem, insertItem, lockItem, readItem, removeItem } from './queries.ts'
import { fileIds, type ItemRow, toFeedback, toItemData } from './rows.ts'
import {
  type Feedback,
  type FeedbackChanges,
  type FeedbackItem,
  MAX_LENGTHS,
  type NewFeedback,
} from './schema.ts'
import * as settings from './settings.ts'
import { addVote, lockTree, releaseDuplicates } from './votes/queries.ts'

/** How a side of a project works with this area, for its operators. */
export const { assertFeedbackSettings, findFeedbackSettings, updateFeedbackSettings } = settings

/** Feedback as a file. */
export const feedbackExport = feedbackExportFile.feedbackExport

/** A body as it is stored: mentions in its texts keep the ids of members alone. @throws ApiError 422 */
function stored<T extends Pick<FeedbackChanges, 'title' | 'message'>>(sent: T): T {
  const made = { ...sent }
  for (const field of ['title', 'message'] as const) {
    const text = sent[field]
    if (text) made[field] = storedText(text, field, MAX_LENGTHS[field])
  }
  return made
}

/**
 * Keeps an item, with the vote of the member who sent it. What rules hold waits for a moderator, without the vote.
 * @param author that member
 * @throws ApiError 422 for a member that does not exist, and POST_REFUSED
 */
export async function createFeedback(
  ctx: Context,
  input: Omit<NewFeedback, 'user_id'>,
  author: Author | undefined,
): Promise<Feedback> {
  const { title, message } = stored(input)
  const authorId = author?.id ?? null
  const visibility = input.visibility ?? (input.type === 'bug' ? 'private' : 'public')
  const files = await openFiles(ctx, input.attachments ?? [], {
    viewer: credentialAs(ctx.actor),
    author: authorId,
  })
  const { heldBy, isAsked, keep } =
    visibility === 'public' && isJudged(ctx, author)
      ? await judgeWritten(ctx, { ...judgedText({ title: title ?? null, message }), author: authorId })
      : SHOWN
  const isHeld = isAsked || heldBy.length > 0
  const row = await insertItem(ctx, {
    id: newUuid(),
    type: input.type,
    title: title ?? null,
    message,
    email: input.email === undefined ? null : normalizeEmail(input.email),
    author_id: authorId,
    metadata: JSON.stringify(input.metadata ?? {}),
    visibility: isHeld ? 'private' : visibility,
    shown_as: isHeld ? visibility : null,
    attachments: files.ids,
  })
  attachFiles(ctx, files, { kind: FEEDBACK, id: row.id })
  letFind(ctx, row)
  keep(row.id)
  if (isHeld) await holdNew(ctx, aboutFeedback(row.id), namesOf(row.id, row), { heldBy, isAsked })
  else {
    if (authorId !== null) addVote(ctx, { feedbackId: row.id, memberId: authorId })
    emit(ctx, feedbackCreated, { ...toItemData(row), vote_count: authorId === null ? 0 : 1 })
  }
  // As GET shows it to whoever sent it: metadata are for keys.
  const tagged = { ...row, attachments: fileIds(row) }
  return taggedBy(credentialAs(ctx.actor).isKey ? tagged : { ...tagged, metadata: null }, toFeedback(row))
}

/** The member who writes, by the stored id. */
export type Author = Pick<ActingMember, 'id' | 'isModerator'>

/** Whom rules judge: members who are no moderators, and visitors. What a secret key sends in nobody's name is the team's. */
export const isJudged = (ctx: Context, author: Author | undefined): boolean =>
  author === undefined ? !credentialAs(ctx.actor).isKey : !author.isModerator

/** What is shown at once. */
export const SHOWN = { heldBy: [] as string[], isAsked: false, keep: (_id: string): void => undefined }

const letFind = (ctx: Context, row: ItemRow) => keepFindable(ctx, itemDocument(row))

/** What only the team may change. */
const TEAM_FIELDS = ['type', 'visibility', 'metadata'] as const

/**
 * Changes what is given and nothing else. Metadata is merged; keys set to null go.
 * @throws ApiError 404; 403 where it is not this viewer's to change
 */
export async function updateFeedback(
  ctx: Context,
  patch: PatchValues<FeedbackChanges> & { id: string; viewer: Viewer },
): Promise<FeedbackItem> {
  const { id, viewer, changes } = patch
  const before = await lockItem(ctx, { id })
  if (!maySee(viewer, before)) throw notFound('Feedback')
  if (!mayReword(viewer, before))
    throw forbidden('Only the sender, moderators and secret keys may change this item')
  if (TEAM_FIELDS.some((field) => changes[field] !== undefined)) assertTeam(viewer)
  const { attachments, ...texts } = stored(changes)
  await judgeWords(ctx, viewer, before, texts)
  const files =
    attachments &&
    (await openFiles(ctx, attachments, { viewer, author: before.author_id, before: before.attachments }))
  const item = await changeItem(ctx, {
    ...patch,
    changes: { ...texts, ...(files && { attachments: files.ids }) },
  })
  if (files) await changeFiles(ctx, files, { kind: FEEDBACK, id })
  if (Object.keys(changes).length === 0) return item
  const row = await readItem(ctx, { id })
  letFind(ctx, row)
  if (statusOf(row) === 'visible') emit(ctx, feedbackUpdated, toItemData(row))
  return item
}

/**
 * Deletes an item with its votes and comments. Items that were merged into it are shown again, with their own votes.
 * @throws ApiError 404; 403 for whoever is not of the team
 */
export async function deleteFeedback(ctx: Context, id: string, viewer: Viewer): Promise<void> {
  lockTree(ctx)
  const item = await lockItem(ctx, { id })
  if (!maySee(viewer, item)) throw notFound('Feedback')
  assertTeam(viewer)
  await releaseDuplicates(ctx, id)
  await closeCases(ctx, aboutFeedback(id), idOfPost)
  await releaseFiles(ctx, { kind: FEEDBACK, id })
  for (const comment of await commentsWithFiles(ctx, { feedbackId: id }))
    await releaseFiles(ctx, { kind: FEEDBACK_COMMENT, id: comment.id })
  removeItem(ctx, { id })
  forgetInSearch(ctx, FEEDBACK, [id])
  emit(ctx, feedbackDeleted, { id: toId(feedbackId, id) })
  audit(ctx, { action: 'feedback.delete', target: toId(feedbackId, id), before: { status: item.state } })
}

/** What attachments refer from, by the kind of the post. */
export const POST_FILES: Readonly<Record<string, string>> = {
  feedback: FEEDBACK,
  feedback_comment: FEEDBACK_COMMENT,
}
