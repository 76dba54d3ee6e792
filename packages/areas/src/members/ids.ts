import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const importId = defineId('imp', 'Import')
