import { newUuid } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'

/** What the paths of analytics name. */
export const samples = {
  goal: async (side: Side) =>
    (await side.admin.post<{ data: { id: string } }>('/analytics/goals', { event: newUuid() })).body.data,
}
