import { defineError } from '#platform/define-error.ts'

/** Every event is compared with all of them. */
export const MOST_GOALS = 100

export const reportTooLarge = defineError({
  code: 'REPORT_TOO_LARGE',
  message:
    'This report would read too many stored events: ask for fewer days, or without filters, properties and another time zone',
})

export const goalLimit = defineError({
  code: 'GOAL_LIMIT',
  message: `A project has at most ${MOST_GOALS} goals: delete one first`,
})
