import { defineId } from '#platform/ids.ts'

export const communityImportId = defineId('cimp', 'Community import')
