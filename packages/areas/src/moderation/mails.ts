import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

export const memberSuspendedMail = defineMail({
  name: 'member_suspended',
  description: 'A moderator has suspended the member, who can write nothing that others see until it ends',
  values: Type.Object({
    reason: Type.String({ description: 'The words of the moderator' }),
    end: Type.String({ description: '“until …”, with the time in UTC if there is one' }),
  }),
  texts: {
    subject: '{{project}}: you are suspended',
    heading: 'You are suspended',
    body: 'You cannot post, vote, like, rate, upload or change your name {{end}}. You can read, buy and learn as before.\n\nThe moderator says: {{reason}}',
  },
  example: { reason: 'Insults, after two warnings', end: 'until 2026-12-21 09:00 UTC' },
})
