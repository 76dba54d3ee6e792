import { defineError } from '#platform/define-error.ts'

export const emailTaken = defineError({
  code: 'EMAIL_TAKEN',
  message: 'Another member has this email address: send another address, or use that member',
  details: [{ field: 'email', rule: 'unique', message: 'is taken' }],
})
