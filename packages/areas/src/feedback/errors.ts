import { defineError } from '#platform/define-error.ts'

export const mergeCircle = defineError({
  code: 'MERGE_CIRCLE',
  message: 'An item cannot be merged into itself or into its own duplicate: send another item in `into`',
  details: [{ field: 'into', rule: 'circle', message: 'is the item itself, or a duplicate of it' }],
})
export const feedbackIsDuplicate = defineError({
  code: 'FEEDBACK_IS_DUPLICATE',
  message: 'The item is merged into another item: change the status of that item',
})
