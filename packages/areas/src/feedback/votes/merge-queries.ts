import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { itemColumns } from '../rows.ts'

const lock = statement('lock_feedback_tree', () =>
  query.selectNoFrom(sql`app.lock_feedback_tree(true)`.as('locked')),
)
/** From here to its end, this transaction alone gives votes of the project and changes what is merged into what. */
export const lockTree = (ctx: Context) => ctx.tx.run(lock, {})

const lockBoth = statement('lock_feedback_pair', (v: { ids: string[] }) =>
  query
    .selectFrom('feedback')
    .select(itemColumns)
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate(),
)
/** Locks items in the order of their ids, and answers those that there are. */
export const lockItems = (ctx: Context, ids: string[]) => ctx.tx.all(lockBoth, { ids })

const above = statement('feedback_above', (v: { id: string }) =>
  query.selectFrom(sql<{ id: string }>`app.feedback_upwards(${v.id}::uuid)`.as('id')).select('id'),
)
/** An item and all that it is merged into, one into the next. */
export const listAbove = (ctx: Context, id: string) =>
  ctx.tx.all(above, { id }).map((rows) => rows.map((row) => row.id))

const setTarget = statement('merge_feedback', (v: { id: string; into: string | null }) =>
  query.updateTable('feedback').set({ merged_into: v.into, updated_at: now }).where('id', '=', v.id),
)
export const setMergedInto = (ctx: Context, id: string, into: string | null) =>
  ctx.tx.run(setTarget, { id, into })

const count = statement('recount_feedback', (v: { ids: string[] }) =>
  query.selectNoFrom(sql`app.recount_feedback(${v.ids}::uuid[])`.as('counted')),
)
/** Counts the voters of items anew. */
export const recount = (ctx: Context, ids: string[]) => ctx.tx.run(count, { ids })

const release = statement('release_duplicates', (v: { id: string }) =>
  query.updateTable('feedback').set({ merged_into: null, updated_at: now }).where('merged_into', '=', v.id),
)
const leave = statement('leave_feedback_tree', (v: { id: string }) =>
  query.updateTable('feedback').set({ merged_into: null }).where('id', '=', v.id),
)
/** Takes an item out of the tree, before it goes: nothing is merged into it, nor it into anything. */
export async function releaseDuplicates(ctx: Context, id: string): Promise<void> {
  const others = (await listAbove(ctx, id)).filter((each) => each !== id)
  await ctx.tx.run(release, { id })
  await ctx.tx.run(leave, { id })
  await recount(ctx, others)
}
