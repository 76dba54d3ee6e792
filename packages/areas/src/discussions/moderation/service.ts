import { judgeWritten } from '#areas/moderation/service.ts'
import { publicIdOf } from '#platform/actor.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { keepFindable, showTo } from '#platform/search/documents.ts'
import { plainText } from '#platform/search/plain-text.ts'
import { assertMayEdit, assertModerates, maySee } from '../access/access.ts'
import { closeAppeals } from '../appeals/decided.ts'
import { findComment, getComment, setCommentStatus } from '../comments/queries.ts'
import type { CommentRow } from '../comments/rows.ts'
import { announceComment, takeCommentDown } from '../comments/service.ts'
import { caseDecided } from '../errors.ts'
import { postHidden, postShown, reportCreated, reportResolved } from '../events.ts'
import { findComments } from '../find-comments.job.ts'
import { COMMENT, commentDocument, forgetCommentsOf } from '../found.ts'
import { caseId, commentId, discussionId } from '../ids.ts'
import { announceAnswer } from '../threads/answer.ts'
import { SEARCHED } from '../threads/list.ts'
import { findThread, getThread, lockThread, setThreadStatus } from '../threads/queries.ts'
import type { ThreadRow } from '../threads/rows.ts'
import { announceThread, takeDown } from '../threads/service.ts'
import { askAbout, HOOK } from './asking.ts'
import { targetOf, toPost } from './closing.ts'
import {
  addReport,
  type CaseRow,
  caseAbout,
  decideCase,
  getCase,
  judgeReports,
  openCase,
  overturnCase,
  setQuestion,
} from './queries.ts'
import type { Case, NewReport, Report } from './schema.ts'

/** A row as clients see it. */
export const toCase = (row: CaseRow): Case => ({
  id: toId(caseId, row.id),
  kind: row.kind as Case['kind'],
  target_id: targetOf(row),
  discussion_id: toId(discussionId, row.discussion_id),
  report_count: row.reports,
  weight: row.weight / 100,
  held_by: (row.held_by ?? []) as Case['held_by'],
  decision: row.decision as Case['decision'],
  reason: row.reason,
  decided_by: row.decided_by,
  decided_at: row.decided_at,
  created_at: row.created_at,
})

/**
 * Reports a discussion or a comment. Often enough reported, it is hidden until a moderator has decided.
 * @throws ApiError 422 for what is not there, or cannot be seen
 */
export async function report(
  ctx: Context,
  input: NewReport,
  { viewer, member }: { viewer: Viewer; member: ActingMember },
): Promise<Report> {
  const { thread, comment } = await openTarget(ctx, input.target_id, viewer)
  const target = { discussion_id: thread.id, comment_id: comment?.id ?? null }
  const { id } = await caseAbout(ctx, target)
  const { reason, note = null } = input
  const { author_id } = comment ?? thread
  const added = await addReport(ctx, {
    ...{ id: newUuid(), case_id: id, member_id: member.id, author_id, reason, note },
    ...target,
  })
  const shown = { id: toId(caseId, id), target_id: input.target_id, reason }
  if (added) {
    emit(ctx, reportCreated, { ...shown, member_id: toId('member', member.id) })
    if (added.is_enough) await hide(ctx, thread, comment)
  }
  return { ...shown, note, is_new: added !== undefined }
}

async function openTarget(ctx: Context, id: string, viewer: Viewer) {
  const fault = () => invalidField('target_id', 'exists', 'is not a discussion or comment of this project')
  const target = parseId(commentId, id)
  const found = target === undefined ? undefined : await findComment(ctx, { id: target })
  const threadId = found?.discussion_id ?? parseId(discussionId, id)
  if (threadId === undefined) throw fault()
  const thread = await findThread(ctx, { id: threadId })
  // Read again, now that nobody else changes it.
  const comment = found && (await findComment(ctx, { id: found.id }))
  const post = comment ?? thread
  if (!thread || !post || thread.status === 'removed' || post.status === 'removed') throw fault()
  if (!maySee(viewer, thread, thread) || !maySee(viewer, thread, post)) throw fault()
  return { thread, comment }
}

