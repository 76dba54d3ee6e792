import { type Static, Type } from 'typebox'
import { authorField, includeAuthor, includeOfPosts } from '#areas/profiles/schema.ts'
import { attachmentsField, attachmentsInput, filesField } from '#areas/storage/schema.ts'
import { filledText, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { fieldsParameter } from '#platform/http/fields.ts'
import { createdParameters, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters, Truncated } from '#platform/http/page.ts'
import { MAX_MARKDOWN } from '#platform/markdown/markdown.ts'
import { commentId, discussionId } from './ids.ts'

export const STATUSES = ['visible', 'pending', 'removed'] as const

export const DiscussionId = Type.String({
  description: 'The id of a discussion',
  examples: ['disc_01jcq3k8f7e8qtk4m3hbw7rn2f'],
})
export const CommentId = Type.String({
  description: 'The id of a comment',
  examples: ['cmt_01jcq3k8f7e8qtk4m3hbw7rn2g'],
})
const MemberId = Type.String({
  description: 'The id of a member',
  examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})

/** Characters that end a line, or turn the direction of what follows, make no title. */
export const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f\\u2028-\\u202e\\u2066-\\u2069]*$',
  examples: ['How do you plan your week?'],
})
const content = {
  maxLength: MAX_MARKDOWN,
  description:
    'The text in Markdown. `[@Name](mem_…)` mentions a member, at most 100 times. It is stored without the name; answers have the present display name',
  examples: ['I write **three** goals on Monday. And you?'],
}
const Content = Type.String({ minLength: 1, ...content })
const ShownContent = Type.String(content)
const ContentHtml = Type.String({
  description: 'The content as HTML that is safe to show in any page',
  examples: ['<p>I write <strong>three</strong> goals on Monday. And you?</p>\n'],
})
const Category = Type.String({ description: 'The slug of a category', examples: ['general'] })
const Excerpt = Type.String({
  description: 'The beginning of the text, without its format: at most 300 characters',
  examples: ['I write three goals on Monday. And you?'],
})
const Likes = Type.Integer({ minimum: 0, examples: [0] })
const AuthorId = Type.Optional(
  Type.String({
    description:
      'The member who writes. Required with a secret key. With a token it must be the member of the token',
    examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
  }),
)

const CategoryCreated = Type.Optional(
  Type.Literal(true, {
    description: 'Only if this request created the category, because no category had the sent name',
    examples: [true],
  }),
)

/** What a post says that was just written, if everybody else sees it only later. */
const PendingStatus = Type.Optional(
  Type.Literal('pending', { description: 'Only if the post waits for a moderator', examples: ['pending'] }),
)

const started = {
  id: DiscussionId,
  title: Title,
  content: Content,
  author_id: MemberId,
  category: Category,
  likes: Likes,
  created_at: Timestamp(),
}

/** A discussion as the endpoint that starts it answers. */
export const StartedDiscussion = Type.Object(
  {
    ...{ ...started, status: PendingStatus, category_created: CategoryCreated },
    ...{ ...authorField, ...filesField },
  },
  { title: 'StartedDiscussion' },
)
export type StartedDiscussion = Static<typeof StartedDiscussion>

const Muted = Type.Boolean({
  description: 'True if the member has muted the author; lists then leave out the content',
  examples: [false],
})

export const DiscussionViewer = Type.Object(
  {
    liked: Type.Boolean(),
    subscribed: Type.Boolean({ description: 'True if the member gets mails about new comments' }),
    unread: Type.Boolean({
      description: 'True if there are new comments since the member last read the discussion',
    }),
    first_unread_id: nullable({
      ...CommentId,
      description:
        'The first comment that the member has not read; null if there is none. `around` lists the page that it is on',
    }),
    muted: Muted,
  },
  { title: 'DiscussionViewer', description: 'The discussion, as the member of the token relates to it' },
)

