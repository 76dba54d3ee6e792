import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { cleanName, objectKey } from './names.ts'
import { deleteFile } from './references.ts'

const ownedFiles = defineQuery('files_of_owners', (v: { memberIds: readonly string[] }) =>
  query
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .forUpdate(),
)

const contentsOf = defineQuery('ready_files_of_owners', (v: { memberIds: readonly string[] }) =>
  query
    .selectFrom('files')
    .select(['id', 'project_id', 'object_id', 'name'])
    .where('owner_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .where('status', '=', 'ready')
    .orderBy('id'),
).map((file) => ({
  key: objectKey(file.project_id, file.id, file.object_id ?? ''),
  // Names from before they were cleaned everywhere, too.
  path: `${toId('file', file.id)}/${cleanName(file.name)}`,
}))

/** Files that belong to members. Their bytes are exported beside their records, and go with them. */
export const memberData = [
  personalData({
    table: 'files',
    member: 'owner_id',
    columns: ['id', 'name', 'size', 'content_type', 'checksum_sha256', 'visibility', 'status', 'created_at'],
    ids: { id: 'file' },
    contents: contentsOf,
    erase: async (ctx, { memberIds }) => {
      for (const { id } of await ownedFiles(ctx, { memberIds })) await deleteFile(ctx, id)
    },
  }),
]
