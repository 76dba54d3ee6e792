import { defineError } from '#platform/define-error.ts'

/** 409 for a project that cannot be restored any more. */
export const removalBegun = defineError({
  code: 'REMOVAL_BEGUN',
  status: 409,
  message: 'The removal of this project has begun: it cannot be restored any more',
})
