import { type Static, Type } from 'typebox'
import { authorField, includeOfPosts } from '#areas/profiles/schema.ts'
import { ATTACHMENTS, attachmentsField, attachmentsInput, filesField } from '#areas/storage/schema.ts'
import { Metadata, MetadataOut, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { fieldsParameter } from '#platform/http/fields.ts'
import { includeParameter } from '#platform/http/include.ts'
import { createdParameters, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters, Truncated } from '#platform/http/page.ts'
import { MAX_SEARCH } from '#platform/search/search.ts'
import { feedbackId } from './ids.ts'

export const FEEDBACK_TYPES = ['feedback', 'bug', 'feature', 'question'] as const
/** What a team can say of an item. `duplicate` is set by merging alone. */
export const STATUSES = ['new', 'under_review', 'planned', 'in_progress', 'done', 'declined'] as const
export const SHOWN_STATUSES = [...STATUSES, 'duplicate'] as const
export const VISIBILITIES = ['public', 'private'] as const

export const FeedbackId = Type.String({
  description: 'The id of a feedback item',
  examples: ['fb_01jcq3k8f7e8qtk4m3hbw7rn2g'],
})
export const MemberId = (description: string) =>
  Type.String({ description, examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] })

const Kind = oneOf(FEEDBACK_TYPES, { description: 'The type of the item', examples: ['feature'] })
/** Characters of a title and of a message, at the most, as they are sent and as they are stored. */
export const MAX_LENGTHS = { title: 200, message: 10_000 } as const
const Title = Type.String({
  minLength: 1,
  maxLength: MAX_LENGTHS.title,
  description: 'The title. It can mention members as `message` does',
  examples: ['A dark theme'],
})
const MESSAGE = {
  description:
    'The text. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name',
  examples: ['At night the white page is hard to look at'],
}
const Message = Type.String({ minLength: 1, maxLength: MAX_LENGTHS.message, ...MESSAGE })
const Email = {
  format: 'email',
  description: 'The email address of the sender',
  examples: ['ada@example.com'],
}
const Visibility = (description: string) => oneOf(VISIBILITIES, { description, examples: ['public'] })
const Status = oneOf(SHOWN_STATUSES, {
  description: 'The status of the item; `duplicate` if it is merged into another item',
  examples: ['planned'],
})

/** Of an item or a comment that others do not see. */
export const moderationField = {
  moderation_status: Type.Optional(
    oneOf(['pending', 'removed'], {
      description:
        'Present if others do not see it. `pending`: it waits for a moderator or for the moderation hook, and its author sees it; `removed`: a moderator removed it, and only the team sees it',
      examples: ['pending'],
    }),
  ),
}

/** As the API answers it where it is sent in. */
export const Feedback = Type.Object(
  {
    id: FeedbackId,
    type: Kind,
    message: Message,
    email: Type.Optional(Type.String(Email)),
    status: Status,
    ...moderationField,
    created_at: Timestamp(),
    title: Type.Optional({ ...Title, description: 'Present with `include=title`, if the item has a title' }),
    ...filesField,
  },
  { title: 'Feedback' },
)
export type Feedback = Static<typeof Feedback>

export const CreationQuery = strict({ include: includeParameter(['title', ATTACHMENTS]) })

