import type { PageRequest, Pagination } from '../http/page.ts'
import { MOST_MATCHES } from '../search/search.ts'
import { type CursorType, invalidCursor, readCursor, toCursor } from './list-cursor.ts'

/**
 * The values of the cursor of a request; undefined where it has none.
 * @param order the names of the list's order
 * @param types what each value is
 * @throws ApiError 400 for a cursor of another list or another order, and for a cursor beside a page
 */
export function cursorOf(
  { page = 1, cursor }: Partial<PageRequest>,
  order: readonly string[],
  types: readonly CursorType[],
): (string | number)[] | undefined {
  if (cursor === undefined) return undefined
  if (page > 1) throw invalidCursor('cannot be combined with page')
  return readCursor(cursor, order, types)
}

/**
 * The `pagination` of an answer.
 * @param matched how many records there are; undefined behind a cursor, where nobody counts. Of a search, one more than
 * 10,000 where there are more
 */
export function toPagination(
  { page, limit }: Pick<PageRequest, 'page' | 'limit'>,
  next_cursor: string | null,
  matched: number | undefined,
  { isSearch = false } = {},
): Pagination {
  if (matched === undefined) return { limit, next_cursor }
  const isCapped = isSearch && matched > MOST_MATCHES
  const total = isCapped ? MOST_MATCHES : matched
  const pages = { page, limit, total, total_pages: Math.ceil(total / limit) }
  return { ...pages, ...(isCapped && { total_capped: true as const }), next_cursor }
}

// A search looks at 10,000 matches at the most and ranks them anew for each page, so that a cursor is a number of matches
// to leave out: no page is dearer than the first.

/** How many matches lie before a page. @throws ApiError 400 for what is no cursor of a search */
export function startOf(request: PageRequest): number {
  const after = cursorOf(request, ['found'], ['number'])
  if (after === undefined) return Math.min((request.page - 1) * request.limit, MOST_MATCHES + 1)
  return Math.trunc(Math.min(Math.max(1, Number(after[0])), MOST_MATCHES + 1))
}

/** The place of a page among the matches. @param matches one more than are counted, where there are more */
export function placeOf(request: PageRequest, start: number, matches: number): Pagination {
  const end = start + request.limit
  const next = end < Math.min(matches, MOST_MATCHES) ? toCursor(['found'], [end]) : null
  return toPagination(request, next, request.cursor === undefined ? matches : undefined, { isSearch: true })
}
