import { type AskedHook, type HookInUse, toRuleId } from '#areas/moderation/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { postHeld, postHidden } from '../events.ts'
import { HOOK } from './asking.ts'
import { findCase, setQuestion } from './queries.ts'
import { decideByHook, type Moderated, show } from './service.ts'

interface Answered {
  /** Undefined where the project has none any more. */
  readonly hook: HookInUse | undefined
  readonly answer: AskedHook
  readonly moderated: Moderated
}

/**
 * Does what a hook has answered about the post of a case, or what the project wants where it gave no valid answer. Nothing is done where
 * a moderator has decided, or the text has changed.
 */
export async function applyHookAnswer(
  ctx: Context,
  { case_id: id, ask_id }: { case_id: string; ask_id: string },
  { hook, answer, moderated }: Answered,
): Promise<void> {
  const known = await findCase(ctx, { id })
  if (known === undefined) return
  const post = await moderated.open(ctx, known, true)
  // Read again, now that nobody else decides it.
  const row = await findCase(ctx, { id })
  if (post === undefined || row === undefined || row.decision !== null || row.asked !== ask_id) return
  const isPublished = 'failure' in answer ? hook?.on_timeout === 'publish' : answer.decision === 'approve'
  const reason = 'failure' in answer ? null : (answer.reason ?? null)
  const note = 'failure' in answer ? `No valid answer: ${answer.failure}` : reason
  const isRemoved = 'decision' in answer && answer.decision === 'remove'
  if (!isPublished && !isRemoved) {
    setQuestion(ctx, { id, asked: null, held_by: [HOOK], note })
    emit(ctx, row.kind === 'held' ? postHeld : postHidden, post.names)
  } else if (isPublished && row.reports > 0) {
    // Members have reported what was there before: a moderator still looks at it.
    setQuestion(ctx, { id, asked: null, held_by: [], note })
    await show(ctx, post, { isNews: false, byHook: true })
  } else {
    setQuestion(ctx, { id, asked: null, held_by: [HOOK], note })
    const decision = isRemoved ? 'removed' : 'approved'
    await decideByHook(ctx, row, {
      ...{ post, decision, reason },
      by: hook === undefined ? null : toRuleId(hook.id),
    })
  }
}
