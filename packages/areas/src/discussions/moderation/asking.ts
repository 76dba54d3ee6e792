import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { enqueue, type JobType } from '#platform/jobs/enqueue.ts'
import { holdPost, setQuestion, type Target } from './queries.ts'

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

/** Holds a new post until the moderation hook has answered. */
export async function holdForHook(ctx: Context, target: Target): Promise<void> {
  askAbout(ctx, (await holdPost(ctx, target, [HOOK])).id)
}

/** Has the moderation hook asked about the post of a case. What was asked before about it is void. */
export function askAbout(ctx: Context, case_id: string): void {
  const ask_id = newUuid()
  setQuestion(ctx, { id: case_id, asked: ask_id, held_by: [HOOK], note: null })
  enqueue(ctx, asking, { case_id, ask_id })
}
