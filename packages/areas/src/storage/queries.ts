import { type InferResult, sql } from 'kysely'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { betweenByIds, condition, contains, equals, hasId } from '#platform/lists/list-filters.ts'
import { quotaExceeded } from './errors.ts'
import { cleanName } from './names.ts'
import { FileChanges, type FileStatus, type StoredFile, type Visibility } from './schema.ts'

const columns = [
  ...(['id', 'project_id', 'name', 'size', 'content_type', 'checksum_sha256', 'visibility'] as const),
  ...(['owner_id', 'status', 'object_id', 'upload_expires_at', 'created_at', 'purpose'] as const),
  ...(['upload_id', 'upload_object', 'upload_parts'] as const),
  ...(['width', 'height', 'preview_width', 'preview_height', 'preview_bytes'] as const),
] as const
const files = () => query.selectFrom('files').select(columns)
export type FileRow = InferResult<ReturnType<typeof files>>[number]

/** @param baseUrl the API's address */
export const toFile = (row: FileRow, baseUrl: string): StoredFile => ({
  ...pick(row, 'name', 'size', 'content_type', 'checksum_sha256', 'created_at'),
  id: toId('file', row.id),
  visibility: row.visibility as Visibility,
  url: row.status === 'ready' ? urlOf(row, baseUrl) : null,
  owner_id: row.owner_id === null ? null : toId('member', row.owner_id),
  status: row.status as FileStatus,
})

function urlOf({ id, project_id, visibility }: FileRow, baseUrl: string): string {
  const file = toId('file', id)
  const path =
    visibility === 'public' ? `public/${toId('project', project_id)}/${file}` : `files/${file}/content`
  return `${baseUrl}/api/v1/storage/${path}`
}

