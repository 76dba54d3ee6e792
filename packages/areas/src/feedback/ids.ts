import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const feedbackId = defineId('fb', 'Feedback')
export const commentId = defineId('fbc', 'Feedback comment')
export const statusChangeId = defineId('fbs', 'Status change')
