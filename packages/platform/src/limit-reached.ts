import { defineError } from './define-error.ts'

/** A project has as many things of a kind as it can have (`app.limited_table`). Routes that make such things list it. */
export const limitReached = defineError({
  code: 'LIMIT_REACHED',
  message: 'This project has 500 plans: it can have no more',
})
