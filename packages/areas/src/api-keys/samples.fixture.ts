import type { Side } from '#testkit/factories.ts'

/** What the paths of API keys name. */
export const samples = {
  key: (side: Side) => side.makeKey(),
}
