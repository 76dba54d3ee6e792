import { judgeWritten } from '#areas/moderation/service.ts'
import { publicIdOf } from '#platform/actor.ts'
import { audit } from '#platform/audit.ts'
import type { ModeratedKind, ModeratedPost, ModeratedTarget } from '#platform/catalogue/moderated.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { ActingMember } from '#platform/http/acting-member.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { assertModerates } from '../access/access.ts'
import { closeAppeals } from '../appeals/decided.ts'
import { caseDecided } from '../errors.ts'
import { postHidden, postShown, reportCreated, reportResolved } from '../events.ts'
import { caseId } from '../ids.ts'
import { askAbout, HOOK } from './asking.ts'
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

/** Whose posts are moderated: of the areas that declare some. */
export class Moderated {
  readonly #kinds: readonly ModeratedKind[]

  constructor(kinds: readonly ModeratedKind[]) {
    this.#kinds = kinds
  }

  #kindOf(target: ModeratedTarget): ModeratedKind {
    const kind = this.#kinds.find((each) => each.isAbout(target))
    if (kind === undefined) throw new Error('no area has the posts of this case')
    return kind
  }

  /** The public id of the post that a case is about. */
  idOf(target: ModeratedTarget): string {
    return this.#kindOf(target).idOf(target)
  }

  /** @param id public @returns undefined where there is no such post */
  async find(ctx: Context, id: string): Promise<ModeratedTarget | undefined> {
    for (const kind of this.#kinds) {
      const target = await kind.find(ctx, id)
      if (target !== undefined) return target
    }
    return undefined
  }

  /** Locks a post. @param mayRemove whether for a decision @returns undefined where it is gone */
  open(ctx: Context, target: ModeratedTarget, mayRemove = false): Promise<ModeratedPost | undefined> {
    return this.#kindOf(target).open(ctx, target, mayRemove)
  }

  /** The post of a case, locked. @throws ApiError 404 where it is gone, and the case with it */
  async lock(ctx: Context, row: CaseRow): Promise<ModeratedPost> {
    const post = await this.open(ctx, row, true)
    if (post === undefined) throw notFound('Moderation case')
    return post
  }

  /** A row as clients see it. */
  toCase(row: CaseRow): Case {
    return {
      id: toId(caseId, row.id),
      kind: row.kind as Case['kind'],
      ...{ target_id: this.idOf(row), ...this.#kindOf(row).above(row) },
      report_count: row.reports,
      weight: row.weight / 100,
      held_by: (row.held_by ?? []) as Case['held_by'],
      decision: row.decision as Case['decision'],
      reason: row.reason,
      decided_by: row.decided_by,
      decided_at: row.decided_at,
      created_at: row.created_at,
    }
  }
}

/**
 * Reports a post. Often enough reported, it is hidden until a moderator has decided.
 * @throws ApiError 422 for what is not there, or cannot be seen
 */
export async function report(
  ctx: Context,
  input: NewReport,
  { viewer, member, moderated }: { viewer: Viewer; member: ActingMember; moderated: Moderated },
): Promise<Report> {
  const target = await moderated.find(ctx, input.target_id)
  const post = target && (await moderated.open(ctx, target))
  if (target === undefined || !post?.maySee(viewer))
    throw invalidField('target_id', 'exists', 'is not a discussion, feedback or comment of this project')
  const { id } = await caseAbout(ctx, target)
  const { reason, note = null } = input
  const { author_id } = post
  const added = await addReport(ctx, {
    ...{ id: newUuid(), case_id: id, member_id: member.id, author_id, reason, note },
    ...target,
  })
  const shown = { id: toId(caseId, id), target_id: input.target_id, reason }
  if (added) {
    emit(ctx, reportCreated, { ...shown, member_id: toId('member', member.id) })
    if (added.is_enough) await hide(ctx, post)
  }
  return { ...shown, note, is_new: added !== undefined }
}

/** The text of a post as it will be. */
interface NewText {
  readonly title: string | undefined
  readonly text: string
  readonly links: number
}

/**
 * Judges the new text of a post that others see or that waits. A held text is hidden until a moderator has approved it.
 * @throws ApiError 422 POST_REFUSED
 */
