import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { maySee, type Visitor } from './access.ts'
import { itemColumns, type SeenRow } from './rows.ts'

export const isMergedIntoPrivate =
  sql<boolean>`coalesce((select m.visibility = 'private' from feedback m where m.id = f.merged_into), false)`.as(
    'merged_into_private',
  )

/** Whether a member’s vote counts for the item `f`, and whether what it is merged into is private. */
export const seenBy = (viewer: string | null) => [
  sql<boolean>`exists (select from feedback_votes v where v.member_id = ${viewer}::uuid
    and v.feedback_id in (select app.feedback_downwards(f.id)))`.as('voted'),
  isMergedIntoPrivate,
]

export const itemsOf = () =>
  query.selectFrom('feedback as f').select(itemColumns.map((column) => `f.${column}` as const))

const byId = statement('feedback_by_id', (v: { id: string; viewer: string | null }) =>
  itemsOf().select(seenBy(v.viewer)).where('f.id', '=', v.id),
)

/** An item that this visitor may see. @throws ApiError 404, also for one that is not for them */
export const getItem = (ctx: Context, id: string, visitor: Visitor) =>
  ctx.tx.check(byId, { id, viewer: visitor.memberId }, (row): SeenRow => {
    if (row === undefined || !maySee(visitor, row)) throw notFound('Feedback')
    return row
  })

const lock = statement('lock_feedback', (v: { id: string }) =>
  itemsOf().select('f.status').where('f.id', '=', v.id).forNoKeyUpdate(),
)
/** An item that nobody else changes until this transaction ends. @throws ApiError 404 */
export const lockItem = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Feedback')

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

const insert = statement(
  'insert_feedback',
  (v: NewItemRow) =>
    query
      .insertInto('feedback')
      .values({
        id: v.id,
        type: v.type,
        title: v.title,
        message: v.message,
        email: v.email,
        author_id: v.author_id,
        metadata: sql`${v.metadata}::jsonb`,
        visibility: v.visibility,
        status_changed_at: now,
        created_at: now,
        updated_at: now,
      })
      .returning(itemColumns),
  { feedback_author_fkey: (cause) => memberNotFound('user_id', cause) },
)
export const insertItemRow = (ctx: Context, item: NewItemRow) => ctx.tx.single(insert, item)

const again = statement('feedback_again', (v: { id: string }) => itemsOf().where('f.id', '=', v.id))
/** An item that there is, as it is by now. */
export const readItem = (ctx: Context, id: string) => ctx.tx.single(again, { id })

/** What a change may set. Metadata comes as what to merge in and which keys to drop. */
export interface ItemUpdate {
  type?: string
  title?: string | null
  message?: string
  visibility?: string
  metadata?: { set: string; drop: string[] }
}
type UpdateValues = Required<Omit<ItemUpdate, 'metadata'>> & { id: string; set: string; drop: string[] }

const SETTERS: { [C in keyof ItemUpdate]-?: (v: UpdateValues) => Record<string, unknown> } = {
  type: (v) => ({ type: v.type }),
  title: (v) => ({ title: v.title }),
  message: (v) => ({ message: v.message }),
  visibility: (v) => ({ visibility: v.visibility }),
  metadata: (v) => ({ metadata: sql`(metadata || ${v.set}::jsonb) - ${v.drop}::text[]` }),
}

const update = statements(
  'update_feedback',
  (columns: (keyof ItemUpdate)[]) => (v: UpdateValues) =>
    query
      .updateTable('feedback')
      .set(Object.assign({ updated_at: now }, ...columns.map((column) => SETTERS[column](v))))
      .where('id', '=', v.id)
      .returning(itemColumns),
)
/** Changes what is given of an item that is locked. */
export function updateItemRow(ctx: Context, id: string, changes: ItemUpdate) {
  const columns = (Object.keys(SETTERS) as (keyof ItemUpdate)[]).filter(
    (column) => changes[column] !== undefined,
  )
  const { metadata, ...others } = changes
  return ctx.tx.single(update(columns), { id, ...others, ...metadata } as UpdateValues)
}

const remove = statement('delete_feedback', (v: { id: string }) =>
  query.deleteFrom('feedback').where('id', '=', v.id),
)
/** Deletes an item that nothing is merged into any more. */
export const deleteItemRow = (ctx: Context, id: string) => ctx.tx.run(remove, { id })
