import { type Selectable, sql } from 'kysely'
import { answering, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { DB } from '#platform/db/tables.generated.ts'
import type { FieldFault } from '#platform/errors.ts'
import { defineList } from '#platform/lists/list.ts'
import { betweenByIds, word } from '#platform/lists/list-filters.ts'

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

export type ImportRow = Pick<Selectable<DB['member_imports']>, (typeof columns)[number]>

/** The most unfinished imports of a project; a few more are possible where many begin at the same moment. */
export const MOST_UNFINISHED = 5

/** Adds an import whose file is arriving; undefined where the project has too many imports already. */
export const beginImport = defineQuery('begin_member_import', (v: { id: string }) =>
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
).first()

interface Arrived {
  id: string
  columns: string[]
  total_rows: number
  dry_run: boolean
}
/** Notes that the whole file has arrived. @throws ApiError 404 where the import was ended in the meantime */
export const markArrived = defineQuery('receive_member_import', (v: Arrived) =>
  query
    .updateTable('member_imports')
    .set({ state: 'queued', ...pick(v, 'columns', 'total_rows', 'dry_run') })
    .where('id', '=', v.id)
    .where('state', '=', 'receiving')
    .returning(columns),
).one('Import')

export const deleteImport = defineQuery('delete_member_import', (v: { id: string }) =>
  query.deleteFrom('member_imports').where('id', '=', v.id),
)

const arrivedImports = () =>
  query.selectFrom('member_imports').select(columns).where('state', '<>', 'receiving')

/** One page of imports whose file has arrived, the newest first, and how many there are in all. */
export const listImports = defineList({
  label: 'member_imports',
  rows: arrivedImports,
  key: 'id',
  filters: { status: word<string>('state'), ...betweenByIds('id', 'created_at') },
  sorts: { created_at: ['id', 'uuid'] },
})

const shown = defineQuery('member_import', (v: { id: string }) => arrivedImports().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getImport = shown.one('Import')
export const findImport = shown.first()

export interface FaultRow {
  row: number
  faults: FieldFault[]
}
/** Faulty rows that are shown with an import. */
const FIRST_FAULTS = 20

export const listFirstFaults = defineQuery('first_member_import_faults', (v: { id: string }) =>
  query
    .selectFrom('member_import_faults')
    .select(['row', 'faults'])
    .where('import_id', '=', v.id)
    .orderBy('row')
    .limit(FIRST_FAULTS),
).map((row) => row as unknown as FaultRow)

/** The progress of an import, locked: no other run continues the import before this transaction ends. */
export const lockImport = defineQuery('lock_member_import', (v: { id: string }) =>
  query
    .updateTable('member_imports')
    .set({ state: 'running', updated_at: sql`now()` })
    .where('id', '=', v.id)
    .where('state', 'in', ['queued', 'running'])
    .returning('processed_rows'),
).first()

interface Progress {
  id: string
  processed: number
  created: number
  faulty: number
}
export const advanceImport = defineQuery('progress_member_import', (v: Progress) =>
  query
    .updateTable('member_imports')
    .set({
      processed_rows: sql`processed_rows + ${v.processed}`,
      created: sql`created + ${v.created}`,
      faulty: sql`faulty + ${v.faulty}`,
    })
    .where('id', '=', v.id),
)

interface Faults {
  id: string
  rows: readonly { row: number; cells: readonly string[]; faults: readonly FieldFault[] }[]
}
const addFaults = defineQuery('add_member_import_faults', (v: { id: string; json: string }) =>
  query
    .insertInto('member_import_faults')
    .columns(['import_id', 'row', 'cells', 'faults'])
    .expression(
      sql`select ${v.id}::uuid, f.row, f.cells, f.faults
        from json_to_recordset(${v.json}::json) as f (row integer, cells text[], faults jsonb)`,
    ),
)
export const insertFaults = deriveQuery(({ id, rows }: Faults) =>
  rows.length === 0 ? answering([]) : addFaults({ id, json: JSON.stringify(rows) }),
)

/** Undefined where it was finished before. */
export const finishImport = defineQuery(
  'finish_member_import',
  (v: { id: string; state: 'completed' | 'failed' }) =>
    query
      .updateTable('member_imports')
      .set({ state: v.state, finished_at: sql`now()`, updated_at: sql`now()` })
      .where('id', '=', v.id)
      .where('finished_at', 'is', null)
      .returning(columns),
).first()
