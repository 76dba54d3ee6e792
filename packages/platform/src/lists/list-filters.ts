import { type Expression, type SqlBool, sql } from 'kysely'
import { dateRange } from '../http/date-range.ts'

/** A condition of a list that a request may ask for, by the name of its query parameter. */
export interface Filter<G = unknown> {
  /** @param value the parameter of the statement, or for a choice the value itself */
  readonly where: (value: unknown) => Expression<SqlBool>
  /** Converts the value that a client sent to the value that is bound. Undefined: it is no id. */
  readonly toValue: (given: G) => unknown
  /** True where each value has a statement of its own. */
  readonly isChoice: boolean
}

/** Any SQL condition with one bound value. @param toValue what is bound for what a client sent */
export const condition = <G>(
  where: (value: unknown) => Expression<SqlBool>,
  toValue: (given: G) => unknown = (given) => given,
): Filter<G> => ({ where, toValue, isChoice: false })

/** A value of the scope that the columns of the rows use, such as who reads. It leaves nothing out. */
export const shown = <G>(): Filter<G> => condition<G>(() => sql<SqlBool>`true`)

/** The column has the value. */
export const equals = <G extends string | number | boolean>(column: string): Filter<G> =>
  condition((value) => sql<SqlBool>`${sql.ref(column)} = ${value}`)

/** The column has the id. A text that is no id is refused. @param parse answers the stored id or undefined */
export const hasId = (column: string, parse: (text: string) => string | undefined): Filter<string> =>
  condition((value) => sql<SqlBool>`${sql.ref(column)} = ${value}::uuid`, parse)

/** One of a few words, each with its own condition and its own statement. */
export const choice = <G extends string | boolean>(where: (word: G) => Expression<SqlBool>): Filter<G> => ({
  where: (word) => where(word as G),
  toValue: (given) => given,
  isChoice: true,
})

/**
 * The column has one of a few words. Each word has a statement of its own, whose plan knows how rare it is: of a list where all have
 * the same state, another state is looked up in an index, and not among all rows.
 */
export const word = <G extends string>(column: string): Filter<G> =>
  choice<G>((each) => sql<SqlBool>`${sql.ref(column)} = ${sql.lit(each)}`)

/** `start_date` and `end_date` of a column: both included, of an end date the whole day. */
export const between = (column: string) => ({
  start_date: condition<string>(
    (value) => sql<SqlBool>`${sql.ref(column)} >= ${value}::timestamptz`,
    (start_date) => dateRange({ start_date }).from,
  ),
  end_date: condition<string>(
    (value) => sql<SqlBool>`${sql.ref(column)} < ${value}::timestamptz`,
    (end_date) => dateRange({ end_date }).until,
  ),
})

/**
 * `start_date` and `end_date` of rows whose ids are made by real time: the earliest id of that time, so that the index of ids bounds what
 * is read.
 */
const idAt = (value: unknown, distance: string) =>
  sql`(lpad(to_hex(greatest(floor(extract(epoch from ${value}::timestamptz ${sql.raw(distance)}) * 1000), 0)::int8), 12, '0')
    || repeat('0', 20))::uuid`

const rangeByIds = (where: (value: unknown, sign: '>=' | '<') => Expression<SqlBool>) => ({
  start_date: condition<string>(
    (value) => where(value, '>='),
    (start_date) => dateRange({ start_date }).from,
  ),
  end_date: condition<string>(
    (value) => where(value, '<'),
    (end_date) => dateRange({ end_date }).until,
  ),
})

/** The same by the time in an id alone, such as that of an event. */
export const betweenIds = (id: string) =>
  rangeByIds((value, sign) => sql<SqlBool>`${sql.ref(id)} ${sql.raw(sign)} ${idAt(value, '')}`)

/**
 * The same of a column that is written when a row gets its id, by real time. It needs no index of its own: the ids of an hour around
 * are read, and the column decides.
 */
export const betweenByIds = (id: string, column: string) =>
  rangeByIds((value, sign) => {
    const distance = sign === '<' ? "+ interval '1 hour'" : "- interval '1 hour'"
    return sql<SqlBool>`(${sql.ref(id)} ${sql.raw(sign)} ${idAt(value, distance)}
      and ${sql.ref(column)} ${sql.raw(sign)} ${value}::timestamptz)`
  })

/**
 * A column that contains the text, in upper or lower case. It looks at all rows that the other conditions leave. `ilike`
 * would make the pattern lower case again for each of them.
 * @param columns as they are, or as `lowered` where they are lower case already, such as `email_key`
 */
export const contains = (...columns: readonly (string | { readonly lowered: string })[]) => ({
  where: ({ pattern }: Readonly<Record<string, unknown>>) =>
    sql<SqlBool>`(${sql.join(
      columns.map((column) =>
        typeof column === 'string'
          ? sql`lower(${sql.ref(column)}) like ${loweredOnce(pattern)}`
          : sql`${sql.ref(column.lowered)} like ${loweredOnce(pattern)}`,
      ),
      sql` or `,
    )})`,
})

/**
 * A column is the id of a member whose address or name contains the text, by the index of members' words, which only a function reaches
 * (decision 0018). Of a text that more than 10,000 members have, records of 10,000 of them are found.
 */
export const ofMemberFound = (column: string) => ({
  where: ({ search, pattern }: Readonly<Record<string, unknown>>) =>
    sql<SqlBool>`${sql.ref(column)} in (select app.find_members(lower(${search}::text), lower(${pattern}::text)))`,
})

/** A pattern in lower case, made once for a statement and not for each row. */
const loweredOnce = (pattern: unknown) => sql<string>`(select lower(${pattern}::text))`

/** The pattern of `like` that finds a text anywhere. */
export const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
