import { type InferResult, type SqlBool, sql } from 'kysely'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { betweenByIds, condition, equals } from '#platform/lists/list-filters.ts'
import type { StoredPart } from '#platform/storage/part-uploads.ts'
import { exportId } from './ids.ts'
import type { ExportData, ExportStatus } from './schema.ts'

const columns = [
  ...(['id', 'project_id', 'kind', 'params', 'permission', 'format', 'file_name', 'content_type'] as const),
  ...(['status', 'rows', 'total_rows', 'size', 'error', 'checkpoint', 'object_id', 'expires_at'] as const),
  ...(['created_at', 'completed_at'] as const),
] as const
const rows = () => query.selectFrom('exports').select(columns)
export interface ExportRow extends Omit<InferResult<ReturnType<typeof rows>>[number], 'params'> {
  /** Read by the job that makes it alone. */
  readonly params: unknown
}

/** How far the object of an export is. Written by us alone. */
export interface Checkpoint {
  readonly objectId: string
  readonly uploadId: string
  /** No run has used this number, nor any after it, for a part. */
  readonly nextPart: number
  readonly parts: readonly StoredPart[]
  /** Bytes in these parts. */
  readonly bytes: number
  /** The last row in them, in the words of whoever knows the order of rows; null: none. */
  readonly after: string | null
}

/** Where everything of an export lies. */
export const prefixOf = (projectId: string, exportId: string): string => `${projectId}/${exportId}/`
export const objectKey = (projectId: string, exportId: string, objectId: string): string =>
  prefixOf(projectId, exportId) + objectId

/** An export as clients see it, without its URL. */
export const toExportData = (row: ExportRow): ExportData => ({
  ...pick(row, 'kind', 'format', 'file_name', 'rows', 'total_rows', 'size', 'error'),
  ...pick(row, 'created_at', 'completed_at'),
  id: toId(exportId, row.id),
  status: row.status as ExportStatus,
  expires_at: row.status === 'completed' || row.status === 'expired' ? row.expires_at : null,
})

const exportById = defineLookup('export_by_id', (v: { id: string }) => rows().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getExport = exportById.one('Export')
export const findExport = exportById.first()

/** One page of exports that one of these permissions opens, the newest first, and how many there are in all. */
export const listExports = defineList({
  label: 'exports',
  rows,
  map: toExportData,
  key: 'id',
  scope: {
    // `admin` opens all.
    permissions: condition<readonly string[]>(
      (value) => sql<SqlBool>`array[permission, 'admin'] && ${value}::text[]`,
    ),
  },
  filters: {
    status: equals<string>('status'),
    kind: equals<string>('kind'),
    ...betweenByIds('id', 'created_at'),
  },
  sorts: { created_at: ['id', 'uuid'] },
})

interface NewExport
  extends Pick<
    ExportRow,
    'id' | 'kind' | 'permission' | 'format' | 'file_name' | 'content_type' | 'total_rows'
  > {
  params: string
  /** When it is given up, if it is not complete by then. */
  expires_at: Date
}

export const insertExport = defineQuery('insert_export', (v: NewExport) =>
  query
    .insertInto('exports')
    .values({
      ...pick(v, 'id', 'kind', 'permission', 'format', 'file_name', 'content_type', 'total_rows'),
      params: sql`${v.params}::jsonb`,
      expires_at: v.expires_at,
    })
    .returning(columns),
).single()

/** How many exports were requested, or became readable, after a time. @param v.end that time, as what is requested then ends */
export const countLatest = defineQuery('count_latest_exports', (v: { end: string }) =>
  query
    .selectFrom('exports')
    .select(sql<number>`count(*)::int4`.as('count'))
    .where('status', 'in', ['queued', 'running', 'completed'])
    .where('expires_at', '>', v.end),
).single()

const UNFINISHED = ['queued', 'running'] as const

/**
 * Makes a run the one whose progress counts. Undefined where the export is finished or deleted.
 * @param run the id of the run
 */
export const claimExport = defineQuery('claim_export', (v: { id: string; run: string }) =>
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
    .returning(columns),
).first()

interface Progress {
  id: string
  run: string
  rows: number
  /** As JSON; null for what is made as a whole. */
  checkpoint: string | null
}

/** Undefined where another run has taken over, or the export has failed: nothing is recorded then. */
export const noteProgress = defineQuery('note_export_progress', (v: Progress) =>
  query
    .updateTable('exports')
    .set({ rows: v.rows, checkpoint: sql`${v.checkpoint}::jsonb` })
    .where('id', '=', v.id)
    .where('run', '=', v.run)
    .where('status', '=', 'running')
    .returning('id'),
).first()

export interface Completion {
  id: string
  run: string
  rows: number
  /** Bytes. */
  size: number
  object_id: string
  expires_at: Date
}

/** Undefined where another run has taken over, or the export was given up. */
export const markCompleted = defineQuery('complete_export', (v: Completion) =>
  query
    .updateTable('exports')
    .set({
      ...pick(v, 'rows', 'size', 'object_id', 'expires_at'),
      status: 'completed',
      total_rows: v.rows,
      checkpoint: null,
      completed_at: sql`now()`,
    })
    .where('id', '=', v.id)
    .where('run', '=', v.run)
    .where('status', '=', 'running')
    .returning(columns),
).first()

/** Those of a member's data that were requested with exactly these params within a day, and whether it was within a minute. @param params as JSON */
export const listLatest = defineQuery(
  'latest_exports_of_member',
  (v: { member_id: string; kind: string; params: string }) =>
    rows()
      .select(sql<boolean>`created_at > now() - interval '1 minute'`.as('is_recent'))
      .where('member_id', '=', v.member_id)
      .where('kind', '=', v.kind)
      .where(sql<boolean>`params = ${v.params}::jsonb`)
      .where('created_at', '>', sql<string>`now() - interval '1 day'`)
      .orderBy('id', 'desc'),
)

/** Undefined where it is finished already. */
export const markFailed = defineQuery('fail_export', (v: { id: string; error: string }) =>
  query
    .updateTable('exports')
    .set({ status: 'failed', error: v.error, checkpoint: null })
    .where('id', '=', v.id)
    .where('status', 'in', UNFINISHED)
    .returning(columns),
).first()

/** Exports of one project that are looked after in one go. */
const BATCH = 500

/** Exports that nobody will finish any more. */
export const listOverdue = defineQuery('overdue_exports', () =>
  query
    .selectFrom('exports')
    .select('id')
    .where('expires_at', '<=', sql<string>`now()`)
    .where('status', 'in', UNFINISHED)
    .limit(BATCH),
)

/** Marks expired exports, and answers them, so that their files can be removed. */
export const markExpired = defineQuery('expire_exports', () =>
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

/** Ends the time of a complete export now; undefined where it is none. */
export const expireNow = defineQuery('expire_export', (v: { id: string }) =>
  query
    .updateTable('exports')
    .set({ status: 'expired', expires_at: sql`now()` })
    .where('id', '=', v.id)
    .where('status', '=', 'completed')
    .returning('id'),
).first()
