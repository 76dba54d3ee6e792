import { makeImportRow } from '#testkit/areas/member-imports.ts'
import type { Side } from '#testkit/factories.ts'

/** What the paths of members name. */
export const samples = {
  imp: makeImportRow,
  mem: (side: Side) => side.makeMember(),
}
