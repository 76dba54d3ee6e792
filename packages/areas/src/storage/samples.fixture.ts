import { makeFileRow } from '#testkit/areas/storage/files.ts'

/** What the paths of storage name. */
export const samples = {
  file: makeFileRow,
}
