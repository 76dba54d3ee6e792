import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

export const discussionDigest = defineMail({
  name: 'discussion_digest',
  description:
    'A discussion in which a member takes part has new comments, or somebody mentioned the member; at most one mail an hour for each discussion',
  values: Type.Object({
    title: Type.String({ description: 'The title of the discussion' }),
    posts: Type.String({ description: 'The number of new posts, in words' }),
    news: Type.String({ description: 'The first new posts, each with its author' }),
    link: Type.Optional(
      Type.String({
        description: 'The address of the discussion, if the project has set where it shows discussions',
      }),
    ),
    unsubscribe: Type.String({ description: 'The address of the page that stops these mails' }),
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
