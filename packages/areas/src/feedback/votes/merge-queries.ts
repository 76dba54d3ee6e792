import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { itemColumns } from '../rows.ts'

/** From here to its end, this transaction alone gives votes of the project and changes what is merged into what. */
export const lockTree = defineQuery('lock_feedback_tree', () => sql`select app.lock_feedback_tree(true)`)

/** Locks items in the order of their ids, and answers those that there are. */
export const lockItems = defineQuery('lock_feedback_pair', (v: { ids: string[] }) =>
  query
    .selectFrom('feedback')
    .select(itemColumns)
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
)

/** An item and all that it is merged into, one into the next. */
export const listAbove = defineQuery('feedback_above', (v: { id: string }) =>
  query.selectFrom(sql<{ id: string }>`app.feedback_upwards(${v.id}::uuid)`.as('id')).select('id'),
).map(({ id }) => id)

export const setMergedInto = defineQuery('merge_feedback', (v: { id: string; merged_into: string | null }) =>
  query
    .updateTable('feedback')
    .set({ ...pick(v, 'merged_into'), updated_at: now })
    .where('id', '=', v.id),
)

/** Counts the voters of items anew. */
export const recount = defineQuery(
  'recount_feedback',
  (v: { ids: string[] }) => sql`select app.recount_feedback(${v.ids}::uuid[])`,
)

const release = defineQuery('release_duplicates', (v: { id: string }) =>
  query.updateTable('feedback').set({ merged_into: null, updated_at: now }).where('merged_into', '=', v.id),
)
const leave = defineQuery('leave_feedback_tree', (v: { id: string }) =>
  query.updateTable('feedback').set({ merged_into: null }).where('id', '=', v.id),
)
/** Takes an item out of the tree, before it goes: nothing is merged into it, nor it into anything. */
export async function releaseDuplicates(ctx: Context, id: string): Promise<void> {
  const others = (await listAbove(ctx, { id })).filter((each) => each !== id)
  release(ctx, { id })
  leave(ctx, { id })
  recount(ctx, { ids: others })
}
