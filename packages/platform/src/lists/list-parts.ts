import type {
  AliasableExpression,
  AliasedExpression,
  Compilable,
  Expression,
  RawBuilder,
  SqlBool,
} from 'kysely'
import type { Found } from '../search/search.ts'
import type { SortType } from './list-cursor.ts'
import type { Filter } from './list-filters.ts'

// What lists are made of, for the functions that build their SQL.

export type Order = 'asc' | 'desc'
/** The parameters of a statement, by name. */
export type Values = Readonly<Record<string, unknown>>

/** A select as kysely builds it, as far as lists add to it. */
export interface Rows<R> extends Compilable<R>, Expression<R> {
  where(condition: Expression<SqlBool>): Rows<R>
  orderBy(expression: Expression<unknown>): Rows<R>
  limit(count: Expression<number>): Rows<R>
  offset(count: Expression<number>): Rows<R>
  select(selection: AliasedExpression<unknown, string>): Rows<R>
  clearSelect(): Rows<object>
  innerJoin(table: AliasedExpression<unknown, string>, left: string, right: string): Rows<R>
}

export interface Sort {
  /** The columns in their order, none of them ever null; the key comes last by itself. None where the key alone sorts. */
  readonly columns: readonly { readonly column: Expression<unknown>; readonly type: SortType }[]
  /** True for the rank of a search: ranks are made anew for each page, so a cursor is a number of rows to leave out. */
  readonly byOffset: boolean
}

/** What a search that finds whole pages is asked. All but the words are expressions of the statement. */
export interface PageSought {
  /** What was typed, and the same as a pattern of `like`; null in a request without a search. */
  readonly search: unknown
  readonly pattern: unknown
  /** The value of a filter or of the scope; null where the request does not have it. */
  readonly filter: (name: string) => Expression<unknown>
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly afterValue: unknown
  readonly afterKey: unknown
  readonly limit: unknown
  readonly offset: unknown
  /** Whether the total is asked for. */
  readonly counts: boolean
}

/** A function of the database that answers `ids` of a page in their order, and the `total` of all that match. */
export type FindPage = (sought: PageSought) => RawBuilder<{ ids: string[]; total: number | null }>

export interface Search {
  /**
   * Rows that match, as `(id, rank)`, at most 10,001. A search without `sort` is sorted by their rank.
   * @param has whether a filter is given
   */
  readonly ranked?: (v: Values, has: (filter: string) => boolean) => AliasableExpression<Found>
  /** The values of the statement for a text. Default: the text as `search`, and as the `pattern` of `like`. */
  readonly toValues?: (text: string) => Values
  /** A condition. @param has whether a filter is given */
  readonly where?: (v: Values, has: (filter: string) => boolean) => Expression<SqlBool>
  /** A function that filters, sorts and counts by itself. */
  readonly page?: FindPage
  /** Filters that the same function finds rows by, also without a text. Totals are exact then. */
  readonly pageBy?: readonly string[]
}

/** What the statements of a list are made of. */
export interface Parts {
  readonly rows: (v: Values) => Rows<unknown>
  readonly key: Expression<unknown>
  /** The same, as kysely joins by it. */
  readonly keyName: string
  readonly keyType: SortType
  readonly sorts: Readonly<Record<string, Sort>>
  readonly scope: Readonly<Record<string, Filter<never>>>
  readonly filters: Readonly<Record<string, Filter<never>>>
  readonly search: Search | undefined
  readonly ledBy: { readonly filter: string; readonly words: readonly string[] } | undefined
  readonly indexed: readonly string[]
  readonly kept: ((given: ReadonlySet<string>, values: Values) => Expression<number> | undefined) | undefined
}

/** The shape of a request, without its values; each shape is one statement. */
export interface Variant {
  /** Names of filters, of a choice with its word. */
  readonly filters: readonly (readonly [name: string, word?: string | boolean])[]
  readonly search: boolean
  readonly sort: string
  readonly order: Order
  readonly way: 'first' | 'after' | 'skip'
}
