import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const past = (column: 'created_at' | 'updated_at' | 'finished_at', time: string) =>
  sql<boolean>`${sql.ref(column)} < now() - ${sql.lit(time)}::interval`

const old = statement('delete_old_member_imports', () =>
  query
    .deleteFrom('member_imports')
    .where((is) =>
      is.or([
        past('finished_at', '7 days'),
        is.and([is('state', '=', 'receiving'), past('created_at', '2 hours')]),
      ]),
    )
    .returning('id'),
)
/** Deletes imports that finished a week ago, and those whose file never arrived. */
export const deleteOldImportRows = (ctx: Context) => ctx.tx.all(old, {})

const abandoned = statement('fail_abandoned_member_imports', () =>
  query
    .updateTable('member_imports')
    .set({ state: 'failed', finished_at: sql`now()` })
    .where('state', 'in', ['queued', 'running'])
    .where(past('updated_at', '1 day'))
    .returning('id'),
)
/** Ends imports without progress for a day: their job has failed for good. */
export const failAbandonedImports = (ctx: Context) => ctx.tx.all(abandoned, {})
