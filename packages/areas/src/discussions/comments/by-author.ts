import { sql } from 'kysely'
import { deriveQuery } from '#platform/db/query.ts'
import { invalidParameters } from '#platform/errors.ts'
import { showsAny } from '#platform/http/fields.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, condition, equals, hasId, shown } from '#platform/lists/list-filters.ts'
import type { AuthorCommentQuery } from '../schema.ts'
import { closedTo } from '../threads/list.ts'
import { LONG_FIELDS, longTexts } from '../written.ts'
import { comments } from './rows.ts'

/** Whether the discussion of a comment has a property. */
const inThread = (having: ReturnType<typeof sql<boolean>>) =>
  sql<boolean>`exists (select from discussions d where d.id = t.discussion_id and ${having})`

/** @param isShort leaves the long texts unread */
const listOf = (isShort: boolean) =>
  defineList({
    label: 'comments_by_author',
    rows: ({ me }) => comments(me as string | null, { isShort }),
    key: 't.id',
    scope: { me: shown<string | null>(), author_id: hasId('t.author_id', (id) => parseId('member', id)) },
    filters: {
      status: equals<string>('t.status'),
      /** The plan of whoever may enter the categories of this plan alone; their own, where they are hidden. */
      entered_with: condition<string | null>((plan) =>
        inThread(sql`d.status = 'visible' and d.category_id not in ${closedTo(plan)}`),
      ),
      written_by: condition<string | null>((member) => sql<boolean>`t.author_id = ${member}::uuid`),
      ...between('t.created_at'),
    },
    // By the index of a member's comments, whose ids are in the order in which they were written.
    sorts: { created_at: ['t.id', 'uuid'] },
    long: longTexts({ includes: true }),
  })
const list = listOf(false)
const listWithoutTexts = listOf(true)

/** What somebody asks of the comments of a member. */
interface Listing {
  readonly viewer: Viewer
  readonly filter: AuthorCommentQuery
}

/** One page of the comments of a member that the viewer may read, the newest first. @throws ApiError 400 for an id or cursor that is none */
export const listCommentsBy = deriveQuery(({ viewer, filter }: Listing) => {
  const { status = 'visible', author_id = ownId(viewer) } = filter
  const gated = !isStaff(viewer)
  const ask = showsAny(filter.fields, LONG_FIELDS) ? list : listWithoutTexts
  return ask({
    ...filter,
    author_id,
    // Only staff may list removed posts.
    status: gated && status === 'removed' ? '' : status,
    me: viewer.memberId,
    ...(gated && { entered_with: viewer.planId }),
    ...(gated && status !== 'visible' && { written_by: viewer.memberId }),
  })
})

/** @throws ApiError 400 for a key, which is no member */
function ownId({ memberId }: Viewer): string {
  if (memberId !== null) return toId('member', memberId)
  throw invalidParameters([{ field: 'author_id', rule: 'required', message: 'is required with a key' }])
}