export async function judgeEdit(ctx: Context, post: ModeratedPost, text: NewText): Promise<void> {
  const { target, author_id } = post
  const { comment_id, discussion_id, feedback_comment_id, feedback_id } = target
  const id = comment_id ?? discussion_id ?? feedback_comment_id ?? feedback_id ?? ''
  const { heldBy, isAsked, keep } = await judgeWritten(ctx, { ...text, author: author_id, changes: id })
  keep(id)
  if (heldBy.length === 0 && !isAsked) {
    // What is asked already is asked about the new text.
    const open = post.status === 'pending' ? await openCase(ctx, target) : undefined
    if (open?.asked) askAbout(ctx, open.id)
    return
  }
  const { id: case_id, held_by } = await caseAbout(ctx, target)
  if (!isAsked) {
    setQuestion(ctx, { id: case_id, asked: null, held_by: heldBy, note: null })
    return hide(ctx, post)
  }
  // What a moderator looks at anyway is not asked.
  if (post.status === 'pending' && held_by?.join() !== HOOK) return
  askAbout(ctx, case_id)
  await hide(ctx, post, { byHook: true })
}

async function hide(ctx: Context, post: ModeratedPost, { byHook = false } = {}): Promise<void> {
  if (post.status !== 'visible') return
  emit(ctx, postHidden, { ...post.names, ...(byHook && { by_hook: true as const }) })
  await post.hide(ctx)
}

interface Decision {
  readonly viewer: Viewer
  readonly decision: 'approved' | 'removed'
  readonly reason: string | undefined
  readonly moderated: Moderated
}

/**
 * Decides a case. The first decision stands: the same one again answers it. A removal that its author has appealed is decided once more.
 * @throws ApiError 403; 404; 422 CASE_DECIDED for another decision than the first
 */
export async function decide(
  ctx: Context,
  id: string,
  { viewer, decision, reason, moderated }: Decision,
): Promise<Case> {
  const known = await getCase(ctx, { id })
  assertModerates(viewer)
  const post = await moderated.lock(ctx, known)
  const decided_by = publicIdOf(ctx.actor)
  const first = await decideCase(ctx, { id, decision, reason: reason ?? null, decided_by })
  const target = post.names.id
  const [appeal] = await closeAppeals(ctx, [{ id, target }], { decision, reason: reason ?? null })
  const stands = first ?? (await getCase(ctx, { id }))
  const isOverturned = first === undefined && appeal !== undefined && decision === 'approved'
  if (first === undefined && appeal === undefined) return standing(moderated, stands, decision)
  const decided = isOverturned ? await overturnCase(ctx, { id, reason: reason ?? null, decided_by }) : stands
  const isNew = first !== undefined || isOverturned
  await carryOut(ctx, known, { post, decision, reason: reason ?? null, appeal, isNew, byHook: false })
  return moderated.toCase(decided)
}

interface ByHook {
  readonly post: ModeratedPost
  readonly decision: 'approved' | 'removed'
  readonly reason: string | null
  /** The public id of the rule that is the hook. */
  readonly by: string | null
}
/** Decides a case that is open, and whose post is locked, as its hook has answered. */
export async function decideByHook(ctx: Context, row: CaseRow, { by, ...decided }: ByHook): Promise<void> {
  const { decision, reason, post } = decided
  decideCase(ctx, { id: row.id, decision, reason, decided_by: by })
  const [appeal] = await closeAppeals(ctx, [{ id: row.id, target: post.names.id }], { decision, reason })
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
  const { post, decision, reason, appeal, isNew, byHook } = decided
  const case_id = toId(caseId, row.id)
  const target = post.names.id
  judgeReports(ctx, { case_id: row.id, was_right: decision === 'removed' })
  if (decision === 'removed') await post.remove(ctx)
  else if (post.status !== 'visible') await show(ctx, post, { isNews: row.kind === 'held', byHook })
  audit(ctx, {
    action: decision === 'removed' ? 'moderation.remove' : 'moderation.approve',
    ...{ target, reason: reason ?? undefined, before: { status: post.status } },
    after: {
      ...{ status: decision === 'removed' ? 'removed' : 'visible', case_id },
      ...(appeal !== undefined && { appeal_id: appeal }),
      ...(byHook && { by_hook: true }),
    },
  })
  if (isNew) emit(ctx, reportResolved, { id: case_id, target_id: target, decision, reason })
}

/** The case, if it was decided so. @throws ApiError 422 CASE_DECIDED */
function standing(moderated: Moderated, row: CaseRow, decision: string): Case {
  if (row.decision === decision) return moderated.toCase(row)
  throw caseDecided(undefined, {
    message: `The post was ${row.decision} already: the first decision is final`,
    reason: row.decision ?? undefined,
  })
}

/** Shows what was hidden or removed. A first post is news by now. */
export async function show(
  ctx: Context,
  post: ModeratedPost,
  { isNews, byHook = false }: { isNews: boolean; byHook?: boolean },
): Promise<void> {
  emit(ctx, postShown, { ...post.names, ...(byHook && { by_hook: true as const }) })
  await post.show(ctx, { isNews })
}
