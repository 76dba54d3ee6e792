import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { notFound } from '#platform/errors.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { definePatch, metadataField } from '#platform/http/define-patch.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { maySee } from './access.ts'
import { itemColumns, toItem } from './rows.ts'
import { FeedbackChanges } from './schema.ts'

export const isMergedIntoPrivate =
  sql<boolean>`coalesce((select m.visibility = 'private' from feedback m where m.id = f.merged_into), false)`.as(
    'merged_into_private',
  )

/** Whether a member’s vote counts for the item `f`, and whether what it is merged into is private. */
export const seenBy = (member: string | null) => [
  sql<boolean>`exists (select from feedback_votes v where v.member_id = ${member}::uuid
    and v.feedback_id in (select app.feedback_downwards(f.id)))`.as('voted'),
  isMergedIntoPrivate,
]

export const itemsOf = () =>
  query.selectFrom('feedback as f').select(itemColumns.map((column) => `f.${column}` as const))

/** Who asks for an item, and of which item. */
interface Seen {
  readonly id: string
  readonly viewer: Viewer
}
const itemById = defineQuery('feedback_by_id', (v: Seen & { member: string | null }) =>
  itemsOf().select(seenBy(v.member)).where('f.id', '=', v.id),
)
  .map((row, { viewer }) => {
    if (!maySee(viewer, row)) throw notFound('Feedback')
    return toItem(row, viewer)
  })
  .one('Feedback')
/** An item as this viewer may see it. @throws ApiError 404, also for one that is not for them */
export const getItem = deriveQuery(({ id, viewer }: Seen) =>
  itemById({ id, viewer, member: viewer.memberId }),
)

/** An item that nobody else changes until this transaction ends. @throws ApiError 404 */
export const lockItem = defineQuery('lock_feedback', (v: { id: string }) =>
  itemsOf().select('f.status').where('f.id', '=', v.id).forNoKeyUpdate(),
).one('Feedback')

export interface NewItemRow {
  id: string
  type: string
  title: string | null
  message: string
  email: string | null
  author_id: string | null
  metadata: string
  visibility: string
}

export const insertItem = defineQuery(
  'insert_feedback',
  (v: NewItemRow) =>
    query
      .insertInto('feedback')
      .values({
        ...pick(v, 'id', 'type', 'title', 'message', 'email', 'author_id', 'visibility'),
        metadata: sql`${v.metadata}::jsonb`,
        status_changed_at: now,
        created_at: now,
        updated_at: now,
      })
      .returning(itemColumns),
  { feedback_author_fkey: (cause) => memberNotFound('user_id', cause) },
).single()

/** An item that there is, as it is by now. */
export const readItem = defineQuery('feedback_again', (v: { id: string }) =>
  itemsOf().where('f.id', '=', v.id),
).single()

/** Changes what is sent of an item that is locked. */
export const changeItem = definePatch('feedback', {
  body: FeedbackChanges,
  current: getItem,
  columns: ['type', 'title', 'message', 'visibility'],
  fields: { metadata: metadataField },
  also: { updated_at: now },
})

/** Deletes an item that nothing is merged into any more. */
export const removeItem = defineQuery('delete_feedback', (v: { id: string }) =>
  query.deleteFrom('feedback').where('id', '=', v.id),
)
