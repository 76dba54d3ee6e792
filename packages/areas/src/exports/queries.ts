import { type SqlBool, sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { condition, equals } from '#platform/db/lists/list-filters.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type Checkpoint, exportColumns } from './rows.ts'

const byId = lookup('export_by_id', (v: { id: string }) =>
  query.selectFrom('exports').select(exportColumns).where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getExport = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Export')
/** The export, or undefined. */
export const findExport = (ctx: Context, id: string) => ctx.tx.first(byId, { id })

/** One page of exports that one of these permissions opens, the newest first, and how many there are in all. */
export const listExports = defineList({
  label: 'exports',
  rows: () => query.selectFrom('exports').select(exportColumns),
  key: 'id',
  scope: {
    // `admin` opens all.
    permissions: condition<readonly string[]>(
      (value) => sql<SqlBool>`array[permission, 'admin'] && ${value}::text[]`,
    ),
  },
  filters: { status: equals<string>('status'), kind: equals<string>('kind') },
})

export interface NewExportRow {
  id: string
  kind: string
  params: string
  permission: string
  format: string
  file_name: string
  content_type: string
  total_rows: number | null
  /** When it is given up, if it is not complete by then. */
  expires_at: Date
}
const insert = statement('insert_export', (v: NewExportRow) =>
  query
    .insertInto('exports')
    .values({
      id: v.id,
      kind: v.kind,
      params: sql`${v.params}::jsonb`,
      permission: v.permission,
      format: v.format,
      file_name: v.file_name,
      content_type: v.content_type,
      total_rows: v.total_rows,
      expires_at: v.expires_at,
    })
    .returning(exportColumns),
)
export const insertExportRow = (ctx: Context, row: NewExportRow) => ctx.tx.single(insert, row)

const UNFINISHED = ['queued', 'running'] as const

const claim = statement('claim_export', (v: { id: string; run: string }) =>
  query
    .updateTable('exports')
    .set({
      status: 'running',
      run: v.run,
      // A part that an earlier run was still storing when it ended can arrive later, under the next number.
      checkpoint: sql`case when checkpoint is not null then
        jsonb_set(checkpoint, '{nextPart}', to_jsonb((checkpoint ->> 'nextPart')::int4 + 1)) end`,
    })
    .where('id', '=', v.id)
    .where('status', 'in', UNFINISHED)
    .returning(exportColumns),
)
/**
 * Makes a run the one whose progress counts. Undefined where the export is finished or deleted.
 * @param run the id of the run
 */
export const claimExport = (ctx: Context, id: string, run: string) => ctx.tx.first(claim, { id, run })

interface Progress {
  id: string
  run: string
  rows: number
  checkpoint: string | null
}
const note = statement('note_export_progress', (v: Progress) =>
  query
    .updateTable('exports')
    .set({ rows: v.rows, checkpoint: sql`${v.checkpoint}::jsonb` })
    .where('id', '=', v.id)
    .where('run', '=', v.run)
    .where('status', '=', 'running')
    .returning('id'),
)
/** Undefined where another run has taken over, or the export has failed: nothing is recorded then. */
export const noteProgress = (
  ctx: Context,
  { checkpoint, ...progress }: Omit<Progress, 'checkpoint'> & { checkpoint: Checkpoint | null },
) =>
  ctx.tx.first(note, {
    ...progress,
    checkpoint: checkpoint === null ? null : JSON.stringify(checkpoint),
  })

export interface Completion {
  id: string
  run: string
  rows: number
  /** Bytes. */
  size: number
  object_id: string
  expires_at: Date
}
const complete = statement('complete_export', (v: Completion) =>
  query
    .updateTable('exports')
    .set({
      status: 'completed',
      rows: v.rows,
      total_rows: v.rows,
      size: v.size,
      object_id: v.object_id,
      checkpoint: null,
      completed_at: sql`now()`,
      expires_at: v.expires_at,
    })
    .where('id', '=', v.id)
    .where('run', '=', v.run)
    .where('status', '=', 'running')
    .returning(exportColumns),
)
/** Undefined where another run has taken over, or the export was given up. */
export const markCompleted = (ctx: Context, completion: Completion) => ctx.tx.first(complete, completion)

const fail = statement('fail_export', (v: { id: string; error: string }) =>
  query
    .updateTable('exports')
    .set({ status: 'failed', error: v.error, checkpoint: null })
    .where('id', '=', v.id)
    .where('status', 'in', UNFINISHED)
    .returning(exportColumns),
)
/** Undefined where it is finished already. */
export const markFailed = (ctx: Context, id: string, error: string) => ctx.tx.first(fail, { id, error })

/** Exports of one project that are looked after in one go. */
const BATCH = 500

const overdue = statement('overdue_exports', () =>
  query
    .selectFrom('exports')
    .select('id')
    .where('expires_at', '<=', sql<string>`now()`)
    .where('status', 'in', UNFINISHED)
    .limit(BATCH),
)
/** Exports that nobody will finish any more. */
export const listOverdue = (ctx: Context) => ctx.tx.all(overdue, {})

const expire = statement('expire_exports', () =>
  query
    .updateTable('exports')
    .set({ status: 'expired' })
    .where('id', 'in', (from) =>
      from
        .selectFrom('exports')
        .select('id')
        .where('expires_at', '<=', sql<string>`now()`)
        .where('status', '=', 'completed')
        .limit(BATCH),
    )
    .returning('id'),
)
/** Marks expired exports. @returns them, so that their files can be removed */
export const markExpired = (ctx: Context) => ctx.tx.all(expire, {})

const expireOne = statement('expire_export', (v: { id: string }) =>
  query
    .updateTable('exports')
    .set({ status: 'expired', expires_at: sql`now()` })
    .where('id', '=', v.id)
    .where('status', '=', 'completed')
    .returning('id'),
)
/** Ends the time of a complete export now; undefined where it is none. */
export const expireNow = (ctx: Context, id: string) => ctx.tx.first(expireOne, { id })
