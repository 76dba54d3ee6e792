import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

export const dataReady = defineMail({
  name: 'data_ready',
  description: 'Sent to a member who asked for their data: the archive is complete',
  values: Type.Object({ link: Type.String({ description: 'The link to the archive' }) }),
  texts: {
    subject: 'Your data from {{project}}',
    heading: 'Your data is ready',
    body: 'The archive that you asked for has all data that {{project}} stores about you. The link works for 24 hours. Everybody who has the link can read the archive.\n\nIf this was not you, set a new password and tell us.',
    action: 'Download the archive',
  },
  example: { link: 'https://s3.example.com/bucket/key?X-Amz-Signature=2b7e1516' },
})
