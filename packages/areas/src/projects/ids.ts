import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const projectExportId = defineId('pexp', 'Export of a project')
export const projectImportId = defineId('pimp', 'Import of a project')
export const requestedMoveId = defineId('pmov', 'Move of a project')
