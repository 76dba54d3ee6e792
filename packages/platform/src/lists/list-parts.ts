import type { AliasedExpression, Compilable, Expression, RawBuilder, SqlBool } from 'kysely'
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
  select(selection: AliasedExpression<unknown, string>): Rows<R>
  clearSelect(): Rows<object>
}

export interface Sort {
  readonly column: Expression<unknown>
  readonly type: SortType
  /** True where the key sorts, so that it needs no value beside it. */
  readonly isKey: boolean
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
  readonly where?: (values: { pattern: unknown; search: unknown }) => Expression<SqlBool>
  /** A function that filters, sorts and counts by itself. */
  readonly page?: FindPage
  /** Filters that the same function finds rows by, also without a text. Totals are exact then. */
  readonly pageBy?: readonly string[]
}

/** What the statements of a list are made of. */
export interface Parts {
  readonly rows: (v: Values) => Rows<unknown>
  readonly key: Expression<unknown>
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
