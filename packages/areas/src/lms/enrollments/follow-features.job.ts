import { followFeatures } from '#areas/plans/service.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { judgeEnrollments } from '../service.ts'
import { listEnrolledOnPlan, lockGrantsOf } from './queries.ts'

const MEMBERS_AT_ONCE = 100

/** After the features of a plan have changed: enrollments of its members that rest on one close, or open again. */
export const followPlanFeatures = defineJob({
  ...followFeatures,
  attempts: 10,
  run: async (run, { plan_id: plan }) => {
    for (let after: string | null = null; ; ) {
      run.signal.throwIfAborted()
      const asked = listEnrolledOnPlan({ plan, after, limit: MEMBERS_AT_ONCE })
      const ids: string[] = (await run.read({ ids: asked })).ids
      await run.write(async (ctx) => {
        for (const member of ids) lockGrantsOf(ctx, { member })
        await judgeEnrollments(ctx, ids)
      })
      if (ids.length < MEMBERS_AT_ONCE) break
      after = ids.at(-1) ?? null
    }
    await run.record(async () => {})
  },
})
