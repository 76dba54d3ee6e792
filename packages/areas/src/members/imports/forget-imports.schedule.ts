import { sql } from 'kysely'
import { defineQuery, together } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { removeImportFile } from './remove-import-file.job.ts'

const past = (column: 'created_at' | 'updated_at' | 'finished_at', time: string) =>
  sql<boolean>`${sql.ref(column)} < now() - ${sql.lit(time)}::interval`

/** Deletes imports that finished a week ago, and those whose file never arrived. */
export const deleteOldImports = defineQuery('delete_old_member_imports', () =>
  query
    .deleteFrom('member_imports')
    .where(
      sql<boolean>`id = any (array(select id from member_imports where ${past('finished_at', '7 days')}
        union all select id from member_imports
          where finished_at is null and state = 'receiving' and ${past('created_at', '2 hours')}))`,
    )
    .returning('id'),
)

/** Ends imports without progress for a day: their job has failed for good. */
export const failAbandonedImports = defineQuery('fail_abandoned_member_imports', () =>
  query
    .updateTable('member_imports')
    .set({ state: 'failed', finished_at: sql`now()` })
    .where('finished_at', 'is', null)
    .where('state', 'in', ['queued', 'running'])
    .where(past('updated_at', '1 day'))
    .returning('id'),
)

/** Deletes imports that are a week old, with their faulty rows, and ends imports that no job works on any more. */
export const forgetImports = defineSchedule({
  name: 'members.forget-imports',
  every: 3_600_000,
  run: (run) =>
    run.inEachProject(async (ctx) => {
      const { old, abandoned } = await together(ctx, {
        old: deleteOldImports(),
        abandoned: failAbandonedImports(),
      })
      for (const { id } of [...old, ...abandoned]) enqueue(ctx, removeImportFile, { import_id: id })
    }),
})
