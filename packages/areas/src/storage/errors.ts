import { defineError } from '#platform/define-error.ts'

export const quotaExceeded = defineError({
  code: 'QUOTA_EXCEEDED',
  message: 'The storage quota of this project is used up',
})
export const filePending = defineError({
  code: 'FILE_PENDING',
  message: 'The upload of this file is not completed yet',
})
export const uploadIncomplete = defineError({
  code: 'UPLOAD_INCOMPLETE',
  message: 'The bytes of this upload have not come yet: PUT them to its URL first',
})
export const uploadMismatch = defineError({
  code: 'UPLOAD_MISMATCH',
  message: 'The upload has fewer or more bytes than were announced: begin a new upload',
})
