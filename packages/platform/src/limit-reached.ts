import { defineError } from './define-error.ts'

/** A project has as many things of a kind as it can have (`app.limited_table`). Routes that make such things list it. */
export const limitReached = defineError({
  code: 'LIMIT_REACHED',
  message: 'There can be at most 500 plans: remove one first',
})
