import type { Side } from '#testkit/factories.ts'
import { makeImportRow } from '#testkit/member-imports.ts'

/** What the paths of members name. */
export const samples = {
  imp: makeImportRow,
  mem: (side: Side) => side.makeMember(),
}
