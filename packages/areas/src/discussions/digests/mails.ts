import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

export const discussionDigest = defineMail({
  name: 'discussion_digest',
  description:
    'There are new comments in a discussion that a member takes part in, or a mention; one an hour',
  values: Type.Object({
    title: Type.String({ description: 'Of the discussion' }),
    posts: Type.String({ description: 'How many are new, in words' }),
    news: Type.String({ description: 'The first of them, each with its author' }),
    link: Type.Optional(
      Type.String({ description: 'The discussion, where the project has said where it shows them' }),
    ),
    unsubscribe: Type.String({ description: 'Leads to the page that ends these mails' }),
  }),
  texts: {
    subject: '{{project}}: {{posts}} in “{{title}}”',
    heading: '{{title}}',
    body: '{{news}}\n\nYou get this mail because you take part in this discussion, or because somebody mentioned you.',
    action: 'Open the discussion',
  },
  example: {
    title: 'How do you plan your week?',
    posts: '2 new posts',
    news: 'Ada: Mine is the same.\n\nGrace: On Sundays.',
    link: 'https://forum.example.com/disc_01jcq3k8f7e8qtk4m3hbw7rn2f',
    unsubscribe: 'https://api.example.com/unsubscribe/…',
  },
})
