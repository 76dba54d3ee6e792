import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import { personalData } from '#platform/personal-data.ts'
import { deleteFile } from './service.ts'

const owned = statement('files_of_owners', (v: { memberIds: readonly string[] }) =>
  query
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .forUpdate(),
)

/** Files that belong to members. Their bytes are told beside their records, and go with them. */
export const memberData = [
  personalData({
    table: 'files',
    member: 'owner_id',
    columns: ['id', 'name', 'size', 'content_type', 'checksum_sha256', 'visibility', 'status', 'created_at'],
    ids: { id: 'file' },
    erase: async (ctx, { memberIds }) => {
      for (const { id } of await ctx.tx.all(owned, { memberIds })) await deleteFile(ctx, id)
    },
  }),
]
