import { hash } from 'node:crypto'
import { type Compilable, type Expression, sql } from 'kysely'
import { defineQueries, deriveQuery } from '../db/query.ts'
import type { Ask, AskedStatement } from '../db/statement.ts'
import { invalidId } from '../errors.ts'
import { LARGEST_PAGE, type Pagination } from '../http/page.ts'
import { MOST_MATCHES } from '../search/search.ts'
import { columnsOf, fitPage, type LongColumns, type MaybeTruncated } from './fit-page.ts'
import { foundPageQuery, narrowedToFound } from './found-page.ts'
import { type CursorType, type SortType, toCursor } from './list-cursor.ts'
import { anywhere, type Filter } from './list-filters.ts'
import type { Order, Parts, Rows, Search, Sort, Values, Variant } from './list-parts.ts'
import { cursorColumns, isPlannedAnew, narrowed, pageQuery, sortOf, totalQuery } from './list-sql.ts'
import { cursorOf, toPagination } from './pagination.ts'

// This file declares lists. An area describes its list (rows, filters, search and sorting) and gets a function that
// answers pages and cursors. Each combination of what a request asks for is one statement, compiled at its first use.

/** A column to sort by, which is never null, with its type. */
export type SortColumn = readonly [column: string | Expression<unknown>, type: SortType]

/** An order: by one column, or by several, one after the other. All of them go in the same direction. */
export type SortColumns = SortColumn | readonly SortColumn[]

/** The order of a search that ranks what it finds. */
const RANK = 'rank'

/** What a list is. `S`: what each request must say; `F`: what it may say; `O`: what it can be sorted by. */
export interface ListDescription<
  R,
  S extends Readonly<Record<string, Filter<never>>>,
  F extends Readonly<Record<string, Filter<never>>>,
  O extends string,
  T = R,
> {
  /** What its statements are called in logs and traces. */
  readonly label: string
  /**
   * The rows with their columns, and with the conditions that always hold; in no order. `v.x` is the value `x` of the scope,
   * such as one that is `shown`.
   */
  readonly rows: (v: Values) => Compilable<R>
  /** The column that tells rows apart, which `rows` selects under its own name: `p.id`. It breaks ties of sorting. */
  readonly key: string
  readonly keyType?: SortType
  /** Conditions of every request, such as the thing that the rows belong to. */
  readonly scope?: S
  /** Conditions that a request may ask for, by their query parameters. */
  readonly filters?: F
  /** What `search` looks in. Totals of searches stop at 10,000. */
  readonly search?: Search
  /** By `sort`; the first is the default. Without any, the list is sorted by its key. */
  readonly sorts?: Readonly<Record<O, SortColumns>>
  /** Where the request does not say. Default: desc. */
  readonly order?: Order
  /** A filter whose column leads every index, with all its words: without the filter, each word is read by itself. */
  readonly ledBy?: { readonly filter: keyof F & string; readonly words: readonly string[] }
  /**
   * Filters that an index has before the columns of the sorting, so that one plan is the best for all their values and is
   * kept. With any other filter a page is planned for its values.
   */
  readonly indexed?: readonly (keyof F & string)[]
  /** The total under these filters where a counter keeps it; otherwise rows are counted. See `keptIn`. */
  readonly kept?: (given: ReadonlySet<string>, values: Values) => Expression<number> | undefined
  /** False for a list that shows no total. */
  readonly counts?: false
  /** Columns that can be long: a page of them is made to fit into an answer (fit-page.ts). Rows say what is `truncated`. */
  readonly long?: LongColumns
  /** What becomes of each row, such as what clients see. */
  readonly map?: (row: R & MaybeTruncated) => T
}

type Given<F> = F extends Filter<infer G> ? G : never

/** What a request says of a list, as its schema parsed it. */
export type ListRequest<S, F, O> = {
  readonly page?: number
  readonly limit: number
  readonly cursor?: string | undefined
  readonly search?: string | undefined
  readonly sort?: O | undefined
  readonly order?: Order | undefined
} & { readonly [K in keyof S]: Given<S[K]> } & { readonly [K in keyof F]?: Given<F[K]> | undefined }

/** The filters and the search of a request, without its page and order. */
export type Narrowing<S, F> = { readonly search?: string | undefined } & {
  readonly [K in keyof S]: Given<S[K]>
} & { readonly [K in keyof F]?: Given<F[K]> | undefined }

/** One page. */
export interface Listed<R> {
  readonly rows: R[]
  readonly pagination: Pagination
}

type NoFilters = Record<never, never>

/**
 * Describes a list once, at module level.
 * @returns a function that answers one page of it in one round trip
 */
