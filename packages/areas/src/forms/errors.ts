import { defineError } from '#platform/define-error.ts'

export const notPublished = defineError({
  code: 'FORM_NOT_PUBLISHED',
  message: 'This form is not published: publish it with POST /forms/{id}/publish',
})
export const formIncomplete = defineError({
  code: 'FORM_INCOMPLETE',
  message: 'The form cannot be published: add at least one field, and add settings.signup to a signup form',
})
