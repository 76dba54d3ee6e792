import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const mailId = defineId('mail', 'Mail')
export const suppressionId = defineId('sup', 'Suppression')
