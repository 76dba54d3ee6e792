import { type Compilable, type Expression, type SqlBool, sql } from 'kysely'
import { query } from '../db/statement.ts'
import { LARGEST_PAGE } from '../http/page.ts'
import { MOST_MATCHES } from '../search/search.ts'
import type { Filter } from './list-filters.ts'
import type { Order, Parts, Rows, Sort, Values, Variant } from './list-parts.ts'

// This file builds the SQL of lists. A page is found from the beginning, after a cursor, or at an offset: there ids come
// first, by an index alone, and from the nearer end if a stored total says which one that is.

type Matching = Pick<Variant, 'filters' | 'search'>

/** Whether one plan is the best whatever the values are: each filter has an index, or is a word of the statement's text. */
const isSteady = ({ filters, indexed }: Parts, variant: Variant): boolean =>
  !variant.search && variant.filters.every(([name]) => filters[name]?.isChoice || indexed.includes(name))

/**
 * Whether a page is planned for the values of each request. A list that is led by a column would get one plan for all
 * values, because each of its branches has a limit that is a number.
 */
export const isPlannedAnew = (parts: Parts, variant: Variant): boolean =>
  parts.ledBy !== undefined && !variant.search && !isSteady(parts, variant)

/** One row more than the largest page shows whether there is a next page. */
const REACH = sql.lit(LARGEST_PAGE + 1)
const opposite = (order: Order): Order => (order === 'asc' ? 'desc' : 'asc')
const int8 = (value: unknown) => sql<number>`${value}::int8`

/** What the cursor of a row needs: `cursor_0`, `cursor_1`, … are the values of the columns of its order. */
export const withCursor = <R>({ columns, byOffset }: Sort, select: Rows<R>): Rows<R> =>
  byOffset
    ? select
    : columns.reduce((all, { column }, i) => all.select(sql`${column}::text`.as(`cursor_${i}`)), select)

/** The names of those columns. */
export const cursorColumns = ({ columns, byOffset }: Sort): string[] =>
  byOffset ? [] : columns.map((_, i) => `cursor_${i}`)

/** The rows of one page, and one more where there is one. */
export function pageQuery(
  parts: Parts,
  variant: Variant,
  v: Values,
): Compilable<unknown> & Expression<unknown> {
  const { key, rows } = parts
  const sort = sortOf(parts, variant)
  if (sort.byOffset) {
    const page = matching(parts, variant, v, rows(v), undefined).orderBy(inOrder(parts, variant))
    return page.limit(int8(v.limit)).offset(int8(v.offset))
  }
  if (variant.way === 'skip') {
    const ids = skippingIds(parts, variant, v)
    const page = conditions(parts.scope, namesOf(parts.scope), v).reduce(
      (all, each) => all.where(each),
      rows(v),
    )
    return withCursor(sort, page.where(sql<SqlBool>`${key} = any (array(${ids}))`)).orderBy(
      inOrder(parts, variant),
    )
  }
  const next = (select: Rows<unknown>) =>
    afterCursor(parts, variant, v).reduce((all, each) => all.where(each), select)
  const branches = split(parts, variant)
  if (branches.length === 1) {
    const page = next(matching(parts, variant, v, withCursor(sort, rows(v)), branches[0])).orderBy(
      inOrder(parts, variant),
    )
    if (!isSteady(parts, variant)) return page.limit(int8(v.limit))
    // For a limit in a parameter, PostgreSQL assumes a tenth of all rows, and plans anew each time. A plan whose limit
    // is a number is kept. A select around a select with a limit keeps its order.
    return query
      .selectFrom(sql<object>`(${page.limit(REACH)})`.as('page'))
      .selectAll()
      .limit(int8(v.limit))
  }
  const union = sql.join(
    branches.map((word) => {
      const branch = selectOrder(sort, matching(parts, variant, v, withCursor(sort, rows(v)), word)).select(
        sql`${key}`.as('list_key'),
      )
      return sql`(${next(branch).orderBy(inOrder(parts, variant)).limit(REACH)})`
    }),
    sql` union all `,
  )
  return query
    .selectFrom(sql<object>`(${union})`.as('page'))
    .selectAll()
    .orderBy(orderOf(selectedOrder(sort, 'list_key'), variant.order))
    .limit(int8(v.limit))
}

/** How many rows match; of a search up to so many, and one more where there are more. */
export function totalQuery(parts: Parts, variant: Matching, v: Values): Compilable<{ total: number }> {
  const kept = keptTotal(parts, variant, v)
  if (kept !== undefined) return query.selectNoFrom(sql<number>`${kept}`.as('total'))
  const found = matching(parts, variant, v, parts.rows(v).clearSelect(), undefined)
  const rows = found.select(sql`1`.as('one'))
  const counted = variant.search ? rows.limit(sql.lit(MOST_MATCHES + 1)) : rows
  return query.selectFrom(sql<object>`(${counted})`.as('found')).select(sql<number>`count(*)`.as('total'))
}

/** Ids of the rows that come after so many. */
function skippingIds(parts: Parts, variant: Variant, v: Values): Expression<unknown> {
  const offset = int8(v.offset)
  const kept = keptTotal(parts, variant, v)
  if (kept === undefined)
    return sql`select id from (${slice(parts, variant, v, { limit: int8(v.limit), offset })}) as page`
  const total = sql<number>`(select total from counted)`
  const count = sql<number>`greatest(least(${int8(v.limit)}, ${total} - ${offset}), 0)`
  const fromStart = slice(parts, variant, v, { limit: int8(v.limit), offset })
  const backwards = { ...variant, order: opposite(variant.order) }
  const before = sql<number>`greatest(${total} - ${offset} - ${int8(v.limit)}, 0)`
  const fromEnd = slice(parts, backwards, v, { limit: count, offset: before })
  // PostgreSQL reads the one of the two whose condition holds, and neither of them past the end.
  return sql`with counted as materialized (select (${kept}) as total)
    select id from (${fromStart}) as from_start where ${offset} * 2 <= ${total}
    union all
    select id from (${fromEnd}) as from_end where ${offset} * 2 > ${total} and ${offset} < ${total}`
}

