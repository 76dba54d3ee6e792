import { defineError } from './define-error.ts'

/** A project has as many things of a kind as it can have (`app.limited_table`). Routes that make such things list it. */
export const limitReached = defineError({
  code: 'LIMIT_REACHED',
  message: 'There are 500 plans: there can be no more',
})
