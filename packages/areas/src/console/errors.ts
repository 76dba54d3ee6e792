import { defineError } from '#platform/define-error.ts'

export const lastOwner = defineError({
  code: 'LAST_OWNER',
  message: 'A project has at least one owner: make somebody else an owner first',
})

export const inTeam = defineError({
  code: 'IN_TEAM',
  message: 'This operator is in the team already: change the role with PATCH',
})
