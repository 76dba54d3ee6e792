import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const discussionId = defineId('disc', 'Discussion')
export const commentId = defineId('cmt', 'Comment')
export const categoryId = defineId('dcat', 'Discussion category')
export const caseId = defineId('rep', 'Moderation case')
export const appealId = defineId('apl', 'Appeal')
/** A question to a moderation hook. */
export const askId = defineId('ask', 'Question')
export const revisionId = defineId('rev', 'Revision')
