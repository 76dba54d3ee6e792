/** The resources of this area, by the name of their ids. */
export const feedbackId = 'feedback'
export const commentId = 'feedback comment'
export const statusChangeId = 'status change'
export const memberId = 'member'
