import { defineError } from '#platform/define-error.ts'

/** Every event is held against all of them. */
export const MOST_GOALS = 100

export const reportTooLarge = defineError({
  code: 'REPORT_TOO_LARGE',
  message:
    'This report counts too many events one by one; ask for fewer days, or without filters, properties and another zone',
})

export const goalLimit = defineError({
  code: 'GOAL_LIMIT',
  message: `A project has at most ${MOST_GOALS} goals: delete one first`,
})
