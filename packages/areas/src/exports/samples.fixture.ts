import { makeExportRow } from '#testkit/areas/exports.ts'

/** What the paths of exports name. */
export const samples = {
  exp: makeExportRow,
}
