import { type Static, Type } from 'typebox'
import { MAX_SEARCH } from '#platform/db/search/search.ts'
import { Metadata, MetadataOut, nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'

export const FEEDBACK_TYPES = ['feedback', 'bug', 'feature', 'question'] as const
/** What a team can say of an item. `duplicate` is said by merging alone. */
export const STATUSES = ['new', 'under_review', 'planned', 'in_progress', 'done', 'declined'] as const
export const SHOWN_STATUSES = [...STATUSES, 'duplicate'] as const
export const VISIBILITIES = ['public', 'private'] as const

export const FeedbackId = Type.String({
  description: 'The id of a feedback item',
  examples: ['fb_01jcq3k8f7e8qtk4m3hbw7rn2g'],
})
export const MemberId = (description: string) =>
  Type.String({ description, examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] })

const Kind = oneOf(FEEDBACK_TYPES, { description: 'What it is', examples: ['feature'] })
const Title = Type.String({ minLength: 1, maxLength: 200, examples: ['A dark theme'] })
const Message = Type.String({
  minLength: 1,
  maxLength: 10_000,
  examples: ['At night the white page is hard to look at'],
})
const Email = {
  format: 'email',
  description: 'Where the sender can be reached',
  examples: ['ada@example.com'],
}
const Visibility = (description: string) => oneOf(VISIBILITIES, { description, examples: ['public'] })
const Status = oneOf(SHOWN_STATUSES, {
  description: 'Where it stands; `duplicate` where it is merged into another item',
  examples: ['planned'],
})

/** As the API answers it where it is sent in. */
export const Feedback = Type.Object(
  {
    id: FeedbackId,
    type: Kind,
    message: Message,
    email: Type.Optional(Type.String(Email)),
    status: Status,
    created_at: Timestamp(),
  },
  { title: 'Feedback' },
)
export type Feedback = Static<typeof Feedback>

const itemProperties = {
  id: FeedbackId,
  type: Kind,
  title: Type.Optional(Title),
  message: Message,
  email: Type.Optional(
    Type.String({ ...Email, description: 'Where the sender can be reached; for keys alone' }),
  ),
  user_id: Type.Optional(MemberId('The member who sent it; for keys and moderators alone')),
  metadata: Type.Optional({ ...MetadataOut, description: 'Free-form data; for keys alone' }),
  visibility: Visibility('Private items are for the team alone'),
  status: Status,
  status_note: nullable(
    Type.String({ description: 'What was said with its present status', examples: ['It comes in March'] }),
  ),
  merged_into: nullable(FeedbackId),
  vote_count: Type.Integer({
    description: 'Members who voted for it, or for anything merged into it; each counts once',
    examples: [12],
  }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}

/** As everything else answers it. */
export const FeedbackItem = Type.Object(
  {
    ...itemProperties,
    viewer: Type.Optional(
      Type.Object(
        {
          voted: Type.Boolean({
            description: 'Whether this member’s vote is counted for it',
            examples: [true],
          }),
        },
        { description: 'What it is to the member whose token this is' },
      ),
    ),
  },
  { title: 'FeedbackItem' },
)
export type FeedbackItem = Static<typeof FeedbackItem>

const { email: _email, ...announced } = itemProperties
/** What events tell of an item. No address: of one that is no member’s, nobody could have it erased from the log. */
export const FeedbackData = Type.Object(announced, { title: 'FeedbackData' })
export type FeedbackData = Static<typeof FeedbackData>

export const NewFeedback = strict(
  {
    type: Kind,
    message: Message,
    title: Type.Optional(Title),
    email: Type.Optional(Type.String(Email)),
    user_id: Type.Optional(MemberId('The member who sends it')),
    visibility: Type.Optional(Visibility('Bugs are private, and all else public, unless told otherwise')),
    metadata: Type.Optional(Metadata()),
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
    visibility: Type.Optional(Visibility('Private items are for the team alone')),
    metadata: Type.Optional(
      Metadata({ description: 'Merged into what is there; a key set to null is removed' }),
    ),
  },
  { title: 'FeedbackChanges', examples: [{ title: 'A dark theme for the night' }] },
)
export type FeedbackChanges = Static<typeof FeedbackChanges>

export const ById = strict({ id: FeedbackId })

export const Search = Type.String({
  minLength: 1,
  maxLength: MAX_SEARCH,
  examples: ['dark theme'],
  description: 'Words that all stand in the title or the message, or a title that is spelled alike',
})

export const ListQuery = strict({
  ...pageParameters,
  type: Type.Optional(oneOf(FEEDBACK_TYPES, { description: 'Items of this type only' })),
  status: Type.Optional(
    oneOf(SHOWN_STATUSES, {
      description: 'Items of this status only; without it, all but duplicates',
    }),
  ),
  visibility: Type.Optional(
    oneOf(VISIBILITIES, {
      description: 'Items of this visibility only; members and public keys see public ones',
    }),
  ),
  search: Type.Optional(Search),
  sort: oneOf(['top', 'new'], {
    default: 'top',
    description: '`top`: most votes first, then the newest; `new`: the newest first',
  }),
})
export type ListQuery = Static<typeof ListQuery>
