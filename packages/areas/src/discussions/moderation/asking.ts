import { Type } from 'typebox'
import type { ModeratedTarget, PostNames } from '#platform/catalogue/moderated.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { enqueue, type JobType } from '#platform/jobs/enqueue.ts'
import { postHeld } from '../events.ts'
import { holdPost, setQuestion } from './queries.ts'

/** The job that asks the moderation hook about a post; ask-hook.job.ts does it. */
export const asking = {
  name: 'discussions.ask-hook',
  // The service may take its five seconds.
  lane: 'slow',
  payload: Type.Object({
    case_id: Type.String({ format: 'uuid' }),
    ask_id: Type.String({ format: 'uuid' }),
  }),
} as const satisfies JobType

/** The kind of the rule that holds a post while its hook is asked. */
export const HOOK = 'hook'

/** Why a new post is held: rules or its category ask for a moderator, or else the hook has to be asked. */
interface Why {
  readonly heldBy: readonly string[]
  /** Whether only the hook is asked. */
  readonly isAsked: boolean
}
/** Holds a new post, and announces it. */
export async function holdNew(
  ctx: Context,
  target: ModeratedTarget,
  names: PostNames,
  { heldBy, isAsked }: Why,
): Promise<void> {
  const { id } = await holdPost(ctx, target, isAsked ? [HOOK] : heldBy)
  if (isAsked) askAbout(ctx, id)
  emit(ctx, postHeld, { ...names, ...(isAsked && { by_hook: true as const }) })
}

/** Has the moderation hook asked about the post of a case. What was asked before about it is void. */
export function askAbout(ctx: Context, case_id: string): void {
  const ask_id = newUuid()
  setQuestion(ctx, { id: case_id, asked: ask_id, held_by: [HOOK], note: null })
  enqueue(ctx, asking, { case_id, ask_id })
}