const fileById = defineLookup('file_by_id', (v: { id: string }) => files().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getFile = fileById.one('File')
export const findFile = fileById.first()

/** A file whose bytes have all come, for those who want to refer to it; undefined if there is none. */
export const findReadyFile = fileById
  .map((row) =>
    row.status === 'ready'
      ? {
          size: row.size,
          contentType: row.content_type,
          visibility: row.visibility as Visibility,
          ownerId: row.owner_id,
        }
      : undefined,
  )
  .first()

/** The files of these ids whose bytes have all come. */
export const findReadyFiles = defineLookup('ready_files_by_id', (v: { ids: readonly string[] }) =>
  files().where('id', '=', sql<string>`any (${v.ids}::uuid[])`).where('status', '=', 'ready'),
)

/** One page of files, the newest first, and how many there are in all. */
export const listFiles = defineList({
  label: 'files',
  rows: files,
  key: 'id',
  // `image` means every `image/…`.
  filters: {
    type: condition<string>(
      (type) => sql`${type}::text in (content_type, split_part(content_type, '/', 1))`,
      (type) => type.toLowerCase(),
    ),
    visibility: equals<Visibility>('visibility'),
    owner_id: hasId('owner_id', (id) => parseId('member', id)),
    ...betweenByIds('id', 'created_at'),
  },
  search: contains('name'),
  sorts: { created_at: ['id', 'uuid'], name: ['name', 'text'], size: ['size', 'int8'] },
})

/** What the project stores, and may store. Exact at this moment. */
export const getUsage = defineQuery('storage_usage', () => {
  const kept = query.selectFrom('storage_usage').where('kind', '=', 'files')
  return query.selectNoFrom([
    sql<number>`coalesce(${kept.select('bytes')}, 0)`.as('bytes'),
    sql<number>`coalesce(${kept.select('files')}, 0)`.as('files'),
    sql<number>`app.storage_quota()`.as('quota_bytes'),
  ])
}).single()

/** What violated constraints of `files` mean to a client. */
const CONSTRAINTS = {
  storage_quota: quotaExceeded,
  files_owner_fkey: (cause: unknown) =>
    invalidField('owner_id', 'exists', 'is not a member of this project', cause),
}

interface NewFile {
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
  /** Of an upload in parts: the last part of its key, and how many parts it has. */
  upload_object?: string
  upload_parts?: number
}

/** A pending file; its size is reserved. @throws ApiError 422 QUOTA_EXCEEDED; for an owner that is none */
export const insertFile = defineQuery(
  'insert_file',
  (v: NewFile) =>
    query
      .insertInto('files')
      .values({
        ...pick(v, 'id', 'name', 'size', 'content_type', 'visibility', 'owner_id'),
        ...pick(v, 'upload_expires_at', 'due_at'),
        upload_object: sql`${v.upload_object}::uuid`,
        upload_parts: sql`${v.upload_parts}::int4`,
      })
      .returning(columns),
  CONSTRAINTS,
).single()

/** Notes what the storage calls an upload in parts. */
export const setUploadId = defineQuery('set_upload_of_file', (v: { id: string; upload_id: string }) =>
  query
    .updateTable('files')
    .set(pick(v, 'upload_id'))
    .where('id', '=', v.id)
    .where('status', '=', 'pending')
    .returning(columns),
).one('File')

/** Has the cleanup look at a file at its next turn, which is within a minute. */
export const setDueNow = defineQuery('set_file_due', (v: { id: string }) =>
  query
    .updateTable('files')
    .set({ due_at: sql`now()` })
    .where('id', '=', v.id)
    .where('status', '=', 'pending'),
)

interface Sealed extends Pick<NewFile, 'id' | 'name' | 'size' | 'content_type' | 'visibility' | 'owner_id'> {
  checksum_sha256: string
  object_id: string
  /** When a file that nothing refers to by then is deleted; null: never. */
  due_at: Date | null
  purpose: string | null
}

/**
 * Makes a pending file ready; undefined where it is no longer pending, or gone.
 * @throws ApiError 422 QUOTA_EXCEEDED; for an owner that is none
 */
export const sealFile = defineQuery(
  'seal_file',
  (v: Sealed) =>
    query
      .updateTable('files')
      .set({
        ...pick(v, 'name', 'size', 'content_type', 'checksum_sha256', 'visibility', 'owner_id'),
        ...pick(v, 'object_id', 'due_at', 'purpose'),
        status: 'ready',
      })
      .where('id', '=', v.id)
      .where('status', '=', 'pending')
      .returning(columns),
  CONSTRAINTS,
).first()

/** Changes what is sent. @throws ApiError 404; 412 */
export const updateFile = definePatch('files', {
  body: FileChanges,
  current: getFile,
  columns: ['visibility'],
  fields: {
    name: field(
      (name: string) => ({ name: cleanName(name) }),
      (v) => pick(v, 'name'),
    ),
  },
})

/** The file that was deleted; undefined where there was none. */
export const removeFile = defineQuery('delete_file', (v: { id: string }) =>
  query.deleteFrom('files').where('id', '=', v.id).returning(columns),
).first()

/** What refers to a file. */
export interface Target {
  /** Like `form_submission`. */
  readonly kind: string
  /** A stored id. */
  readonly id: string
}

/** @throws ApiError 422 where there is no such file */
export const insertAttachment = defineQuery(
  'attach_file',
  (v: Target & { file_id: string }) =>
    query
      .insertInto('file_attachments')
      .values({ file_id: v.file_id, target_kind: v.kind, target_id: v.id })
      .onConflict((conflict) => conflict.doNothing()),
  {
    file_attachments_file_fkey: (cause) =>
      invalidField('file', 'exists', 'is not a file of this project', cause),
  },
)

/** A file that something refers to is no longer looked at; one that is pending still is. */
export const markKept = defineQuery('keep_file', (v: { id: string }) =>
  query.updateTable('files').set({ due_at: null }).where('id', '=', v.id).where('status', '=', 'ready'),
)

/** What refers to a file, by kinds. */
export const countUses = defineQuery('uses_of_file', (v: { id: string }) =>
  query
    .selectFrom('file_attachments')
    .select(['target_kind as type', sql<number>`count(*)::int8`.as('count')])
    .where('file_id', '=', v.id)
    .groupBy('target_kind')
    .orderBy('target_kind'),
)

/** The files that something referred to, but for those that are kept, and whether something else still does. */
export const removeAttachments = defineQuery('detach_files', (v: Target & { kept: readonly string[] }) =>
  query
    .deleteFrom('file_attachments')
    .where('target_kind', '=', v.kind)
    .where('target_id', '=', v.id)
    .where('file_id', '<>', sql<string>`all (${v.kept}::uuid[])`)
    .returning([
      'file_id',
      sql<boolean>`exists (select from file_attachments as other where other.file_id = file_attachments.file_id
        and (other.target_kind, other.target_id) <> (${v.kind}, ${v.id}::uuid))`.as('needed'),
    ]),
)

/** Files of one project that are looked at in one go. */
const BATCH = 500

/** Files that have to be looked at; nobody else is given them before `nextLook`. */
export const claimDueFiles = defineQuery('claim_due_files', (v: { nextLook: Date }) =>
  query
    .updateTable('files')
    .set({ due_at: v.nextLook })
    .where('id', 'in', (from) =>
      from
        .selectFrom('files')
        .select('id')
        .where('due_at', '<=', sql<string>`now()`)
        .orderBy('due_at')
        .limit(BATCH)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id'),
)

/** A file that is pending or temporary; undefined for one that is kept, or gone. */
export const findUnkept = defineQuery('unkept_file', (v: { id: string }) =>
  files().where('id', '=', v.id).where('due_at', 'is not', null),
).first()

/** Deletes a file unless it was kept meanwhile; undefined where it was. */
export const removeUnkept = defineQuery('delete_unkept_file', (v: { id: string }) =>
  query
    .deleteFrom('files')
    .where('id', '=', v.id)
    .where('due_at', 'is not', null)
    .returning(['status', 'upload_expires_at']),
).first()

interface Measured {
  id: string
  width: number
  height: number
  preview_width: number
  preview_height: number
  preview_bytes: number
}

/** Notes what a picture is like; undefined where the file is gone. */
export const setPicture = defineQuery('set_picture', (v: Measured) =>
  query
    .updateTable('files')
    .set(pick(v, 'width', 'height', 'preview_width', 'preview_height', 'preview_bytes'))
    .where('id', '=', v.id)
    .returning('id'),
).first()
