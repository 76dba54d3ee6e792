import { invalidParameters } from '../errors.ts'
import { isMoment } from '../http/date-range.ts'

/** Types of columns that a list can be sorted by. */
export type SortType = 'timestamptz' | 'text' | 'int8' | 'float8' | 'uuid' | 'boolean'

/** Types of the values of a cursor: texts as PostgreSQL prints a column, or a number of this process. */
export type CursorType = SortType | 'number'

/**
 * A position in a list as an opaque text.
 * @param order the names of the list's order, and a mark of its filters; a cursor of others is refused
 * @param values of the last row, by which the order is
 */
export const toCursor = (order: readonly string[], values: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([...order, ...values])).toString('base64url')

/**
 * The values of a cursor.
 * @param types what each of them is
 * @throws ApiError 400 for a cursor of another list, another order or other filters
 */
export function readCursor(
  text: string,
  order: readonly string[],
  types: readonly CursorType[],
): (string | number)[] {
  const parts = parse(text)
  const values = parts.slice(order.length)
  const fits =
    values.length === types.length &&
    order.every((name, i) => parts[i] === name) &&
    types.every((type, i) => isOf(type, values[i]))
  if (!fits)
    throw invalidCursor(
      'is not a cursor of this list with this order, these filters and this search: send it with the parameters of the page that it came from',
    )
  return values as (string | number)[]
}

/** 400. */
export const invalidCursor = (message: string) =>
  invalidParameters([{ field: 'cursor', rule: 'cursor', message }])

function parse(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

const INTEGER = /^-?\d{1,18}$/
const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/

/** Whether PostgreSQL can read a text as a value of a type. */
function isOf(type: CursorType, text: unknown): boolean {
  if (type === 'number') return Number.isFinite(text)
  if (typeof text !== 'string') return false
  switch (type) {
    case 'timestamptz':
      // PostgreSQL omits the minutes of an offset if they are 0.
      return isMoment(text.replace(/([+-]\d\d)$/, '$1:00'))
    case 'boolean':
      return text === 'true' || text === 'false'
    case 'int8':
      return INTEGER.test(text)
    case 'float8':
      return text.trim() === text && Number.isFinite(Number.parseFloat(text)) && !Number.isNaN(Number(text))
    case 'uuid':
      return UUID.test(text)
    case 'text':
      return text.isWellFormed() && !text.includes('\0')
  }
}