export function defineList<
  R extends object,
  S extends Readonly<Record<string, Filter<never>>> = NoFilters,
  F extends Readonly<Record<string, Filter<never>>> = NoFilters,
  O extends string = never,
  T = R,
>(description: ListDescription<R, S, F, O, T>) {
  const parts = toParts(description)
  const { toValues = patternOf } = description.search ?? {}
  const { label, key, counts, map, long, order: defaultOrder = 'desc' } = description
  const defaultSort = Object.keys(parts.sorts)[0] ?? ''
  const keyName = nameOf(key)
  const page = defineQueries(`${label}_page`, (variant: Variant) => (v: Values) => {
    const findPage = parts.search?.page
    const isFound = findPage !== undefined && isFoundPage(parts, variant)
    const page = isFound ? foundPageQuery(parts, findPage, variant, v) : pageQuery(parts, variant, v)
    if (long === undefined) return page
    const cursor = cursorColumns(sortOf(parts, variant))
    const names = [...columnsOf(parts.rows(v)), ...cursor, ...(isFound ? ['found_total'] : [])]
    return fitPage(page, names, { long, walks: variant.way === 'after' })
  })
  const total =
    counts === false
      ? undefined
      : defineQueries(
          `${label}_total`,
          (variant: Pick<Variant, 'filters' | 'search'>) => (v: Values) => totalQuery(parts, variant, v),
        )

  /**
   * Rows of an export under the conditions that the list has for the same request. They have the key under its own name.
   * @throws ApiError 400 for an id that is none
   */
  const narrow = <Q>(request: Narrowing<S, F>, rows: Rows<Q>): Rows<Q> => {
    const { filters, values } = readFilters(parts, request)
    const { search } = request
    const variant = { filters, search: search !== undefined }
    const v = { ...values, ...(search !== undefined && toValues(search)) }
    const findPage = parts.search?.page
    return findPage !== undefined && isFoundPage(parts, variant)
      ? narrowedToFound({ parts, findPage, most: MOST_MATCHES }, variant, v, rows)
      : narrowed(parts, variant, v, rows)
  }

  /** @throws ApiError 400 for a cursor that is none of this list, and for an id that is none */
  const list = deriveQuery((request: ListRequest<S, F, O>): Ask<Listed<T>> => {
    const { page: number = 1, limit, cursor, search } = request
    if (limit > LARGEST_PAGE) throw new TypeError(`a page of ${label} has ${LARGEST_PAGE} rows at the most`)
    const isRanked = search !== undefined && request.sort === undefined && parts.search?.ranked !== undefined
    const sort = isRanked ? RANK : (request.sort ?? defaultSort)
    const order = request.order ?? defaultOrder
    const { filters, values } = readFilters(parts, request)
    const matching = { filters, search: search !== undefined }
    const bound = { ...values, ...(search !== undefined && toValues(search)) }
    const by = sortOf(parts, { sort })
    const place = [sort, order, ...markOf(parts, request)]
    const after = cursorOf({ page: number, cursor }, place, typesOf(parts, by))
    const way = after ? 'after' : number > 1 ? 'skip' : 'first'
    const offset =
      after && by.byOffset
        ? Math.trunc(Math.min(Math.max(0, Number(after[0])), MOST_MATCHES))
        : (number - 1) * limit
    const isFound = isFoundPage(parts, matching)
    const variant = { ...matching, sort, order, way } as const
    const asked = page(variant)({
      ...bound,
      limit: limit + 1,
      offset,
      ...Object.fromEntries(after?.map((value, i) => [`after_${i}`, value]) ?? []),
      after_key: after?.at(-1),
    }).statements
    const isCounted = after === undefined && total !== undefined
    const statements = [
      ...(!isFound && isPlannedAnew(parts, variant) ? asked.map(unnamed) : asked),
      ...(isCounted && !isFound ? total(matching)(bound).statements : []),
    ]

    const toAnswer: Ask<Listed<T>>['toAnswer'] = ([answered = [], totals]) => {
      const all = isFound ? answered.filter((row) => row[keyName] !== null) : answered
      const isCut = long !== undefined && all.length < Number(all[0]?.page_rows ?? 0)
      const last = all.length > limit || isCut ? all[Math.min(limit, all.length) - 1] : undefined
      const rows = all.slice(0, limit).map((row) => (map === undefined ? (row as T) : map(row as R)))
      const values = by.byOffset
        ? [offset + rows.length]
        : [...cursorColumns(by).map((column) => String(last?.[column])), String(last?.[keyName])]
      const next_cursor = last ? toCursor(place, values) : null
      const counted = isFound ? (answered[0]?.found_total ?? 0) : totals?.[0]?.total
      const matched = isCounted ? Number(counted) : undefined
      const at = { page: number, limit }
      return { rows, pagination: toPagination(at, next_cursor, matched, { isSearch: matching.search }) }
    }
    return { statements, toAnswer, refuses: 'nothing' }
  })
  return Object.assign(list, { narrow })
}

