import { askHook, hookInUse } from '#areas/moderation/service.ts'
import { toId } from '#platform/ids.ts'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { findComment } from '../comments/queries.ts'
import { askId, discussionId } from '../ids.ts'
import { getThread } from '../threads/queries.ts'
import { applyHookAnswer } from './apply-hook-answer.ts'
import { asking } from './asking.ts'
import { targetOf } from './closing.ts'
import { findCase } from './queries.ts'

/** Asks the moderation hook about a post, and does what it answers. Asked twice, it decides once. */
export const askModerationHook = defineJob({
  ...asking,
  attempts: 20,
  run: async (run, ids) => {
    const asked = await load(run, ids)
    if (asked === undefined) return
    const { hook, question } = asked
    const answer =
      hook === undefined
        ? { failure: 'there is no hook any more' }
        : await askHook(run.deps.config, hook, question)
    await run.record((ctx) => applyHookAnswer(ctx, ids, { hook, answer }))
  },
})

/** The post and the hook; undefined where the question is void by now. */
async function load(run: JobRun, { case_id, ask_id }: { case_id: string; ask_id: string }) {
  return run.write(async (ctx) => {
    const row = await findCase(ctx, { id: case_id })
    if (row === undefined || row.decision !== null || row.asked !== ask_id) return undefined
    const hook = await hookInUse(ctx)
    const thread = await getThread(ctx, { id: row.discussion_id })
    const comment = row.comment_id === null ? undefined : await findComment(ctx, { id: row.comment_id })
    const { author_id, content } = comment ?? thread
    const post = {
      ...{ post_id: targetOf(row), discussion_id: toId(discussionId, thread.id) },
      author_id: toId('member', author_id),
      ...{ title: thread.title, content, is_edit: row.kind !== 'held' },
    }
    return { hook, question: { id: toId(askId, ask_id), post } }
  })
}
