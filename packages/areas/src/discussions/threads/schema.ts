import { type Static, Type } from 'typebox'
import { includeOfPosts } from '#areas/profiles/schema.ts'
import { nullable, oneOf, strict } from '#platform/http/envelope.ts'
import { fieldsParameter } from '#platform/http/fields.ts'
import { createdParameters, rankedSortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { MAX_SEARCH } from '#platform/search/search.ts'
import { CommentId, Discussion, DiscussionViewer, STATUSES } from '../schema.ts'

export const SORTS = ['latest', 'newest', 'top', 'unanswered'] as const
export type Sort = (typeof SORTS)[number]

export const ListQuery = strict({
  ...pageParameters,
  category: Type.Optional(
    Type.String({ maxLength: 80, description: 'Only discussions in the category with this slug' }),
  ),
  author_id: Type.Optional(Type.String({ maxLength: 80, description: 'Only discussions of this member' })),
  status: Type.Optional(
    oneOf(STATUSES, {
      description:
        'Only discussions with this status. Default: `visible`. A member who is not a moderator sees own `pending` discussions and no `removed` ones',
    }),
  ),
  pinned: Type.Optional(
    Type.Boolean({ description: 'Only pinned discussions, or only those that are not pinned' }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SEARCH,
      description:
        'The words to search for in titles and texts. If no discussion has them, the answer has discussions with a similar title',
    }),
  ),
  ...createdParameters,
  ...rankedSortParameters(SORTS, {
    description:
      '`latest`: pinned discussions first, then the latest activity; `newest`: by the time of creation; `top`: by likes; `unanswered`: discussions without comments first',
  }),
  include: includeOfPosts,
  fields: fieldsParameter(Discussion),
})
export type ListQuery = Static<typeof ListQuery>

export const Pin = strict({ pinned: Type.Boolean() }, { title: 'Pin', examples: [{ pinned: true }] })
export const Lock = strict({ locked: Type.Boolean() }, { title: 'Lock', examples: [{ locked: true }] })
export const Answer = strict(
  { comment_id: nullable(CommentId) },
  { title: 'Answer', examples: [{ comment_id: 'cmt_01jcq3k8f7e8qtk4m3hbw7rn2g' }] },
)

export const Read = strict(
  {
    up_to: Type.Optional(
      Type.String({
        description:
          'The last comment that the member has read. Without it the whole discussion is marked as read. A position never moves back',
        examples: ['cmt_01jcq3k8f7e8qtk4m3hbw7rn2g'],
      }),
    ),
  },
  { title: 'ReadPosition', examples: [{}] },
)
export const ReadState = Type.Object(Type.Pick(DiscussionViewer, ['unread', 'first_unread_id']).properties, {
  title: 'ReadState',
})
