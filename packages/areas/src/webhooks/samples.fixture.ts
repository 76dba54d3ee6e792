import { registerEndpoint, sendTest } from '#testkit/areas/webhooks.ts'
import type { Side } from '#testkit/factories.ts'

/** What the paths of webhooks name. */
export const samples = {
  whe: (side: Side) => registerEndpoint(side),
  dlv: async (side: Side) => sendTest(side, (await registerEndpoint(side)).id),
}
