import { type Static, Type } from 'typebox'
import { Author } from '#areas/profiles/schema.ts'
import { nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { KIND_NAMES, TARGETS } from './kinds.ts'

const NotificationId = Type.String({
  description: 'The id of a notification',
  examples: ['ntf_01jcq3k8f7e8qtk4m3hbw7rn3j'],
})
const Url = Type.String({
  description:
    'The address of the page or of the message. Null if the project has not set the addresses of such pages',
  examples: ['https://forum.example.com/disc_01jcq3k8f7e8qtk4m3hbw7rn2f'],
})

/** A member who did something, as other answers show an author. */
const Actor = Author

export const Notification = Type.Object(
  {
    id: NotificationId,
    kind: oneOf(KIND_NAMES, { description: 'The kind of the notification', examples: ['reply'] }),
    actors: Type.Array(Actor, {
      maxItems: 3,
      description: 'At most three members who did it, the last one first. Empty if no member did it',
    }),
    count: Type.Integer({
      minimum: 0,
      description: 'The number of members who did it. Only likes of the same post are counted together',
      examples: [1],
    }),
    target: Type.Object(
      {
        type: oneOf(TARGETS, {
          description: 'The thing that the notification is about. For a comment on feedback it is the item',
          examples: ['comment'],
        }),
        id: Type.String({ description: 'Its id', examples: ['cmt_01jcq3k8f7e8qtk4m3hbw7rn2g'] }),
        title: nullable(
          Type.String({
            description: 'The title. A comment has the title of its discussion, and an order has its number',
            examples: ['How do you plan your week?'],
          }),
        ),
        url: Type.Optional(Url),
      },
      { title: 'NotificationTarget' },
    ),
    text: Type.String({
      description: 'One line of plain text that says what happened',
      examples: ['Ada replied in “How do you plan your week?”: On Sundays.'],
    }),
    created_at: Timestamp(),
    read_at: nullable(Timestamp({ description: 'Null until the member reads it' })),
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>

export const ListQuery = strict({
  ...pageParameters,
  unread: Type.Optional(Type.Boolean({ description: 'Only unread ones, or only those that were read' })),
})

export const UnreadCount = Type.Object(
  {
    count: Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'How many notifications the member has not read; counting stops at 1,000',
      examples: [3],
    }),
  },
  { title: 'UnreadCount' },
)

export const ReadRequest = strict(
  {
    ids: Type.Optional(
      Type.Array(NotificationId, {
        minItems: 1,
        maxItems: 100,
        description: 'These notifications. Ids that are not of this member change nothing',
      }),
    ),
    before: Type.Optional(
      Timestamp({
        description: 'All notifications up to this time. Send the `created_at` of the newest one',
      }),
    ),
  },
  { title: 'ReadNotifications', needsOneOf: true, examples: [{ ids: ['ntf_01jcq3k8f7e8qtk4m3hbw7rn3j'] }] },
)

/** One line of text, without control characters. */
const Text = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern:
    '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*\\S[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  description: 'The text that members read: one line of plain text',
  examples: ['The new course is open'],
})
const MessageId = Type.String({
  description: 'The id of the message',
  examples: ['nmsg_01jcq3k8f7e8qtk4m3hbw7rn3k'],
})

export const NewMessage = strict(
  {
    text: Text,
    url: Type.Optional(
      Type.String({
        maxLength: 2000,
        pattern: '^https?://\\S+$',
        description: 'The notification leads to this http or https address',
        examples: ['https://example.com/courses'],
      }),
    ),
    member_ids: Type.Optional(
      Type.Array(MemberId, { minItems: 1, maxItems: 500, description: 'These members get the message' }),
    ),
    plan_id: Type.Optional(
      Type.String({
        description: 'Every active member with this plan gets the message',
        examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'],
      }),
    ),
  },
  {
    title: 'NewNotificationMessage',
    examples: [{ text: 'The new course is open', member_ids: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] }],
  },
)
export type NewMessage = Static<typeof NewMessage>

export const Message = Type.Object(
  { id: MessageId, text: Text, url: nullable(Url), created_at: Timestamp() },
  { title: 'NotificationMessage' },
)
export type Message = Static<typeof Message>
