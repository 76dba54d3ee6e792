import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { exportId } from './ids.ts'
import { expireNow } from './queries.ts'
import { removeExportObjects } from './remove-objects.job.ts'
import { failExport } from './service.ts'

const exportsAbout = defineQuery('exports_about_members', (v: { memberIds: readonly string[] }) =>
  query
    .selectFrom('exports')
    .select('id')
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .where('status', 'in', ['queued', 'running', 'completed']),
)

/** Archives that were made of members' data: copies of it, which go with it. */
export const memberData = [
  personalData({
    table: 'exports',
    member: 'member_id',
    columns: ['id', 'kind', 'status', 'created_at', 'completed_at', 'expires_at'],
    ids: { id: exportId },
    erase: async (ctx, { memberIds }) => {
      for (const { id } of await exportsAbout(ctx, { memberIds })) {
        await failExport(ctx, id, 'The data to export was deleted')
        if ((await expireNow(ctx, { id })) !== undefined) enqueue(ctx, removeExportObjects, { export_id: id })
      }
    },
  }),
]
