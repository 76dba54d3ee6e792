import { defineError } from '#platform/define-error.ts'

export const lastOwner = defineError({
  code: 'LAST_OWNER',
  message: 'A project has at least one owner: make somebody else an owner first',
})

/** For what cannot be undone: a stolen access token alone does none of it. */
export const recentLoginRequired = defineError({
  code: 'RECENT_LOGIN_REQUIRED',
  status: 403,
  message:
    'This cannot be undone: confirm who you are with POST /console/api/confirm, or log in again, and repeat the request within 10 minutes',
})

export const inTeam = defineError({
  code: 'IN_TEAM',
  message: 'This operator is in the team already: change the role with PATCH',
})
