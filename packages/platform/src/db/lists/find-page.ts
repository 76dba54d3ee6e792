import type { Expression, RawBuilder } from 'kysely'

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
