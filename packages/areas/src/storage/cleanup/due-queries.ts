import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { fileColumns } from '../rows.ts'

/** What refers to a file. */
export interface Target {
  /** Like `form_submission`. */
  readonly kind: string
  /** A stored id. */
  readonly id: string
}

const attach = statement(
  'attach_file',
  (v: { file_id: string; kind: string; id: string }) =>
    query
      .insertInto('file_attachments')
      .values({ file_id: v.file_id, target_kind: v.kind, target_id: v.id })
      .onConflict((conflict) => conflict.doNothing()),
  {
    file_attachments_file_fkey: (cause) =>
      invalidField('file', 'exists', 'is not a file of this project', cause),
  },
)
/** @throws ApiError 422 where there is no such file */
export const insertAttachmentRow = (ctx: Context, fileId: string, { kind, id }: Target) =>
  ctx.tx.defer(attach, { file_id: fileId, kind, id })

const keep = statement('keep_file', (v: { id: string }) =>
  query.updateTable('files').set({ due_at: null }).where('id', '=', v.id).where('status', '=', 'ready'),
)
/** A file that something refers to is no longer looked at; one that is pending still is. */
export const markKept = (ctx: Context, id: string) => ctx.tx.defer(keep, { id })

const detach = statement('detach_files', (v: Target & { kept: readonly string[] }) =>
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
/** The files that something referred to, but for those that are kept, and whether something else still does. */
export const removeAttachmentRows = (ctx: Context, { kind, id }: Target, kept: readonly string[]) =>
  ctx.tx.all(detach, { kind, id, kept })

/** Files of one project that are looked at in one go. */
const BATCH = 500

const claim = statement('claim_due_files', (v: { nextLook: Date }) =>
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
/** Files that have to be looked at; nobody else is given them before `nextLook`. */
export const claimDueFiles = (ctx: Context, nextLook: Date) => ctx.tx.all(claim, { nextLook })

const unkept = statement('unkept_file', (v: { id: string }) =>
  query.selectFrom('files').select(fileColumns).where('id', '=', v.id).where('due_at', 'is not', null),
)
/** A file that is pending or temporary; undefined for one that is kept, or gone. */
export const findUnkept = (ctx: Context, id: string) => ctx.tx.first(unkept, { id })

const removeUnkept = statement('delete_unkept_file', (v: { id: string }) =>
  query
    .deleteFrom('files')
    .where('id', '=', v.id)
    .where('due_at', 'is not', null)
    .returning(['status', 'upload_expires_at']),
)
/** Deletes a file unless it was kept meanwhile; undefined where it was. */
export const deleteUnkeptRow = (ctx: Context, id: string) => ctx.tx.first(removeUnkept, { id })
