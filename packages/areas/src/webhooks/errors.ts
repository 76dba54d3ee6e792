import { defineError } from '#platform/define-error.ts'

export const endpointIsDisabled = defineError({
  code: 'ENDPOINT_DISABLED',
  message: 'The endpoint is disabled: enable it first',
})
