import { defineError } from '#platform/define-error.ts'

export const quotaExceeded = defineError({
  code: 'QUOTA_EXCEEDED',
  message: 'The storage quota of this project is used up: delete files first',
})
export const filePending = defineError({
  code: 'FILE_PENDING',
  message: 'The upload of this file is not complete yet: complete it first',
})
export const uploadIncomplete = defineError({
  code: 'UPLOAD_INCOMPLETE',
  message: 'The bytes of this upload have not arrived: PUT them to the upload URL first',
})
export const uploadMismatch = defineError({
  code: 'UPLOAD_MISMATCH',
  message: 'The upload has another size than announced: start a new upload',
})
export const linkEnded = defineError({
  code: 'LINK_ENDED',
  status: 403,
  message:
    'This link is incomplete or has expired: get a new link from the page that showed it, or export the data again',
})
