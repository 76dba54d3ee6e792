import { type Static, Type } from 'typebox'
import { MAX_SEARCH } from '#platform/db/search/search.ts'
import { nullable, oneOf, strict } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { CommentId, STATUSES } from '../schema.ts'

export const SORTS = ['latest', 'newest', 'top', 'unanswered'] as const
export type Sort = (typeof SORTS)[number]

export const ListQuery = strict({
  ...pageParameters,
  category: Type.Optional(Type.String({ maxLength: 80, description: 'In the category with this slug' })),
  author_id: Type.Optional(Type.String({ maxLength: 80, description: 'Started by this member' })),
  status: Type.Optional(
    oneOf(STATUSES, {
      description:
        'With this status; `visible` unless told otherwise. Members see of `pending` what is their own, and of `removed` nothing, unless they moderate',
    }),
  ),
  pinned: Type.Optional(Type.Boolean({ description: 'Those that are pinned, or those that are not' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_SEARCH,
      description: 'Words of the title and the text; titles that are spelled alike where nothing has them',
    }),
  ),
  sort: Type.Optional(
    oneOf(SORTS, {
      description:
        '`latest`: pinned ones, then by activity, which is the default. `top`: by likes. `unanswered`: those without comments first. A search without it is in the order of fit',
    }),
  ),
})
export type ListQuery = Static<typeof ListQuery>

export const Pin = strict({ pinned: Type.Boolean() }, { title: 'Pin', examples: [{ pinned: true }] })
export const Lock = strict({ locked: Type.Boolean() }, { title: 'Lock', examples: [{ locked: true }] })
export const Answer = strict(
  { comment_id: nullable(CommentId) },
  { title: 'Answer', examples: [{ comment_id: 'cmt_01jcq3k8f7e8qtk4m3hbw7rn2g' }] },
)
