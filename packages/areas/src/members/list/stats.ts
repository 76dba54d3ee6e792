import { toId } from '#platform/ids.ts'
import type { MemberStats } from '../schema.ts'

interface Count {
  status: string
  plan_id: string
  members: number
}

/** Counts per status and plan, as the API shows them. */
export function toStats(counts: Count[], created: MemberStats['created']): MemberStats {
  const sum = (matching: Count[]) => matching.reduce((total, count) => total + count.members, 0)
  const ofStatus = (status: string) => sum(counts.filter((count) => count.status === status))
  const byPlan = Map.groupBy(counts, (count) => count.plan_id)
  return {
    total: sum(counts),
    by_status: { active: ofStatus('active'), inactive: ofStatus('inactive'), pending: ofStatus('pending') },
    by_plan: [...byPlan].map(([planId, matching]) => ({
      plan_id: toId('plan', planId),
      members: sum(matching),
    })),
    created,
  }
}
