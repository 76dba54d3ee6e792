/** Codes of 422 that this area answers besides those that all do. */
export const MERGE_CIRCLE = 'An item cannot be merged into itself or into its own duplicate'
export const FEEDBACK_IS_DUPLICATE = 'The item is merged into another one, which has the status'
