import { defineError } from '#platform/define-error.ts'

export const slugTaken = defineError({
  code: 'SLUG_TAKEN',
  message: 'Another category has this slug: choose another slug',
  details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
})
export const categoryInUse = defineError({
  code: 'CATEGORY_IN_USE',
  message: 'The category has discussions: move them first',
})
/** `reason` is the decision that stands. */
export const caseDecided = defineError({
  code: 'CASE_DECIDED',
  message: 'A moderator has decided this case differently: the first decision is final',
})
export const locked = defineError({
  code: 'DISCUSSION_LOCKED',
  message: 'The discussion is locked: it accepts no comments or changes',
})