const itemProperties = {
  id: FeedbackId,
  type: Kind,
  title: Type.Optional(Title),
  // Empty in lists for whoever has muted the sender.
  message: Type.String(MESSAGE),
  email: Type.Optional(
    Type.String({ ...Email, description: 'The email address of the sender; only for secret keys' }),
  ),
  user_id: Type.Optional(MemberId('The member who sent the item; only for secret keys and moderators')),
  metadata: Type.Optional({ ...MetadataOut, description: 'Free-form data; only for secret keys' }),
  visibility: Visibility('Only secret keys, moderators and the sender see a private item'),
  ...moderationField,
  status: Status,
  status_note: nullable(
    Type.String({
      description: 'The note that was written with the present status',
      examples: ['It comes in March'],
    }),
  ),
  merged_into: nullable(FeedbackId),
  vote_count: Type.Integer({
    description:
      'The number of members who voted for the item or for an item that is merged into it; each member counts once',
    examples: [12],
  }),
  ...attachmentsField,
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

/** As everything else answers it. */
export const FeedbackItem = Type.Object(
  {
    ...itemProperties,
    excerpt: Type.String({
      description: 'The beginning of `message`: at most 300 characters',
      examples: ['At night the white page is hard to look at'],
    }),
    truncated: Truncated,
    viewer: Type.Optional(
      Type.Object(
        {
          voted: Type.Boolean({
            description: 'True if the vote of this member is counted for the item',
            examples: [true],
          }),
          muted: Type.Optional(
            Type.Boolean({
              description: 'In lists: true if the member has muted the sender; the message is left out then',
              examples: [false],
            }),
          ),
        },
        { description: 'The item, as the member of the token relates to it' },
      ),
    ),
    ...authorField,
    ...filesField,
  },
  { title: 'FeedbackItem' },
)
export type FeedbackItem = Static<typeof FeedbackItem>

const { email: _email, ...announced } = itemProperties
/** What events say about an item. No address: of one that is no member’s, nobody could have it erased from the log. */
export const FeedbackData = Type.Object(announced, { title: 'FeedbackData' })
export type FeedbackData = Static<typeof FeedbackData>

export const NewFeedback = strict(
  {
    type: Kind,
    message: Message,
    title: Type.Optional(Title),
    email: Type.Optional(Type.String(Email)),
    user_id: Type.Optional(MemberId('The member who sends the item')),
    visibility: Type.Optional(Visibility('Default: `private` for a bug, `public` for everything else')),
    metadata: Type.Optional(Metadata()),
    ...attachmentsInput,
  },
  {
    title: 'NewFeedback',
    examples: [
      { type: 'feature', title: 'A dark theme', message: 'At night the white page is hard to look at' },
    ],
  },
)
export type NewFeedback = Static<typeof NewFeedback>

export const FeedbackChanges = strict(
  {
    type: Type.Optional(Kind),
    title: Type.Optional(nullable(Title)),
    message: Type.Optional(Message),
    visibility: Type.Optional(Visibility('Only secret keys, moderators and the sender see a private item')),
    metadata: Type.Optional(
      Metadata({
        description: 'These keys are added or replaced; a key set to null is removed; other keys are kept',
      }),
    ),
    ...attachmentsInput,
  },
  { title: 'FeedbackChanges', examples: [{ title: 'A dark theme for the night' }] },
)
export type FeedbackChanges = Static<typeof FeedbackChanges>

export const ById = strict({ id: pathId(feedbackId, FeedbackId) })
/** The query of answers that can have authors and files. */
export const WithIncludes = strict({ include: includeOfPosts })

export const Search = Type.String({
  minLength: 1,
  maxLength: MAX_SEARCH,
  examples: ['dark theme'],
  description:
    'The words to search for in titles and messages. The answer also has items with a similar title',
})

export const ListQuery = strict({
  ...pageParameters,
  type: Type.Optional(oneOf(FEEDBACK_TYPES, { description: 'Only items of this type' })),
  status: Type.Optional(
    oneOf(SHOWN_STATUSES, {
      description: 'Only items with this status. Default: all items except duplicates',
    }),
  ),
  visibility: Type.Optional(
    oneOf(VISIBILITIES, {
      description: 'Only items of this visibility; members and public keys see public items only',
    }),
  ),
  user_id: Type.Optional(MemberId('Only items of this member; only for secret keys and moderators')),
  search: Type.Optional(Search),
  ...createdParameters,
  ...sortParameters(['top', 'new'], {
    description: '`top`: by votes; `new`: by the time of creation',
  }),
  include: includeOfPosts,
  fields: fieldsParameter(FeedbackItem),
})
export type ListQuery = Static<typeof ListQuery>
