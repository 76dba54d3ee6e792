import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TProperties } from 'typebox'
import type { ProjectData } from '../db/tenant.ts'
import type { Resource } from '../ids.ts'
import type { Permission } from '../keys/permissions.ts'
import type { Rows } from '../lists/list-parts.ts'
import { currencyCodes, currencyDigits } from '../values/money.ts'
import { guarded } from './formula-guard.ts'
import { literalSql } from './literal-sql.ts'
import { BYTE_ORDER_MARK, csvLine, csvRows, type LeadColumn, type RowFormat } from './row-writer.ts'

/** The filters of a list, as a body names them. */
export type ListFilters = Readonly<Record<string, unknown>>

/** A list as a CSV: the columns, and the rows that the filters of the list leave. */
export interface ListExport {
  /** What clients call it, like `orders`. */
  readonly of: string
  /** The name of the file, without date. */
  readonly title: string
  /** What a key needs to read the list. */
  readonly permission: Permission
  /** The query parameters of the list that are filters. */
  readonly filters: TProperties
  /** What the first column is the id of, and where it is stored. */
  readonly id: { readonly is: Resource; readonly column: string }
  /** A time that rows are sorted by before their ids; without it by their ids alone. */
  readonly at?: { readonly name: string; readonly column: string }
  /** The other columns by name. Texts that people wrote are `guarded`. */
  readonly columns: Readonly<
    Record<string, RawBuilder<string | null> | { readonly guarded: RawBuilder<string | null> }>
  >
  /**
   * The rows under the filters, in no order.
   * @throws ApiError 400 for an id that is none
   */
  readonly rows: (filters: ListFilters) => Rows<unknown>
  /** Rows of before the export; by default those with an earlier id. */
  readonly before?: (exportId: string) => RawBuilder<SqlBool>
  /** What is stored of the filters, where it is known only when the export is requested. */
  readonly prepare?: (data: Pick<ProjectData, 'read'>, filters: ListFilters) => Promise<ListFilters>
}

export interface FileOptions {
  readonly bom: boolean
  /** True does not guard against formulas of spreadsheets. */
  readonly raw: boolean
}

const leadsOf = ({ id, at }: ListExport): LeadColumn[] => [
  { name: 'id', as: id.is },
  ...(at === undefined ? [] : [{ name: at.name, as: 'timestamp' } as const]),
]

/** The rows of a file, in an order in which it can continue. */
export interface ListSource {
  readonly format: RowFormat
  /** Goes before the first row. */
  readonly head: string
  /** One SELECT with its values in it, of the rows behind the one of this name; null: of all. */
  sqlAfter(name: string | null): string
  /** What names a row, from its bytes as COPY sends them. */
  nameOf(row: Buffer): string
}

/** The rows of an export as COPY reads them. @param exportId the stored id: later rows are left out */
export function listSource(
  list: ListExport,
  filters: ListFilters,
  { bom, raw, exportId }: FileOptions & { readonly exportId: string },
): ListSource {
  const leads = leadsOf(list)
  const format = csvRows(leads)
  const names = [...leads.map(({ name }) => name), ...Object.keys(list.columns)]
  return {
    format,
    head: (bom ? BYTE_ORDER_MARK : '') + csvLine(names),
    sqlAfter: (name) => selectSql(list, filters, { raw, exportId, after: name?.split(',') }),
    nameOf: (row) => {
      const ends = leads.reduce((from) => row.indexOf(format.separator, from + 1), 0)
      return row.toString('latin1', 0, ends)
    },
  }
}

interface Selection {
  readonly raw: boolean
  readonly exportId: string
  /** The leading columns of the last row that is written. */
  readonly after: readonly string[] | undefined
}

function selectSql(list: ListExport, filters: ListFilters, { raw, exportId, after }: Selection): string {
  const { id, at, columns, before = (of) => sql<SqlBool>`${sql.ref(id.column)} < ${of}::uuid` } = list
  const key = sql`${sql.ref(id.column)}`
  const order = at === undefined ? key : sql`${sql.ref(at.column)}, ${key}`
  const next =
    after === undefined
      ? undefined
      : at === undefined
        ? sql<SqlBool>`${key} > ${after[0]}::uuid`
        : sql<SqlBool>`(${order}) > (${after[1]}::timestamptz, ${after[0]}::uuid)`
  const narrowed = [before(exportId), ...(next === undefined ? [] : [next])].reduce<Rows<unknown>>(
    (rows, each) => rows.where(each),
    list.rows(filters),
  )
  const cells = Object.values(columns)
  const lead = [key.as('id'), ...(at === undefined ? [] : [sql`${sql.ref(at.column)}`.as('at')])]
  const selected = cells.map((cell, i) => ('guarded' in cell ? cell.guarded : cell).as(`c${i}`))
  // A select with an order is not inlined, so that each cell is computed once although its guard uses it several times.
  const inner = [...lead, ...selected]
    .reduce<Rows<unknown>>((rows, each) => rows.select(each), narrowed)
    .orderBy(order)
  const shown = cells.map((cell, i) => {
    const column = sql<string | null>`s.${sql.ref(`c${i}`)}`
    return 'guarded' in cell && !raw ? guarded(column) : column
  })
  const leading = [sql`s.id`, ...(at === undefined ? [] : [sql`s.at`])]
  return literalSql(sql`select ${sql.join([...leading, ...shown])} from (${inner}) s`)
}

const byDigits = Map.groupBy(currencyCodes(), currencyDigits)

/** An amount in the smallest unit of its currency as a decimal number of the currency. */
export function amount(minor: string, currency: string): RawBuilder<string | null> {
  const decimal = (digits: number) =>
    sql`round(${sql.ref(minor)}::numeric / ${sql.lit(10 ** digits)}, ${sql.lit(digits)})::text`
  const others = [...byDigits].filter(([digits]) => digits !== 2)
  const branches = others.map(
    ([digits, codes]) =>
      sql`when ${sql.ref(currency)} in (${sql.join(codes.map((code) => sql.lit(code)))}) then ${decimal(digits)}`,
  )
  return sql`case ${sql.join(branches, sql` `)} else ${decimal(2)} end`
}

/** A time as the API shows it. */
export const timestamp = (column: string): RawBuilder<string | null> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The public id of a column. @param prefix like `mem` */
export const publicId = (prefix: string, column: string): RawBuilder<string | null> =>
  sql`app.public_id(${sql.lit(prefix)}, ${sql.ref(column)})`
