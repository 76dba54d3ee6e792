import type { PageRequest, Pagination } from '../http/page.ts'
import { toCursor } from '../lists/list-cursor.ts'
import { cursorOf, toPagination } from '../lists/pagination.ts'
import { MOST_MATCHES } from './search.ts'

// A search looks at 10,000 matches at the most and ranks them anew for each page, so that a cursor is a number of matches
// to leave out: no page is dearer than the first.

/** How many matches lie before a page. @throws ApiError 400 for what is no cursor of a search */
export function startOf(request: PageRequest): number {
  const after = cursorOf(request, ['found'], ['number'])
  if (after === undefined) return Math.min((request.page - 1) * request.limit, MOST_MATCHES + 1)
  return Math.trunc(Math.min(Math.max(1, Number(after[0])), MOST_MATCHES + 1))
}

/** Where a page is among what was found. @param matches one more than are counted, where there are more */
export function placeOf(request: PageRequest, start: number, matches: number): Pagination {
  const end = start + request.limit
  const next = end < Math.min(matches, MOST_MATCHES) ? toCursor(['found'], [end]) : null
  return toPagination(request, next, request.cursor === undefined ? matches : undefined, { isSearch: true })
}
