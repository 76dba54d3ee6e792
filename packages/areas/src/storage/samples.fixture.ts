import { makeFileRow } from '#testkit/files.ts'

/** What the paths of storage name. */
export const samples = {
  file: makeFileRow,
}
