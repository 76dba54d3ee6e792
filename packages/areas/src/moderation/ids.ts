import { defineId } from '#platform/ids.ts'

export const muteId = defineId('mute', 'Mute')
export const ruleId = defineId('mrul', 'Moderation rule')
