import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const formId = defineId('form', 'Form')
export const submissionId = defineId('sub', 'Submission')
