import { defineError, type ErrorType } from './define-error.ts'

/** 422. Constraints on slugs are translated to it. @param thing what has the slug: "plan" */
export const slugTakenBy = (thing: string): ErrorType =>
  defineError({
    code: 'SLUG_TAKEN',
    message: `Another ${thing} has this slug: choose another slug`,
    details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
  })
