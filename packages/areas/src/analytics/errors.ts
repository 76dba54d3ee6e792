import { defineError } from '#platform/define-error.ts'

export const reportTooLarge = defineError({
  code: 'REPORT_TOO_LARGE',
  message:
    'This report would read too many stored events: ask for fewer days, or without filters, properties and another time zone',
})