export const Discussion = Type.Object(
  {
    ...started,
    // Empty in lists for whoever has muted the author.
    content: ShownContent,
    content_html: ContentHtml,
    excerpt: Excerpt,
    comment_count: Type.Integer({ minimum: 0, description: 'The number of visible comments', examples: [3] }),
    last_activity_at: Timestamp({
      description: 'The time of the newest comment, or of the creation of the discussion',
    }),
    is_pinned: Type.Boolean({ examples: [false] }),
    is_locked: Type.Boolean({ description: 'True if new comments are refused', examples: [false] }),
    status: oneOf(STATUSES, {
      description: '`pending` means that the discussion waits for a moderator',
      examples: ['visible'],
    }),
    answer_id: nullable(CommentId),
    ...attachmentsField,
    updated_at: Timestamp(),
    edited_at: nullable(Timestamp()),
    truncated: Truncated,
    viewer: Type.Optional(DiscussionViewer),
    ...authorField,
    ...filesField,
  },
  { title: 'Discussion' },
)
export type Discussion = Static<typeof Discussion>

const { author: _author, files: _files, ...discussionFields } = Discussion.properties
/** What events say about a discussion: of members, ids alone. */
export const DiscussionData = Type.Object(discussionFields, { title: 'DiscussionData' })

/** A discussion as the endpoint that changes it answers. */
export const ChangedDiscussion = Type.Object(
  { ...Discussion.properties, category_created: CategoryCreated },
  { title: 'ChangedDiscussion' },
)

export const NewDiscussion = strict(
  {
    title: Title,
    content: Content,
    author_id: AuthorId,
    category: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'The slug of a category. With a secret key, a category that does not exist is created',
      examples: ['general'],
    }),
    ...attachmentsInput,
  },
  { title: 'NewDiscussion' },
)
export type NewDiscussion = Static<typeof NewDiscussion>

export const DiscussionChanges = strict(
  {
    title: Type.Optional(Title),
    content: Type.Optional(Content),
    category: Type.Optional(NewDiscussion.properties.category),
    ...attachmentsInput,
  },
  { title: 'DiscussionChanges', examples: [{ title: 'How do you plan your month?' }] },
)
export type DiscussionChanges = Static<typeof DiscussionChanges>

/** A comment as the endpoint that writes it answers. */
export const WrittenComment = Type.Object(
  {
    id: CommentId,
    discussion_id: DiscussionId,
    content: Content,
    author_id: MemberId,
    created_at: Timestamp(),
    status: PendingStatus,
    ...authorField,
    ...filesField,
  },
  { title: 'WrittenComment' },
)
export type WrittenComment = Static<typeof WrittenComment>

const commentFields = {
  id: CommentId,
  discussion_id: DiscussionId,
  parent_id: nullable(CommentId),
  content: Type.String({
    description: 'Empty if the comment was removed, or is hidden from the reader',
    examples: ['Mine is the same.'],
  }),
  content_html: ContentHtml,
  excerpt: Excerpt,
  author_id: nullable(MemberId),
  status: oneOf(STATUSES, {
    description:
      'A removed comment stays at its place without its content. A hidden comment with replies stays in the same way. A comment that a moderator refused stays only for its author and for moderators',
    examples: ['visible'],
  }),
  likes: Likes,
  reply_count: Type.Integer({
    minimum: 0,
    description: 'The number of replies that everybody sees',
    examples: [0],
  }),
  ...attachmentsField,
  created_at: Timestamp({
    description: 'When the comment was written. If it waited for a moderator: when the moderator approved it',
  }),
  updated_at: Timestamp(),
  edited_at: nullable(Timestamp()),
  truncated: Truncated,
  viewer: Type.Optional(
    Type.Object(
      { liked: Type.Boolean(), muted: Muted },
      { title: 'CommentViewer', description: 'The comment, as the member of the token relates to it' },
    ),
  ),
}
/** What events say about a comment: of members, ids alone. */
export const CommentData = Type.Object(commentFields, { title: 'CommentData' })
export const Comment = Type.Object({ ...commentFields, ...authorField, ...filesField }, { title: 'Comment' })
export type Comment = Static<typeof Comment>

export const CommentWithReplies = Type.Object(
  {
    ...Comment.properties,
    replies: Type.Array(Comment, {
      description:
        'The first replies, the oldest first, down to the level `depth`; each names its `parent_id`. If the `reply_count` of a comment is greater than the number of replies here, `parent_id` lists all of them. Empty with `view=flat`',
    }),
  },
  { title: 'CommentWithReplies' },
)
export type CommentWithReplies = Static<typeof CommentWithReplies>

