import { defineError } from '#platform/define-error.ts'

export const notPublished = defineError({
  code: 'FORM_NOT_PUBLISHED',
  message: 'This form is not published: publish it with POST /forms/{id}/publish',
})
export const formIncomplete = defineError({
  code: 'FORM_INCOMPLETE',
  message: 'A form needs a field before it can be published, and a signup form needs settings.signup',
})
