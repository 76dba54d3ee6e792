import { invalidParameters } from '#platform/errors.ts'

// Lists of discussions and comments. `defineList` sorts by one column and shows rows as they come; these are sorted by
// several (pinned ones first, then by activity), by the rank of a search, or shown as a tree.

/** Where a list goes on: the values that its order is by, of the last record. */
export type CursorValues = readonly (string | number | boolean)[]

export const toCursor = (sort: string, values: CursorValues): string =>
  Buffer.from(JSON.stringify([sort, ...values])).toString('base64url')

/**
 * The values of a cursor of this order.
 * @param types what each of them is
 * @throws ApiError 400 for one that is none, or of another order
 */
export function fromCursor(
  cursor: string,
  sort: string,
  types: readonly ('string' | 'number' | 'boolean' | 'uuid' | 'time')[],
): CursorValues {
  const fault = () =>
    invalidParameters([
      {
        field: 'cursor',
        rule: 'cursor',
        message:
          'does not belong to this list and order: send the `next_cursor` of the previous page unchanged',
      },
    ])
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw fault()
  }
  if (!Array.isArray(parsed) || parsed.length !== types.length + 1 || parsed[0] !== sort) throw fault()
  const values = parsed.slice(1)
  if (!values.every((value, i) => isOf(value, types[i] ?? ''))) throw fault()
  return values
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/

function isOf(value: unknown, type: string): boolean {
  if (type === 'uuid') return typeof value === 'string' && UUID.test(value)
  if (type === 'time')
    return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value))
  if (type === 'number') return Number.isSafeInteger(value)
  return typeof value === type
}

interface PageRequest {
  readonly page: number
  readonly limit: number
  readonly cursor?: string | undefined
}

/** How many records come before a page. */
export const offsetOf = ({ page, limit }: PageRequest): number => (page - 1) * limit

/** How many records a statement is asked for: one more than are shown, which tells whether there are more. */
export const fetchLimit = ({ limit }: PageRequest): number => limit + 1

/**
 * The body of a list.
 * @param rows one more than are shown, where there are more
 * @param cursorOf where the list goes on behind a record
 */
export function pageBody<R, T>(
  request: PageRequest,
  rows: readonly R[],
  {
    total,
    cursorOf,
    show,
  }: { total?: object; cursorOf: (row: R, index: number) => string; show: (rows: R[]) => T[] },
) {
  const shown = rows.slice(0, request.limit)
  const last = shown.at(-1)
  const isMore = rows.length > request.limit && last !== undefined
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
