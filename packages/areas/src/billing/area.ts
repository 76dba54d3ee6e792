import { defineArea } from '#platform/area.ts'
import { memberData } from './member-data.ts'
import { askProviders } from './payments/ask-providers.due.ts'

export const billing = defineArea({ name: 'billing', dueWork: [askProviders], memberData })
