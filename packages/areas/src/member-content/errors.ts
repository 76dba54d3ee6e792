import { defineError } from '#platform/define-error.ts'

export const manifestTooLarge = defineError({
  code: 'MANIFEST_TOO_LARGE',
  message:
    'The active rules of this project do not fit into a manifest of 2 MiB: name fewer plans, features and long addresses in them',
})