interface Slice {
  readonly limit: Expression<number>
  readonly offset: Expression<number>
}

/** Ids in order, some of them skipped. An index that has sort and key answers alone. */
function slice(parts: Parts, variant: Variant, v: Values, { limit, offset }: Slice): Expression<unknown> {
  const sort = sortOf(parts, variant)
  const ids = (word: string | undefined) =>
    selectOrder(sort, matching(parts, variant, v, parts.rows(v).clearSelect(), word))
      .select(sql`${parts.key}`.as('id'))
      .orderBy(inOrder(parts, variant))
  const [only, ...others] = split(parts, variant)
  if (others.length === 0) return sql`${ids(only)} limit ${limit} offset ${offset}`
  const union = sql.join(
    [only, ...others].map((word) => sql`(${ids(word).limit(sql<number>`${limit} + ${offset}`)})`),
    sql` union all `,
  )
  return sql`select id from (${union}) as ids
    order by ${orderOf(selectedOrder(sort, 'id'), variant.order)} limit ${limit} offset ${offset}`
}

const keptTotal = (parts: Parts, variant: Matching, v: Values): Expression<number> | undefined => {
  if (variant.search) return undefined
  const words = Object.fromEntries(
    variant.filters.flatMap(([name, word]) => (word === undefined ? [] : [[name, word] as const])),
  )
  // The parameters of a statement can only be read by name, so they are copied name by name.
  const names = [...Object.keys(parts.scope), ...variant.filters.map(([name]) => name)]
  const values = Object.fromEntries(names.map((name) => [name, words[name] ?? v[name]]))
  return parts.kept?.(new Set(variant.filters.map(([name]) => name)), values)
}

/** Adds the conditions of a request, in no order, to rows that have the key. */
export function narrowed<R>(parts: Parts, variant: Matching, v: Values, rows: Rows<R>): Rows<R> {
  return matching(parts, variant, v, rows, undefined)
}

/** Adds the conditions of a variant. @param led the word of the leading column, where branches are united */
function matching<R>(
  parts: Parts,
  variant: Matching,
  v: Values,
  rows: Rows<R>,
  led: string | undefined,
): Rows<R> {
  const { ledBy, filters, scope, search } = parts
  const has = (name: string) => variant.filters.some(([each]) => each === name)
  const given: Expression<SqlBool>[] = [
    ...conditions(scope, namesOf(scope), v),
    ...conditions(filters, variant.filters, v),
    ...(led === undefined || !ledBy ? [] : conditions(filters, [[ledBy.filter, led]], v)),
    ...(variant.search && search?.where ? [search.where(v, has)] : []),
  ]
  const hits = variant.search ? search?.ranked?.(v, has) : undefined
  const from = hits === undefined ? rows : rows.innerJoin(hits.as('hit'), 'hit.id', parts.keyName)
  return given.reduce((all, each) => all.where(each), from)
}

export const namesOf = (filters: object): readonly [string][] => Object.keys(filters).map((name) => [name])

export function conditions(
  filters: Readonly<Record<string, Filter<never>>>,
  given: Variant['filters'],
  v: Values,
): Expression<SqlBool>[] {
  return given.map(([name, word]) => {
    const filter = filters[name]
    if (filter === undefined) throw new Error(`the list has no filter ${name}`)
    return filter.where(filter.isChoice ? word : v[name])
  })
}

/** The words of the leading column, each read by itself; one branch where the request names its word. */
function split({ ledBy }: Parts, variant: Variant): (string | undefined)[] {
  if (ledBy === undefined || variant.filters.some(([name]) => name === ledBy.filter)) return [undefined]
  return [...ledBy.words]
}

function afterCursor(parts: Parts, variant: Variant, v: Values): Expression<SqlBool>[] {
  if (variant.way !== 'after') return []
  const { columns } = sortOf(parts, variant)
  const sign = sql.raw(variant.order === 'asc' ? '>' : '<')
  const key = sql`${v.after_key}::${sql.raw(parts.keyType)}`
  if (columns.length === 0) return [sql<SqlBool>`${parts.key} ${sign} ${key}`]
  const all = sql.join([...columns.map(({ column }) => column), parts.key])
  const values = sql.join([...columns.map(({ type }, i) => sql`${v[`after_${i}`]}::${sql.raw(type)}`), key])
  return [sql<SqlBool>`(${all}) ${sign} (${values})`]
}

/** Selects the columns of an order, as `list_0`, `list_1`, … */
const selectOrder = <R>({ columns }: Sort, select: Rows<R>): Rows<R> =>
  columns.reduce((all, { column }, i) => all.select(sql`${column}`.as(`list_${i}`)), select)

const selectedOrder = ({ columns }: Sort, key: string) => [
  ...columns.map((_, i) => sql.ref(`list_${i}`)),
  sql.ref(key),
]

const inOrder = (parts: Parts, variant: Variant) =>
  orderOf([...sortOf(parts, variant).columns.map(({ column }) => column), parts.key], variant.order)

const orderOf = (columns: readonly Expression<unknown>[], order: Order): Expression<unknown> =>
  sql.join(columns.map((column) => sql`${column} ${sql.raw(order)}`))

export function sortOf({ sorts }: Parts, { sort }: Pick<Variant, 'sort'>): Sort {
  const found = sorts[sort]
  if (found === undefined) throw new Error(`the list cannot be sorted by ${sort}`)
  return found
}
