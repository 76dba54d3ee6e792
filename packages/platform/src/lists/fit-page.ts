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

/** Bytes of JSON that the long values of one page may have in all. The rest of 8 MiB is for the other values. */
const MOST_BYTES = 7 * 1024 * 1024
/** Bytes of JSON that one character can take: `\u0001`. The longest entity of HTML, `&amp;`, takes less. */
const BYTES_OF_CHARACTER = 6

/** The columns of a page that can be long. */
export interface LongColumns {
  readonly texts?: readonly string[]
  /** HTML, by the text that it was made of. In place of what is too long, that text is answered, escaped. */
  readonly html?: Readonly<Record<string, string>>
  /** JSON objects, whose values can be long texts, with the type of their columns. */
  readonly json?: Readonly<Record<string, 'json' | 'jsonb'>>
  /** JSON bytes that a row has beside them, at the most, where that is more than a few hundred. See `bytesOfNames`. */
  readonly besides?: Expression<number>
}

/** JSON bytes of the longest name, as a mention in Markdown and in HTML has it. */
const BYTES_OF_NAMES = sql.lit(500)

/**
 * JSON bytes that are added at the most where names are put into the mentions of a text, and of the HTML that was made of it.
 * @param column a text that stores mentions by ids
 */
export const bytesOfNames = (column: string) =>
  sql<number>`((octet_length(${sql.ref(column)}) - octet_length(replace(${sql.ref(column)}, '[@](mem_', ''))) / 8 * ${BYTES_OF_NAMES})`

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
  { long, walks, together }: Fit,
): RawBuilder<R> {
  const columns = [...(long.texts ?? []), ...Object.keys(long.html ?? {}), ...Object.keys(long.json ?? {})]
  // PostgreSQL knows the length of a text that is stored apart without reading it.
  const stored = sum(columns, (column) => sql`octet_length(${textOf(long, column)})`)
  const rows = sql`select page.*, row_number() over () as place, count(*) over () as page_rows, ${stored} as stored_bytes,
      ${long.besides ?? sql`0`} as beside_bytes from (${page}) as page`
  const few = walks ? beginningOf(rows, 'stored_bytes', together) : rows
  // As JSON a text is up to six times as long. It is measured only if that decides: at most 7 MiB of texts are.
  const exact = sum(columns, (column) => bytesAsJson(long, column))
  const measured = sql`select looked.*, case when sum_stored * ${SIX} > ${MOST} and sum_stored <= ${MOST} then ${exact}
      else stored_bytes end + beside_bytes as bytes
    from (select few.*, sum(stored_bytes) over () as sum_stored from (${few}) as few) as looked offset 0`
  const kept = walks ? beginningOf(measured, 'bytes', together) : measured
  const share = sql<number>`(greatest(${MOST} - kept_besides, 0) / (kept_rows * ${sql.lit(columns.length)}) / ${SIX})::int`
  const isCut = (column: string) =>
    sql`(kept_bytes > ${MOST} and octet_length(${textOf(long, column)}) > ${share})`
  const shown = names.map((name) =>
    columns.includes(name)
      ? sql`case when ${isCut(name)} then ${cut(long, name, share)} else ${sql.ref(name)} end as ${sql.ref(name)}`
      : sql.ref(name),
  )
  const truncated = columns.map((column) => sql`case when ${isCut(column)} then ${sql.lit(column)}::text end`)
  return sql`select ${sql.join(shown)}, page_rows,
      nullif(array_remove(array[${sql.join(truncated)}], null), '{}') as truncated
    from (select kept.*, sum(bytes) over () as kept_bytes, sum(beside_bytes) over () as kept_besides, count(*) over () as kept_rows
      from (${kept}) as kept) as fitted
    order by place`
}

const MOST = sql.lit(MOST_BYTES)
const SIX = sql.lit(BYTES_OF_CHARACTER)

const sum = (columns: readonly string[], bytesOf: (column: string) => Expression<unknown>) =>
  sql.join(
    columns.map((column) => sql`coalesce(${bytesOf(column)}, 0)`),
    sql` + `,
  )

/** The rows that fit, from the first on; the first one always, with all that is shown together with it. */
function beginningOf(
  rows: Expression<unknown>,
  bytes: string,
  together: Together | undefined,
): RawBuilder<unknown> {
  const size = sql.ref(bytes)
  // Each call adds columns of its own names.
  const until = sql.ref(`${bytes}_until`)
  if (together === undefined)
    return sql`select * from (select r.*, sum(${size}) over (order by place) as ${until} from (${rows}) as r) as u
      where ${until} <= ${MOST} or place = 1`
  const [group, groupUntil, isFirst] = ['group', 'group_until', 'first'].map((name) =>
    sql.ref(`${bytes}_${name}`),
  )
  // A row ends where its group does, and a group has the place of its first row.
  return sql`select * from (
      select g.*, max(${groupUntil}) over (partition by ${together.root}) as ${until},
        min(place) filter (where ${together.isFirst}) over (partition by ${together.root})
          = min(place) filter (where ${together.isFirst}) over () as ${isFirst}
      from (select o.*, case when ${together.isFirst} then
            sum(case when ${together.isFirst} then ${group} end) over (order by place) end as ${groupUntil}
        from (select r.*, sum(${size}) over (partition by ${together.root}) as ${group} from (${rows}) as r) as o) as g) as u
    where ${until} <= ${MOST} or ${isFirst}`
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

/** Of a row that was on a page, or was read by itself. */
export interface MaybeTruncated {
  readonly truncated?: string[] | null | undefined
}

/** What an answer says of columns that are cut: nothing where there are none. */
export const shownTruncated = ({ truncated }: MaybeTruncated) => (truncated ? { truncated } : {})

const textOf = ({ json = {} }: LongColumns, column: string) =>
  column in json ? sql`${sql.ref(column)}::text` : sql`${sql.ref(column)}`

const bytesAsJson = (long: LongColumns, column: string) =>
  long.json?.[column]
    ? sql`octet_length(${textOf(long, column)})`
    : sql`octet_length(to_json(${sql.ref(column)})::text)`

/** The beginning of a value. */
function cut({ html = {}, json = {} }: LongColumns, column: string, characters: Expression<number>) {
  const text = html[column]
  if (text !== undefined)
    return sql`app.text_as_html(regexp_replace(left(${sql.ref(text)}, ${characters}), ${CUT_MENTION}, ''))`
  const type = json[column]
  if (type) return sql`app.shorten_values(${sql.ref(column)}::jsonb, ${characters})::${sql.raw(type)}`
  // A mention that is cut would be shown as it is stored.
  return sql`regexp_replace(left(${sql.ref(column)}, ${characters}), ${CUT_MENTION}, '')`
}

/** A mention at the end of a text that was cut. */
export const CUT_MENTION = sql.lit(String.raw`\[(@(\](\((m(e(m(_[0-9a-z]*)?)?)?)?)?)?)?$`)
