import { makeExportRow } from '#testkit/exports.ts'

/** What the paths of exports name. */
export const samples = {
  exp: makeExportRow,
}
