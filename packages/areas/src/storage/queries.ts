import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { condition, contains } from '#platform/db/lists/list-filters.ts'
import { defineLookup } from '#platform/db/query.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { quotaExceeded } from './errors.ts'
import { fileColumns } from './rows.ts'
import type { FileChanges } from './schema.ts'

/** What violated constraints of `files` mean to a client. */
const CONSTRAINTS = {
  storage_quota: quotaExceeded,
  files_owner_fkey: (cause: unknown) =>
    invalidField('owner_id', 'exists', 'is not a member of this project', cause),
}

const byId = lookup('file_by_id', (v: { id: string }) =>
  query.selectFrom('files').select(fileColumns).where('id', '=', v.id),
)

/** @throws ApiError 404 */
export const getFile = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'File')

/** The file, or undefined. */
export const findFile = (ctx: Context, id: string) => ctx.tx.first(byId, { id })

/** The files of these ids whose bytes have all come. */
export const listReadyFiles = defineLookup('ready_files_by_id', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('files')
    .select(fileColumns)
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('status', '=', 'ready'),
)

/** One page of files, the newest first, and how many there are in all. */
export const listFiles = defineList({
  label: 'files',
  rows: () => query.selectFrom('files').select(fileColumns),
  key: 'id',
  // `image` means every `image/…`.
  filters: {
    type: condition<string>(
      (type) => sql`${type}::text in (content_type, split_part(content_type, '/', 1))`,
      (type) => type.toLowerCase(),
    ),
  },
  search: contains('name'),
})

const usage = statement('storage_usage', () =>
  query.selectNoFrom((from) => [
    sql<number>`coalesce(${from.selectFrom('storage_usage').select('bytes').where('kind', '=', 'files')}, 0)`.as(
      'bytes',
    ),
    sql<number>`coalesce(${from.selectFrom('storage_usage').select('files').where('kind', '=', 'files')}, 0)`.as(
      'files',
    ),
    sql<number>`app.storage_quota()`.as('quota_bytes'),
  ]),
)

/** What the project stores, and may store. Exact at this moment. */
export const getUsage = (ctx: Context) => ctx.tx.single(usage, {})

export interface NewFileRow {
  id: string
  name: string
  size: number
  content_type: string
  visibility: string
  owner_id: string | null
  /** When its URL stops taking bytes; null where the bytes come through us. */
  upload_expires_at: Date | null
  /** When it is looked at, if it is still pending. */
  due_at: Date
}

const insert = statement(
  'insert_file',
  (v: NewFileRow) =>
    query
      .insertInto('files')
      .values({
        id: v.id,
        name: v.name,
        size: v.size,
        content_type: v.content_type,
        visibility: v.visibility,
        owner_id: v.owner_id,
        upload_expires_at: v.upload_expires_at,
        due_at: v.due_at,
      })
      .returning(fileColumns),
  CONSTRAINTS,
)

/** A pending file; its size is reserved. @throws ApiError 422 QUOTA_EXCEEDED; for an owner that is none */
export const insertFileRow = (ctx: Context, file: NewFileRow) => ctx.tx.single(insert, file)

export interface Sealed {
  id: string
  name: string
  size: number
  content_type: string
  checksum: string
  visibility: string
  owner_id: string | null
  object_id: string
  /** When a file that nothing refers to by then is deleted; null: never. */
  due_at: Date | null
}

const seal = statement(
  'seal_file',
  (v: Sealed) =>
    query
      .updateTable('files')
      .set({
        name: v.name,
        size: v.size,
        content_type: v.content_type,
        checksum_sha256: v.checksum,
        visibility: v.visibility,
        owner_id: v.owner_id,
        object_id: v.object_id,
        due_at: v.due_at,
        status: 'ready',
      })
      .where('id', '=', v.id)
      .where('status', '=', 'pending')
      .returning(fileColumns),
  CONSTRAINTS,
)

/**
 * Makes a pending file ready; undefined where it is no longer pending, or gone.
 * @throws ApiError 422 QUOTA_EXCEEDED; for an owner that is none
 */
export const sealFile = (ctx: Context, file: Sealed) => ctx.tx.first(seal, file)

interface Changes {
  id: string
  name: string | null
  visibility: string | null
}

const update = statement('update_file', (v: Changes) =>
  query
    .updateTable('files')
    .set({
      name: sql`coalesce(${v.name}::text, name)`,
      visibility: sql`coalesce(${v.visibility}::text, visibility)`,
    })
    .where('id', '=', v.id)
    .returning(fileColumns),
)

/** @throws ApiError 404 */
export const updateFileRow = (ctx: Context, id: string, { name, visibility }: FileChanges) =>
  ctx.tx.one(update, { id, name: name ?? null, visibility: visibility ?? null }, 'File')

const remove = statement('delete_file', (v: { id: string }) =>
  query.deleteFrom('files').where('id', '=', v.id).returning(fileColumns),
)

/** The file that was deleted; undefined where there was none. */
export const removeFileRow = (ctx: Context, id: string) => ctx.tx.first(remove, { id })
