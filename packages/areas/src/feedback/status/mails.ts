import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

export const statusChanged = defineMail({
  name: 'feedback_status_changed',
  description: 'Something that a member voted for has another status',
  values: Type.Object({
    title: Type.String({ description: 'The item that the member voted for' }),
    status: Type.String({ description: 'The status, with spaces: `in progress`' }),
    note: Type.String({ description: 'What the team says of it; may be empty' }),
    link: Type.Optional(
      Type.String({ description: 'The item, where the project has said where it shows feedback' }),
    ),
  }),
  texts: {
    subject: '“{{title}}” is {{status}}',
    heading: 'Something you voted for is {{status}}',
    body: '“{{title}}” is now {{status}}.\n\n{{note}}\n\nYou get this mail because you voted for it at {{project}}.',
    action: 'Open it',
  },
  example: {
    title: 'A dark theme',
    status: 'in progress',
    note: 'We hope to have it in March.',
    link: 'https://feedback.example.com/fb_01jcq3k8f7e8qtk4m3hbw7rn2g',
  },
})
