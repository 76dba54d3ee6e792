import { followDefault } from '#areas/plans/service.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { listOnPlanWithoutGrant, lockMembers } from './queries.ts'
import { updatePlansAndAnnounce } from './service.ts'

const MEMBERS_AT_ONCE = 500

/** After another plan became the default, members without a grant move to it from the former one. */
export const followDefaultPlan = defineJob({
  ...followDefault,
  attempts: 10,
  run: async (run, { former_plan_id: plan }) => {
    const some = () =>
      run.write(async (ctx) => {
        const found = await listOnPlanWithoutGrant(ctx, { plan_id: plan, limit: MEMBERS_AT_ONCE })
        const ids = found.map(({ id }) => id)
        if (ids.length === 0) return false
        lockMembers(ctx, { ids })
        await updatePlansAndAnnounce(ctx, ids)
        return true
      })
    while (!run.signal.aborted && (await some()));
  },
})
