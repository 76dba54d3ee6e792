import { toId } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'

/** What the paths of projects name. */
export const samples = {
  proj: async (side: Side) => ({ id: toId('project', side.projectId) }),
}
