import { defineError } from '#platform/define-error.ts'

export const notPublished = defineError({
  code: 'FORM_NOT_PUBLISHED',
  message: 'This form is not published: publish it with POST /forms/{id}/publish',
})
export const formIncomplete = defineError({
  code: 'FORM_INCOMPLETE',
  message:
    'The form cannot be published: it needs at least one field, and a signup form needs settings.signup',
})