export const NewComment = strict(
  {
    content: Content,
    author_id: AuthorId,
    parent_id: Type.Optional(
      Type.String({
        description: 'The comment of this discussion to which this is a reply',
        examples: ['cmt_01jcq3k8f7e8qtk4m3hbw7rn2g'],
      }),
    ),
    ...attachmentsInput,
  },
  {
    title: 'NewComment',
    examples: [{ content: 'Mine is the same.', author_id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d' }],
  },
)
export type NewComment = Static<typeof NewComment>

export const CommentChanges = strict(
  { content: Type.Optional(Content), ...attachmentsInput },
  { title: 'CommentChanges', examples: [{ content: 'Mine is the same, on Sundays.' }] },
)
export type CommentChanges = Static<typeof CommentChanges>

export const VIEWS = ['tree', 'flat'] as const
export const COMMENT_SORTS = ['oldest', 'newest', 'top'] as const

export const CommentQuery = strict({
  ...pageParameters,
  parent_id: Type.Optional(
    Type.String({ maxLength: 80, description: 'Lists the replies of this comment, not the upper level' }),
  ),
  view: Type.Optional(
    oneOf(VIEWS, {
      description:
        '`tree`: comments of the upper level with their replies (default); `flat`: comments of all levels one after the other',
    }),
  ),
  sort: Type.Optional(
    oneOf(COMMENT_SORTS, {
      description:
        'The order of the comments. Replies in a tree are always sorted oldest first. `top`: most likes first. Default: `oldest`',
    }),
  ),
  around: Type.Optional(
    Type.String({
      maxLength: 80,
      examples: ['cmt_01jcq3k8f7e8qtk4m3hbw7rn2g'],
      description:
        'Lists the page on which this comment is, with the comments that it replies to. Not together with `page` or `cursor`; 404 if the reader cannot see the comment',
    }),
  ),
  depth: Type.Integer({
    minimum: 1,
    maximum: 5,
    default: 2,
    description: 'How many levels of a tree are shown; 1 is the upper level alone',
  }),
  include: includeOfPosts,
  fields: fieldsParameter(CommentWithReplies),
})
export type CommentQuery = Static<typeof CommentQuery>

export const AuthorCommentQuery = strict({
  ...pageParameters,
  author_id: Type.Optional(
    Type.String({
      maxLength: 80,
      description:
        'The member who wrote the comments. Required with a key; default with a token: the member of the token',
    }),
  ),
  status: Type.Optional(
    oneOf(STATUSES, {
      description:
        'Only comments with this status. Default: `visible`. A member who is not a moderator sees own `pending` comments and no `removed` ones',
    }),
  ),
  ...createdParameters,
  ...sortParameters(['created_at'], { description: 'Imported comments are in the order of their import' }),
  include: includeOfPosts,
  fields: fieldsParameter(Comment),
})
export type AuthorCommentQuery = Static<typeof AuthorCommentQuery>

export const Revision = Type.Object(
  {
    id: Type.String({ examples: ['rev_01jcq3k8f7e8qtk4m3hbw7rn2k'] }),
    author_id: MemberId,
    replaced_by: nullable(
      Type.String({
        description: 'The id of the member or key that changed the post',
        examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
    title: nullable(Title),
    content: Content,
    created_at: Timestamp({ description: 'When this version was replaced' }),
    truncated: Truncated,
    ...authorField,
  },
  { title: 'PostRevision', description: 'An earlier version of a post' },
)
export type Revision = Static<typeof Revision>

/** The query of answers that can have authors and files. */
export const WithIncludes = strict({ include: includeOfPosts })
export const RevisionQuery = strict({ ...pageParameters, include: includeAuthor })

/** Of a removal. */
export const RemovalQuery = strict({
  reason: Type.Optional(
    filledText({
      maxLength: 500,
      description: 'Why, for the audit log',
      examples: ['Advertising'],
    }),
  ),
})

export const ByDiscussion = strict({ id: pathId(discussionId, DiscussionId) })
export const ByComment = strict({ id: pathId(commentId, CommentId) })

export const Liked = Type.Object(
  { liked: Type.Boolean({ examples: [true] }), likes: Likes },
  { title: 'Liked' },
)
