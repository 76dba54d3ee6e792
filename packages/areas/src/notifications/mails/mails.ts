import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

export const notificationDigest = defineMail({
  name: 'notification_digest',
  description:
    'New notifications that a member wants by mail: replies, mentions, news of feedback and others. One mail has all of them, and a member gets at most one mail an hour',
  values: Type.Object({
    summary: Type.String({ description: 'The only notification, or how many there are' }),
    news: Type.String({ description: 'The notifications, each with its address if it has one' }),
    link: Type.Optional(Type.String({ description: 'The address of the only notification' })),
    unsubscribe: Type.String({ description: 'The address of the page that stops these mails' }),
  }),
  texts: {
    subject: '{{project}}: {{summary}}',
    heading: 'News from {{project}}',
    body: '{{news}}\n\nYou get this mail because your preferences say so.',
    action: 'Open',
  },
  example: {
    summary: '2 notifications',
    news: 'Ada replied in “Plans”: On Sundays.\nhttps://forum.example.com/d/disc_01jcq3k8f7e8qtk4m3hbw7rn2f\n\nGrace mentioned you in “Tools”: What do you use?',
    unsubscribe: 'https://api.example.com/unsubscribe/notifications/…',
  },
})
