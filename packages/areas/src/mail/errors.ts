import { defineError } from '#platform/define-error.ts'

/** 422, where a key asks for a copy: nobody knows to whom it goes. */
export const operatorTokenRequired = defineError({
  code: 'OPERATOR_TOKEN_REQUIRED',
  message: 'The copy goes to the operator who asks: use an operator token of the console',
})