/** The text of a post as it will be. */
interface ChangedPost {
  readonly viewer: Viewer
  readonly thread: ThreadRow
  readonly comment?: CommentRow
  /** Of a discussion. */
  readonly title?: string | undefined
  /** Undefined where the text stays. */
  readonly rendered: Rendered | undefined
}

/**
 * Judges the new text of a post, before it is changed. A held text is hidden until a moderator has approved it. Changes
 * by staff are not judged.
 * @throws ApiError 422 POST_REFUSED; 403 and 422 where the viewer may not change the post
 */
export async function judgeChange(ctx: Context, changed: ChangedPost): Promise<void> {
  const { viewer, thread, comment, rendered, title } = changed
  if (isStaff(viewer) || (rendered === undefined && title === undefined)) return
  const post = comment ?? thread
  assertMayEdit(viewer, thread, post)
  const { heldBy, isAsked, keep } = await judgeWritten(ctx, {
    text: rendered?.text ?? post.content,
    html: rendered?.html ?? post.content_html,
    title: comment ? undefined : (title ?? thread.title),
    author: post.author_id,
    changes: post.id,
  })
  keep(post.id)
  const target = { discussion_id: thread.id, comment_id: comment?.id ?? null }
  if (heldBy.length === 0 && !isAsked) {
    // What is asked already is asked about the new text.
    const open = post.status === 'pending' ? await openCase(ctx, target) : undefined
    if (open?.asked) askAbout(ctx, open.id)
    return
  }
  const { id, held_by } = await caseAbout(ctx, target)
  if (!isAsked) {
    setQuestion(ctx, { id, asked: null, held_by: heldBy, note: null })
    return hide(ctx, thread, comment)
  }
  // What a moderator looks at anyway is not asked.
  if (post.status === 'pending' && held_by?.join() !== HOOK) return
  askAbout(ctx, id)
  await hide(ctx, thread, comment, { byHook: true })
}

async function hide(
  ctx: Context,
  thread: ThreadRow,
  comment: CommentRow | undefined,
  { byHook = false } = {},
): Promise<void> {
  const { id, status } = comment ?? thread
  if (status !== 'visible') return
  emit(ctx, postHidden, { ...toPost(thread, comment), ...(byHook && { by_hook: true }) })
  if (comment) {
    setCommentStatus(ctx, { id, status: 'pending' })
    showTo(ctx, COMMENT, [id], [])
  } else {
    setThreadStatus(ctx, { id, status: 'pending' })
    showTo(ctx, SEARCHED, [id], [])
    forgetCommentsOf(ctx, id)
  }
  if (comment) await announceAnswer(ctx, thread)
}

interface Decision {
  readonly viewer: Viewer
  readonly decision: 'approved' | 'removed'
  readonly reason: string | undefined
}

/**
 * Decides a case. The first decision stands: the same one again answers it. A removal that its author has appealed is decided once more.
 * @throws ApiError 403; 404; 422 CASE_DECIDED for another decision than the first
 */
export async function decide(
  ctx: Context,
  id: string,
  { viewer, decision, reason }: Decision,
): Promise<Case> {
  const known = await getCase(ctx, { id })
  assertModerates(viewer)
  const thread = await lockThread(ctx, { id: known.discussion_id })
  const decided_by = publicIdOf(ctx.actor)
  const first = await decideCase(ctx, { id, decision, reason: reason ?? null, decided_by })
  const target = targetOf(known)
  const [appeal] = await closeAppeals(ctx, [{ id, target }], { decision, reason: reason ?? null })
  const stands = first ?? (await getCase(ctx, { id }))
  const isOverturned = first === undefined && appeal !== undefined && decision === 'approved'
  if (first === undefined && appeal === undefined) return standing(stands, decision)
  const decided = isOverturned ? await overturnCase(ctx, { id, reason: reason ?? null, decided_by }) : stands
  const comment = known.comment_id === null ? undefined : await findComment(ctx, { id: known.comment_id })
  const isNew = first !== undefined || isOverturned
  await carryOut(ctx, known, {
    ...{ thread, comment, decision, reason: reason ?? null, appeal, isNew, byHook: false },
  })
  return toCase(decided)
}