/**
 * The total that a counter keeps.
 * @param by columns of the counter by the filters that they answer; other filters are counted
 */
export const keptIn =
  (table: string, column: string, by: Readonly<Record<string, string>> = {}) =>
  (given: ReadonlySet<string>, values: Values): Expression<number> | undefined => {
    if ([...given].some((name) => by[name] === undefined)) return undefined
    const conditions = Object.keys(values).map((name) => sql`${sql.ref(by[name] ?? name)} = ${values[name]}`)
    const where = conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`
    return sql<number>`(select coalesce(sum(${sql.ref(column)}), 0)::int8 from ${sql.table(table)}${where})`
  }

function toParts<R, S, F, O extends string, T>(
  description: ListDescription<
    R,
    S & Readonly<Record<string, Filter<never>>>,
    F & Readonly<Record<string, Filter<never>>>,
    O,
    T
  >,
): Parts {
  const { rows, key, keyType = 'uuid', sorts = {}, scope = {}, filters = {} } = description
  const byName: Record<string, Sort> = {}
  for (const [name, given] of Object.entries<SortColumns>(sorts)) {
    const columns = isOneColumn(given) ? [given] : given
    byName[name] = { columns: columns.filter(([column]) => column !== key).map(toColumn), byOffset: false }
  }
  if (Object.keys(byName).length === 0) byName[nameOf(key)] = { columns: [], byOffset: false }
  if (description.search?.ranked !== undefined)
    byName[RANK] = { columns: [toColumn(['hit.rank', 'float8'])], byOffset: true }
  return {
    rows: rows as (v: Values) => Compilable<R> & Rows<unknown>,
    key: sql`${sql.ref(key)}`,
    keyName: key,
    keyType,
    sorts: byName,
    scope,
    filters,
    search: description.search,
    ledBy: description.ledBy,
    indexed: description.indexed ?? [],
    kept: description.kept,
  }
}

/** The same, parsed and planned for its values each time: for filters by values of which some are rare. */
const unnamed = ({ statement, bound }: AskedStatement): AskedStatement => ({
  statement,
  bound: { ...bound, name: '' },
})

/** Whether a request's page is found by a function of the database. */
const isFoundPage = ({ search }: Parts, variant: Pick<Variant, 'filters' | 'search'>): boolean =>
  search?.page !== undefined &&
  (variant.search || variant.filters.some(([name]) => search.pageBy?.includes(name)))

const nameOf = (column: string): string => column.split('.').at(-1) as string

const isOneColumn = (given: SortColumns): given is SortColumn => !Array.isArray(given[0])

const toColumn = ([column, type]: SortColumn) => ({
  column: typeof column === 'string' ? sql`${sql.ref(column)}` : column,
  type,
})

const typesOf = ({ keyType }: Parts, { columns, byOffset }: Sort): CursorType[] =>
  byOffset ? ['number'] : [...columns.map(({ type }) => type), keyType]

const patternOf = (search: string): Values => ({ search, pattern: anywhere(search) })

/**
 * What a request filters by and searches for, in a few characters of its cursors: with other filters a cursor would continue at a
 * place that its reader has not reached. Empty without any.
 */
function markOf({ filters }: Parts, request: Readonly<Record<string, unknown>>): string[] {
  const given = ['search', ...Object.keys(filters)].filter((name) => request[name] !== undefined)
  if (given.length === 0) return []
  const text = JSON.stringify(given.sort().map((name) => [name, request[name]]))
  return [hash('sha256', text, 'base64url').slice(0, 8)]
}

/** What a request filters by, and the values that go with it. */
function readFilters({ scope, filters }: Parts, request: Readonly<Record<string, unknown>>) {
  const given: (readonly [string, word?: string | boolean])[] = []
  const values: Record<string, unknown> = {}
  const bind = (filter: Filter<never>, name: string) => {
    const value = filter.toValue(request[name] as never)
    if (value === undefined) throw invalidId(name)
    return value
  }
  for (const [name, filter] of Object.entries(scope)) values[name] = bind(filter, name)
  for (const [name, filter] of Object.entries(filters)) {
    if (request[name] === undefined) continue
    if (filter.isChoice) given.push([name, request[name] as string | boolean])
    else {
      given.push([name])
      values[name] = bind(filter, name)
    }
  }
  return { filters: given, values }
}
