import { defineError } from '#platform/define-error.ts'

export const postRefused = defineError({
  code: 'POST_REFUSED',
  message: 'A moderation rule of the project refuses this post: `details` says why',
})
