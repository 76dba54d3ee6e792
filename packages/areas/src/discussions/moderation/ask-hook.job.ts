import { askHook, hookInUse } from '#areas/moderation/service.ts'
import { toId } from '#platform/ids.ts'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { askId } from '../ids.ts'
import { applyHookAnswer } from './apply-hook-answer.ts'
import { asking } from './asking.ts'
import { findCase } from './queries.ts'
import { Moderated } from './service.ts'

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
    const moderated = new Moderated(run.deps.catalogue.moderated)
    await run.record((ctx) => applyHookAnswer(ctx, ids, { hook, answer, moderated }))
  },
})

/** The post and the hook; undefined where the question is void by now. */
async function load(run: JobRun, { case_id, ask_id }: { case_id: string; ask_id: string }) {
  return run.write(async (ctx) => {
    const row = await findCase(ctx, { id: case_id })
    if (row === undefined || row.decision !== null || row.asked !== ask_id) return undefined
    const hook = await hookInUse(ctx)
    const found = await new Moderated(run.deps.catalogue.moderated).open(ctx, row)
    if (found === undefined) return undefined
    const { names, title, content } = found
    const { id: post_id, ...others } = names
    const post = { post_id, ...others, title, content, is_edit: row.kind !== 'held' }
    return { hook, question: { id: toId(askId, ask_id), post } }
  })
}
