import { defineError } from '#platform/define-error.ts'

export const reportTooLarge = defineError({
  code: 'REPORT_TOO_LARGE',
  message:
    'This report would read too many events: choose a shorter range, or leave out filters, properties and `timezone`',
})
