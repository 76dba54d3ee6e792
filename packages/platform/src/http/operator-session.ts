import { defineError } from '../define-error.ts'

/** 403, where an operator who is logged in as a member asks for what only the member may do. */
export const operatorSession = defineError({
  code: 'OPERATOR_SESSION',
  status: 403,
  message: 'An operator is logged in as this member, and only the member may do this',
  cure: 'Ask the member to do it. An operator changes members with a key or an operator token instead.',
})
