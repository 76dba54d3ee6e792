import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

export const statusChanged = defineMail({
  name: 'feedback_status_changed',
  description: 'The status of an item changed for which a member voted',
  values: Type.Object({
    title: Type.String({ description: 'The title of the item' }),
    status: Type.String({ description: 'The status, with spaces: `in progress`' }),
    note: Type.String({ description: 'The note of the team; may be empty' }),
    link: Type.Optional(
      Type.String({ description: 'The address of the item, if the project has set where it shows feedback' }),
    ),
    unsubscribe: Type.String({ description: 'The address of the page that stops these mails' }),
  }),
  texts: {
    subject: '“{{title}}” is {{status}}',
    heading: 'An item for which you voted is {{status}}',
    body: '“{{title}}” is now {{status}}.\n\n{{note}}\n\nYou get this mail because you voted for this item at {{project}}.',
    action: 'Open the item',
  },
  example: {
    title: 'A dark theme',
    status: 'in progress',
    note: 'We hope to have it in March.',
    link: 'https://feedback.example.com/fb_01jcq3k8f7e8qtk4m3hbw7rn2g',
    unsubscribe: 'https://api.example.com/unsubscribe/feedback/…',
  },
})
