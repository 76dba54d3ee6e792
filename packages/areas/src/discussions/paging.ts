import { invalidCursor, isOf } from '#platform/lists/list-cursor.ts'

// Lists of discussions and comments. `defineList` sorts by one column and shows rows as they come; these are sorted by
// several (pinned ones first, then by activity), by the rank of a search, or shown as a tree.

/** Where a list goes on: the values that its order is by, of the last record. */
export type CursorValues = readonly (string | number | boolean)[]

export const toCursor = (sort: string, values: CursorValues): string =>
  Buffer.from(JSON.stringify([sort, ...values])).toString('base64url')

interface PageRequest {
  readonly page: number
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * The values of the cursor of a request, in this order.
 * @param types what each of them is
 * @throws ApiError 400 for a cursor of another order, for what is no cursor, and for a cursor beside a page
 */
export function fromCursor(
  { cursor = '', page }: Pick<PageRequest, 'cursor' | 'page'>,
  sort: string,
  types: readonly ('number' | 'boolean' | 'uuid' | 'timestamptz')[],
): CursorValues {
  if (page > 1) throw invalidCursor('cannot be combined with page')
  const [first, ...values] = parse(cursor)
  const fits = first === sort && values.length === types.length
  if (!fits || !types.every((type, i) => isOfType(values[i], type)))
    throw invalidCursor('is not a cursor of this list in this order')
  return values as CursorValues
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

function isOfType(value: unknown, type: 'number' | 'boolean' | 'uuid' | 'timestamptz'): boolean {
  if (type === 'number') return Number.isSafeInteger(value)
  return type === 'boolean' ? typeof value === type : isOf(type, value)
}

/** How many records come before a page. */
export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit

/** How many records a statement is asked for: one more than are shown, which tells whether there are more. */
export const fetchLimit = ({ limit }: PageRequest): number => limit + 1

interface Shown<R, T> {
  readonly total?: object
  /** Where the list goes on behind a record. */
  readonly cursorOf: (row: R, index: number) => string
  readonly show: (rows: R[]) => T[]
  /** Whether the page ends early because more would be too long for an answer. */
  readonly isCut?: boolean
}

/**
 * The body of a list.
 * @param rows one more than are shown, where there are more
 */
export function pageBody<R, T>(
  request: PageRequest,
  rows: readonly R[],
  { total, cursorOf, show, isCut = false }: Shown<R, T>,
) {
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  const isMore = (rows.length > request.limit || isCut) && last !== undefined
  const place = request.cursor === undefined ? { page: request.page, ...total } : {}
  return {
    success: true as const,
    data: show(shown),
    pagination: {
      ...place,
      limit: request.limit,
      next_cursor: isMore ? cursorOf(last, shown.length - 1) : null,
    },
  }
}

/** The totals of a list that is shown in pages. */
export const totals = ({ limit }: PageRequest, total: number) => ({
  total,
  total_pages: Math.ceil(total / limit),
})
