import {
  AliasNode,
  ColumnNode,
  type Expression,
  IdentifierNode,
  type OperationNode,
  type RawBuilder,
  ReferenceNode,
  SelectQueryNode,
  sql,
} from 'kysely'

// No JSON answer is over 8 MiB. A page of long texts is made to fit by PostgreSQL, so that what is not answered never reaches this
// process.

/** Bytes of JSON that the long values of one page may have in all; what is left of 8 MiB is for everything else. */
const MOST_BYTES = 7 * 1024 * 1024
/** Bytes of JSON that one character can take: `\u0001`. The longest entity of HTML, `&amp;`, takes less. */
const BYTES_OF_CHARACTER = 6

/** The columns of a page that can be long. */
export interface LongColumns {
  readonly texts?: readonly string[]
  /** HTML, by the text that it was made of. In place of what is too long, that text is answered, escaped. */
  readonly html?: Readonly<Record<string, string>>
  /** JSON objects, whose values can be long texts. */
  readonly json?: readonly string[]
}

/** Rows that are shown together, such as a comment with its replies: a page ends before the first of them or behind the last. */
export interface Together {
  /** What they have in common. */
  readonly root: Expression<unknown>
  /** Whether a row is the one by which they have their place in the page. */
  readonly isFirst: Expression<unknown>
}

export interface Fit {
  readonly long: LongColumns
  /**
   * Whether somebody walks by cursor: then the page ends early. A page with a number answers all of its rows, with long values
   * cut and named in `truncated`.
   */
  readonly walks: boolean
  readonly together?: Together
}

/** What a page that was made to fit says beside its columns. */
export interface Fitted {
  /** The columns that are cut; null where there are none. */
  readonly truncated: string[] | null
  /** How many rows the page would have without its bound. */
  readonly page_rows: number
}

/**
 * A page whose long values take at most 7 MiB of JSON.
 * @param page a select with its order and its limit
 * @param names of all its columns
 */
export function fitPage<R extends Fitted>(
  page: Expression<unknown>,
  names: readonly string[],
  fit: Fit,
): RawBuilder<R> {
  const { long, walks, together } = fit
  const columns = [...(long.texts ?? []), ...Object.keys(long.html ?? {}), ...(long.json ?? [])]
  const sum = (bytesOf: (column: string) => Expression<unknown>) => sql.join(columns.map(bytesOf), sql` + `)
  const stored = sum((column) => sql`coalesce(octet_length(${textOf(long, column)}), 0)`)
  const exact = sum((column) => bytesOf(long, column))
  // Texts are measured as JSON only where they might be too long: the first look does not read what is stored apart.
  const measured = sql`select looked.*,
      case when stored_bytes * ${sql.lit(BYTES_OF_CHARACTER)} > ${sql.lit(MOST_BYTES)} then ${exact} else 0 end as bytes
    from (select page.*, row_number() over () as place, count(*) over () as page_rows,
        sum(${stored}) over () as stored_bytes
      from (${page}) as page) as looked`
  if (walks)
    return sql`select ${sql.join(names.map((name) => sql.ref(name)))}, null::text[] as truncated, page_rows
      from (${running(measured, together)}) as fitted
      where running_bytes <= ${sql.lit(MOST_BYTES)} or is_first order by place`
  const most = sql`(${sql.lit(MOST_BYTES)} / (page_rows * ${sql.lit(columns.length)}))`
  const isCut = (column: string) =>
    sql`(page_bytes > ${sql.lit(MOST_BYTES)} and ${bytesOf(long, column)} > ${most})`
  const shown = names.map((name) =>
    columns.includes(name)
      ? sql`case when ${isCut(name)} then ${cut(long, name, sql`(${most} / ${sql.lit(BYTES_OF_CHARACTER)})::int`)}
          else ${sql.ref(name)} end as ${sql.ref(name)}`
      : sql.ref(name),
  )
  const truncated = columns.map((column) => sql`case when ${isCut(column)} then ${sql.lit(column)}::text end`)
  return sql`select ${sql.join(shown)}, nullif(array_remove(array[${sql.join(truncated)}], null), '{}') as truncated, page_rows
    from (select measured.*, sum(bytes) over () as page_bytes from (${measured}) as measured) as fitted order by place`
}

/** The names of the columns of a select, which names each of them. */
export function columnsOf(select: Expression<unknown>): string[] {
  const node = select.toOperationNode()
  const selections = SelectQueryNode.is(node) ? (node.selections ?? []) : []
  return selections.map(({ selection }) => nameOf(selection))
}

function nameOf(node: OperationNode): string {
  if (AliasNode.is(node) && IdentifierNode.is(node.alias)) return node.alias.name
  if (ReferenceNode.is(node)) return nameOf(node.column)
  if (ColumnNode.is(node)) return node.column.name
  throw new TypeError(`a column of a list has no name: ${node.kind}`)
}

/** Whether a page ends early because more would be too long for an answer. */
export const isCutShort = (rows: readonly Fitted[]): boolean => rows.length < Number(rows[0]?.page_rows ?? 0)

/** What an answer says of columns that are cut: nothing where there are none. */
export const shownTruncated = ({ truncated }: Partial<Pick<Fitted, 'truncated'>>) =>
  truncated ? { truncated } : {}

/** The bytes of everything up to a row, with all that is shown together with it. */
const running = (measured: Expression<unknown>, together: Together | undefined): RawBuilder<unknown> =>
  together === undefined
    ? sql`select m.*, sum(bytes) over (order by place) as running_bytes, place = 1 as is_first from (${measured}) as m`
    : sql`select r.*, max(of_first) over (partition by root) as running_bytes,
        min(place_of_first) over (partition by root) = min(place_of_first) over () as is_first
      from (select g.*, case when leads then sum(case when leads then group_bytes end) over (order by place) end as of_first,
          case when leads then place end as place_of_first
        from (select m.*, ${together.root} as root, ${together.isFirst} as leads,
            sum(bytes) over (partition by ${together.root}) as group_bytes
          from (${measured}) as m) as g) as r`

const textOf = ({ json = [] }: LongColumns, column: string) =>
  json.includes(column) ? sql`${sql.ref(column)}::text` : sql`${sql.ref(column)}`

/** Bytes of a value as JSON. */
const bytesOf = (long: LongColumns, column: string) =>
  long.json?.includes(column)
    ? sql`coalesce(octet_length(${textOf(long, column)}), 0)`
    : sql`coalesce(octet_length(to_json(${sql.ref(column)})::text), 0)`

/** The beginning of a value. */
function cut({ html = {}, json = [] }: LongColumns, column: string, characters: Expression<number>) {
  const text = html[column]
  if (text !== undefined) return sql`app.text_as_html(left(${sql.ref(text)}, ${characters}))`
  if (json.includes(column)) return sql`app.shorten_values(${sql.ref(column)}, ${characters})`
  return sql`left(${sql.ref(column)}, ${characters})`
}
