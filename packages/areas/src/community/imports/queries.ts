import { type Selectable, sql } from 'kysely'
import { answering, defineQuery, deriveQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { DB } from '#platform/db/tables.generated.ts'
import type { FieldFault } from '#platform/errors.ts'
import { MAP_PAGE } from './schema.ts'

const columns = [
  ...(['id', 'file_id', 'state', 'dry_run', 'lines', 'created', 'faulty', 'error'] as const),
  ...(['created_at', 'finished_at'] as const),
] as const
export type ImportRow = Pick<Selectable<DB['community_imports']>, (typeof columns)[number]>

/** Unfinished imports of a project; a few more are possible where many begin at the same moment. */
export const MOST_UNFINISHED = 5

/** Undefined where the project has too many imports already. */
export const insertImport = defineQuery(
  'insert_community_import',
  (v: { id: string; file_id: string; dry_run: boolean }) =>
    query
      .insertInto('community_imports')
      .columns(['id', 'file_id', 'dry_run'])
      .expression(
        query
          .selectNoFrom([
            sql<string>`${v.id}::uuid`.as('id'),
            sql<string>`${v.file_id}::uuid`.as('file_id'),
            sql<boolean>`${v.dry_run}::boolean`.as('dry_run'),
          ])
          .where(
            sql<boolean>`(select count(*) from community_imports where finished_at is null) < ${sql.lit(MOST_UNFINISHED)}`,
          ),
      )
      .returning(columns),
).first()

const importById = defineQuery('community_import', (v: { id: string }) =>
  query.selectFrom('community_imports').select(columns).where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getImport = importById.one('Import')
export const findImport = importById.first()

/** How many lines are done, locked: no other run goes on before this transaction ends. */
export const lockImport = defineQuery('lock_community_import', (v: { id: string }) =>
  query
    .updateTable('community_imports')
    .set({ state: 'running', updated_at: sql`now()` })
    .where('id', '=', v.id)
    .where('finished_at', 'is', null)
    .returning('lines'),
).first()

interface Progress {
  id: string
  lines: number
  created: number
  faulty: number
}
export const advanceImport = defineQuery('advance_community_import', (v: Progress) =>
  query
    .updateTable('community_imports')
    .set({
      lines: sql`lines + ${v.lines}`,
      created: sql`created + ${v.created}`,
      faulty: sql`faulty + ${v.faulty}`,
    })
    .where('id', '=', v.id),
)

/** Undefined where it was finished before. */
export const finishImport = defineQuery(
  'finish_community_import',
  (v: { id: string; error: string | null }) =>
    query
      .updateTable('community_imports')
      .set({
        state: sql<string>`case when ${v.error}::text is null then 'completed' else 'failed' end`,
        error: v.error,
        finished_at: sql`now()`,
        updated_at: sql`now()`,
      })
      .where('id', '=', v.id)
      .where('finished_at', 'is', null)
      .returning(columns),
).first()

export interface FaultyLine {
  readonly line: number
  readonly record: string
  readonly faults: readonly FieldFault[]
}
const addFaults = defineQuery('add_community_import_faults', (v: { id: string; json: string }) =>
  query
    .insertInto('community_import_faults')
    .columns(['import_id', 'line', 'type', 'faults'])
    .expression(
      sql`select ${v.id}::uuid, f.line, f.record, f.faults
        from json_to_recordset(${v.json}::json) as f (line integer, record text, faults jsonb)`,
    ),
)
export const insertFaults = deriveQuery(({ id, rows }: { id: string; rows: readonly FaultyLine[] }) =>
  rows.length === 0 ? answering([]) : addFaults({ id, json: JSON.stringify(rows) }),
)

/** Faulty lines that are shown with an import. */
const FIRST_FAULTS = 100
export const listFirstFaults = defineQuery('first_community_import_faults', (v: { id: string }) =>
  query
    .selectFrom('community_import_faults')
    .select(['line', 'type as record', 'faults'])
    .where('import_id', '=', v.id)
    .orderBy('line')
    .limit(FIRST_FAULTS),
).map((row) => row as unknown as FaultyLine)

/** What an id of a file has become. Stored ids. */
export interface MappedId {
  readonly record: string
  readonly old_id: string
  readonly new_id: string
  readonly within: string | null
}
export const insertIds = defineQuery('add_community_import_ids', (v: { id: string; json: string }) =>
  query
    .insertInto('community_import_ids')
    .columns(['import_id', 'type', 'old_id', 'new_id', 'within'])
    .expression(
      sql`select ${v.id}::uuid, m.record, m.old_id, m.new_id, m.within
        from json_to_recordset(${v.json}::json) as m (record text, old_id uuid, new_id uuid, within uuid)`,
    ),
)

/** What these ids have become. @param v.json [{record, old_id}] */
export const findIds = defineQuery('community_import_ids_of', (v: { id: string; json: string }) =>
  query
    .selectFrom('community_import_ids as m')
    .innerJoin(
      sql<{
        record: string
        old_id: string
      }>`(select * from json_to_recordset(${v.json}::json) as w (record text, old_id uuid))`.as('w'),
      (on) => on.onRef('w.record', '=', 'm.type').onRef('w.old_id', '=', 'm.old_id'),
    )
    .select(['m.type as record', 'm.old_id', 'm.new_id', 'm.within'])
    .where('m.import_id', '=', v.id),
)

interface MapPage {
  id: string
  record: string | null
  old_id: string | null
}
/** A page of the ids that changed, and one more. */
export const listMoved = defineQuery('community_import_map', (v: MapPage) =>
  query
    .selectFrom('community_import_ids')
    .select(['type as record', 'old_id', 'new_id'])
    .where('import_id', '=', v.id)
    .where(sql<boolean>`old_id <> new_id`)
    .where(
      sql<boolean>`(${v.record}::text is null or (type, old_id) > (${v.record}::text, ${v.old_id}::uuid))`,
    )
    .orderBy('type')
    .orderBy('old_id')
    .limit(MAP_PAGE + 1),
)

/** The template of the addresses of discussions, if the project has one. */
export const findDiscussionUrl = defineQuery('discussion_url_of_project', () =>
  query.selectFrom('discussion_settings').select('discussion_url'),
)
  .map(({ discussion_url }) => discussion_url)
  .first()

/** Deletes imports that finished a week ago. */
export const deleteOldImports = defineQuery('delete_old_community_imports', () =>
  query.deleteFrom('community_imports').where('finished_at', '<', sql<string>`now() - interval '7 days'`),
)
