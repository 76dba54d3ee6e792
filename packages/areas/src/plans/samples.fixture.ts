import type { Side } from '#testkit/factories.ts'

/** What the paths of plans name. */
export const samples = {
  plan: (side: Side) => side.makePlan(),
}
