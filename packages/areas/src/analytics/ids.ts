import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const goalId = defineId('goal', 'Goal')
export const hitId = defineId('hit', 'Hit')
