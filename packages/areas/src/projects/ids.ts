import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const projectExportId = defineId('pexp', 'Export of a project')
