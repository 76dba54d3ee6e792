import { defineError } from '#platform/define-error.ts'

export const postRefused = defineError({
  code: 'POST_REFUSED',
  message: 'A moderation rule of the project refuses this post: `details` says why',
  cure: 'Show `details` to the writer, who can change the text and send it again.',
})
