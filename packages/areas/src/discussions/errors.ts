import { defineError, slugTakenBy } from '#platform/define-error.ts'

export const slugTaken = slugTakenBy('category')
export const categoryInUse = defineError({
  code: 'CATEGORY_IN_USE',
  message: 'The category has discussions: move them first',
})
/** `reason` is the decision that stands. */
export const caseDecided = defineError({
  code: 'CASE_DECIDED',
  message: 'A moderator has decided this case differently: the first decision is final',
  cure: 'Read the case again and show its decision. `reason` is the decision that stands.',
})
/** `reason` is `appealed`, `visible`, `own` or `late`. */
export const appealRefused = defineError({
  code: 'APPEAL_REFUSED',
  message: 'The decision was appealed already: a case can be appealed once',
})
export const locked = defineError({
  code: 'DISCUSSION_LOCKED',
  message: 'The discussion is locked and accepts no comments or changes: a moderator can unlock it',
})
