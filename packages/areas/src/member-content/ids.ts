import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const ruleId = defineId('rule', 'Rule')
