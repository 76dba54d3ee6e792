import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { FieldFault } from '#platform/errors.ts'

/** What every query for imports reads. */
const columns = [
  'id',
  'state',
  'dry_run',
  'columns',
  'total_rows',
  'processed_rows',
  'created',
  'faulty',
  'created_at',
  'finished_at',
] as const

export interface ImportRow {
  id: string
  state: string
  dry_run: boolean
  columns: string[]
  total_rows: number
  processed_rows: number
  created: number
  faulty: number
  created_at: string
  finished_at: string | null
}

/** The most unfinished imports of a project; a few more are possible where many begin at the same moment. */
export const MOST_UNFINISHED = 5

const begin = statement('begin_member_import', (v: { id: string }) =>
  query
    .insertInto('member_imports')
    .columns(['id'])
    .expression(
      query.selectNoFrom(sql<string>`${v.id}::uuid`.as('id')).where(
        sql<boolean>`(select count(*) from member_imports where finished_at is null
            and (state <> 'receiving' or created_at > now() - interval '1 hour')) < ${sql.lit(MOST_UNFINISHED)}`,
      ),
    )
    .returning('id'),
)
/** Adds an import whose file is arriving; undefined where the project has too many imports already. */
export const beginImport = (ctx: Context, id: string) => ctx.tx.first(begin, { id })

interface Arrived {
  id: string
  columns: string[]
  total_rows: number
  dry_run: boolean
}
const arrived = statement('receive_member_import', (v: Arrived) =>
  query
    .updateTable('member_imports')
    .set({ state: 'queued', columns: v.columns, total_rows: v.total_rows, dry_run: v.dry_run })
    .where('id', '=', v.id)
    .where('state', '=', 'receiving')
    .returning(columns),
)
/** Notes that the whole file has arrived. @throws ApiError 404 where the import was ended in the meantime */
export const markArrived = (ctx: Context, file: Arrived) => ctx.tx.one(arrived, file, 'Import')

const drop = statement('delete_member_import', (v: { id: string }) =>
  query.deleteFrom('member_imports').where('id', '=', v.id),
)
export const deleteImportRow = (ctx: Context, id: string) => ctx.tx.defer(drop, { id })

const shown = statement('member_import', (v: { id: string }) =>
  query.selectFrom('member_imports').select(columns).where('id', '=', v.id).where('state', '<>', 'receiving'),
)
/** One page of imports whose file has arrived, the newest first, and how many there are in all. */
export const listImports = defineList({
  label: 'member_imports',
  rows: () => query.selectFrom('member_imports').select(columns).where('state', '<>', 'receiving'),
  key: 'id',
  filters: { status: equals<string>('state') },
})

/** @throws ApiError 404 */
export const getImport = (ctx: Context, id: string) => ctx.tx.one(shown, { id }, 'Import')
export const findImport = (ctx: Context, id: string) => ctx.tx.first(shown, { id })

export interface FaultRow {
  row: number
  faults: FieldFault[]
}
/** Faulty rows that are shown with an import. */
const FIRST_FAULTS = 20

const firstFaults = statement('first_member_import_faults', (v: { id: string }) =>
  query
    .selectFrom('member_import_faults')
    .select(['row', 'faults'])
    .where('import_id', '=', v.id)
    .orderBy('row')
    .limit(FIRST_FAULTS),
)
export const listFirstFaults = (ctx: Context, id: string) =>
  ctx.tx.all(firstFaults, { id }).map((rows) => rows as unknown as FaultRow[])

const held = statement('hold_member_import', (v: { id: string }) =>
  query
    .updateTable('member_imports')
    .set({ state: 'running', updated_at: sql`now()` })
    .where('id', '=', v.id)
    .where('state', 'in', ['queued', 'running'])
    .returning('processed_rows'),
)
/** The progress of an import, locked: no other run continues the import before this transaction ends. */
export const holdImport = (ctx: Context, id: string) => ctx.tx.first(held, { id })

export interface Progress {
  id: string
  processed: number
  created: number
  faulty: number
}
const progress = statement('progress_member_import', (v: Progress) =>
  query
    .updateTable('member_imports')
    .set({
      processed_rows: sql`processed_rows + ${v.processed}`,
      created: sql`created + ${v.created}`,
      faulty: sql`faulty + ${v.faulty}`,
    })
    .where('id', '=', v.id),
)
export const advanceImport = (ctx: Context, step: Progress) => ctx.tx.defer(progress, step)

interface Faults {
  id: string
  /** [{row, cells, faults}] */
  rows: string
}
const addFaults = statement('add_member_import_faults', (v: Faults) =>
  query
    .insertInto('member_import_faults')
    .columns(['import_id', 'row', 'cells', 'faults'])
    .expression(
      sql`select ${v.id}::uuid, f.row, f.cells, f.faults
        from json_to_recordset(${v.rows}::json) as f (row integer, cells text[], faults jsonb)`,
    ),
)
export function insertFaultRows(
  ctx: Context,
  id: string,
  rows: readonly { row: number; cells: readonly string[]; faults: readonly FieldFault[] }[],
): void {
  if (rows.length > 0) ctx.tx.defer(addFaults, { id, rows: JSON.stringify(rows) })
}

const finish = statement('finish_member_import', (v: { id: string; state: string }) =>
  query
    .updateTable('member_imports')
    .set({ state: v.state, finished_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', v.id)
    .where('finished_at', 'is', null)
    .returning(columns),
)
/** Undefined where it was finished before. */
export const finishImport = (ctx: Context, id: string, state: 'completed' | 'failed') =>
  ctx.tx.first(finish, { id, state })