interface ByHook {
  readonly thread: ThreadRow
  readonly comment: CommentRow | undefined
  readonly decision: 'approved' | 'removed'
  readonly reason: string | null
  /** The public id of the rule that is the hook. */
  readonly by: string | null
}
/** Decides a case that is open, and whose discussion is locked, as its hook has answered. */
export async function decideByHook(ctx: Context, row: CaseRow, { by, ...decided }: ByHook): Promise<void> {
  const { decision, reason } = decided
  decideCase(ctx, { id: row.id, decision, reason, decided_by: by })
  const [appeal] = await closeAppeals(ctx, [{ id: row.id, target: targetOf(row) }], { decision, reason })
  await carryOut(ctx, row, { ...decided, appeal, isNew: true, byHook: true })
}

interface CarriedOut extends Omit<ByHook, 'by'> {
  /** The public id of the appeal that the decision answers. */
  readonly appeal: string | undefined
  /** False if the decision stands as it was. */
  readonly isNew: boolean
  readonly byHook: boolean
}
/** What a decision means for the post and for its reports; it is audited and announced. */
async function carryOut(ctx: Context, row: CaseRow, decided: CarriedOut): Promise<void> {
  const { thread, comment, decision, reason, appeal, isNew, byHook } = decided
  const case_id = toId(caseId, row.id)
  const before = (comment ?? thread).status
  judgeReports(ctx, { case_id: row.id, was_right: decision === 'removed' })
  if (decision === 'removed') await remove(ctx, thread, comment)
  else if (before !== 'visible') await show(ctx, thread, comment, { isNews: row.kind === 'held', byHook })
  audit(ctx, {
    action: decision === 'removed' ? 'moderation.remove' : 'moderation.approve',
    ...{ target: targetOf(row), reason: reason ?? undefined, before: { status: before } },
    after: {
      ...{ status: decision === 'removed' ? 'removed' : 'visible', case_id },
      ...(appeal !== undefined && { appeal_id: appeal }),
      ...(byHook && { by_hook: true }),
    },
  })
  if (isNew) emit(ctx, reportResolved, { id: case_id, target_id: targetOf(row), decision, reason })
}

/** The case, if it was decided so. @throws ApiError 422 CASE_DECIDED */
function standing(row: CaseRow, decision: string): Case {
  if (row.decision === decision) return toCase(row)
  throw caseDecided(undefined, {
    message: `The post was ${row.decision} already: the first decision is final`,
    reason: row.decision ?? undefined,
  })
}

async function remove(ctx: Context, thread: ThreadRow, comment: CommentRow | undefined): Promise<void> {
  if (comment === undefined) {
    if (thread.status !== 'removed') await takeDown(ctx, thread)
  } else if (comment.status !== 'removed') await takeCommentDown(ctx, thread, comment)
}

/** Shows what was hidden or removed. A first post is news by now: it is dated so, and whoever has read the rest finds it unread. */
export async function show(
  ctx: Context,
  thread: ThreadRow,
  comment: CommentRow | undefined,
  { isNews, byHook = false }: { isNews: boolean; byHook?: boolean },
): Promise<void> {
  emit(ctx, postShown, { ...toPost(thread, comment), ...(byHook && { by_hook: true }) })
  if (comment) {
    const { id } = comment
    setCommentStatus(ctx, { id, status: 'visible', isNews })
    const category = thread.status === 'visible' ? thread.category_id : null
    keepFindable(ctx, {
      ...commentDocument(comment, { text: textOf(comment), category }),
      ...(!isNews && { writtenAt: comment.created_at }),
    })
    if (isNews) announceComment(ctx, thread, await getComment(ctx, { id }))
    await announceAnswer(ctx, thread)
    return
  }
  const { id, title, category_id, author_id } = thread
  setThreadStatus(ctx, { id, status: 'visible', isNews })
  keepFindable(ctx, {
    ...{ kind: SEARCHED, id, title, text: textOf(thread), audience: [category_id] },
    ...{ author: author_id, categories: [category_id] },
    ...(!isNews && { writtenAt: thread.created_at }),
  })
  enqueue(ctx, findComments, { discussion_id: id })
  if (isNews) announceThread(ctx, await getThread(ctx, { id }))
}

/** The text of a post as it is searched. */
const textOf = ({ content_html }: { content_html: string }): string =>
  plainText(content_html, { mentions: false })
