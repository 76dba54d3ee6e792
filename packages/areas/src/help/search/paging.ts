import { cappedTotal, MOST_MATCHES } from '#platform/db/search/search.ts'
import { invalidParameters } from '#platform/errors.ts'
import type { Pagination } from '#platform/http/page.ts'

// A search looks at 10,000 matches at the most and ranks them anew for each page, so that a cursor is a number of matches
// to leave out: no page is dearer than the first.

interface Asked {
  readonly page: number
  readonly limit: number
  readonly cursor?: string | undefined
}

/** How many matches lie before a page. @throws ApiError 400 for what is no cursor of a search */
export function startOf({ page, limit, cursor }: Asked): number {
  if (cursor === undefined) return Math.min((page - 1) * limit, MOST_MATCHES + 1)
  const text = Buffer.from(cursor, 'base64url').toString()
  if (page === 1 && /^found [1-9]\d{0,4}$/.test(text)) return Number(text.slice('found '.length))
  throw invalidParameters([{ field: 'cursor', rule: 'cursor', message: 'is not a cursor of this list' }])
}

/** Where a page is among what was found. @param matches one more than are counted, where there are more */
export function placeOf({ page, limit, cursor }: Asked, start: number, matches: number): Pagination {
  const { total, total_capped } = cappedTotal(matches)
  const end = start + limit
  const next_cursor = end < total ? Buffer.from(`found ${end}`).toString('base64url') : null
  if (cursor !== undefined) return { limit, next_cursor }
  return {
    page,
    limit,
    total,
    total_pages: Math.ceil(total / limit),
    ...(total_capped && { total_capped }),
    next_cursor,
  }
}
