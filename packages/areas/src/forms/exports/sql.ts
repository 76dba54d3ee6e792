import { type RawBuilder, sql } from 'kysely'
import type { FileLinks } from '#areas/storage/service.ts'
import { guarded } from '#platform/csv/formula-guard.ts'
import { literalSql } from '#platform/csv/literal-sql.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { formId } from '../ids.ts'
import { fileUrl } from '../rows.ts'
import { submissionsInOrder } from '../submissions/queries.ts'
import type { SubmissionFilter } from '../submissions/schema.ts'
import type { FieldColumn, Kind } from './columns.ts'

/** The form, the filters, and where to continue. */
export interface Selection {
  /** The stored id. */
  readonly formId: string
  readonly filter: SubmissionFilter
  /** The stored id of the export: submissions after its creation are left out. */
  readonly exportId?: string
  /** The stored id and creation time of a submission: the export continues after it. */
  readonly after?: { readonly id: string; readonly created_at: string } | undefined
  /** What files are in a CSV: whoever opens it has no key. */
  readonly links: FileLinks
}

/** Separates the values of a field with several values. */
const LIST_SEPARATOR = '; '

const selected = ({ formId, filter, exportId, after }: Selection) => {
  let rows = submissionsInOrder(formId, filter)
  if (exportId !== undefined)
    rows = rows.where('created_at', '<', (from) =>
      from.selectFrom('exports').select('created_at').where('id', '=', exportId),
    )
  if (after !== undefined)
    rows = rows.where(sql<boolean>`(created_at, id) > (${after.created_at}::timestamptz, ${after.id}::uuid)`)
  return rows.select(['id', 'created_at', 'member_id'])
}

/**
 * The rows of a CSV export, one column for each field. The first columns are id, created_at and member_id.
 * @param raw true does not guard against formulas of spreadsheets
 */
export function csvSql(
  selection: Selection,
  columns: readonly FieldColumn[],
  { raw }: { readonly raw: boolean },
): string {
  const rows = selected(selection)
    .select(columns.map((column, i) => cellOf(column, selection.links).as(`c${i}`)))
    .select(['ip', 'user_agent', 'referrer'])
  if (raw) return literalSql(rows)
  // The subquery has an order, so PostgreSQL does not inline it, and each cell is computed once although it is used
  // several times.
  return literalSql(
    query
      .selectFrom(rows.as('s'))
      .select(['s.id', 's.created_at', 's.member_id'])
      .select(columns.map((_, i) => guardedColumn(`c${i}`)))
      .select('s.ip')
      .select([guardedColumn('user_agent'), guardedColumn('referrer')]),
  )
}

const guardedColumn = (name: string) => guarded(sql.ref(name)).as(name)

/** The value of a field as text. */
function cellOf({ id, kinds }: FieldColumn, links: FileLinks): RawBuilder<string | null> {
  const [[only] = []] = kinds
  if (kinds.size === 1 && only !== undefined) return CELLS[only](id, links)
  const branches = [...kinds].map(
    ([kind, versions]) =>
      sql`when form_version in (${sql.join(versions.map((version) => sql.lit(version)))})
        then ${CELLS[kind](id, links)}`,
  )
  return sql`case ${sql.join(branches, sql` `)} end`
}

const CELLS: Readonly<Record<Kind, (id: string, links: FileLinks) => RawBuilder<string | null>>> = {
  value: (id) => sql`data ->> ${id}`,
  list: (id) =>
    sql`case when jsonb_typeof(data -> ${id}) = 'array'
      then array_to_string(array(select jsonb_array_elements_text(data -> ${id})), ${LIST_SEPARATOR})
      else data ->> ${id} end`,
  file: (id, links) => links.linkTo(sql`(data ->> ${id})`),
}

function urlOf(id: string, baseUrl: string): RawBuilder<string | null> {
  const [before, behind] = fileUrl(baseUrl)
  return sql`${before} || (data ->> ${id}) || ${behind}`
}

/**
 * The rows of a JSON export: submissions as the API shows them. The first columns are those of CSV; then comes an
 * object with the rest. It is concatenated as text, which takes half of the time of building it.
 */
export function jsonSql(selection: Selection, columns: readonly FieldColumn[], baseUrl: string): string {
  const start = `{"form_id":${JSON.stringify(toId(formId, selection.formId))},"form_version":`
  const rest = sql<string>`${start} || form_version || ',"status":"' || status || '","data":' ||
    ${dataOf(columns, baseUrl)}::text || ',"metadata":{"ip":' || to_json(ip) || ',"user_agent":' ||
    to_json(user_agent) || ',"referrer":' || to_json(referrer) || '}}'`
  return literalSql(selected(selection).select(rest.as('rest')))
}

/** The values of a submission, with files as URLs. */
function dataOf(columns: readonly FieldColumn[], baseUrl: string): RawBuilder<unknown> {
  let data: RawBuilder<unknown> = sql`data`
  for (const { id, kinds } of columns) {
    const versions = kinds.get('file')
    if (versions === undefined) continue
    const shown = sql`jsonb_set_lax(${data}, array[${id}], to_jsonb(${urlOf(id, baseUrl)}), false, 'return_target')`
    data =
      kinds.size === 1
        ? shown
        : sql`case when form_version in (${sql.join(versions.map((version) => sql.lit(version)))})
          then ${shown} else ${data} end`
  }
  return data
}
