import { invalidParameters } from '../errors.ts'
import { isMoment } from '../http/date-range.ts'

/** Types of columns that a list can be sorted by. */
export type SortType = 'timestamptz' | 'text' | 'int8' | 'float8' | 'uuid'

/** A position in a list. */
export interface Place {
  readonly sort: string
  readonly order: 'asc' | 'desc'
  /** The last row's value of the sorted column, as PostgreSQL prints it; null where the list is sorted by its key. */
  readonly value: string | null
  readonly key: string
}

/** A position as an opaque text. */
export const toCursor = ({ sort, order, value, key }: Place): string =>
  Buffer.from(JSON.stringify([sort, order, value, key])).toString('base64url')

interface Expected {
  readonly sort: string
  readonly order: 'asc' | 'desc'
  /** Undefined where the list is sorted by its key. */
  readonly valueType: SortType | undefined
  readonly keyType: SortType
}

/** The position that a cursor names. @throws ApiError 400 for a cursor of another list or another order */
export function readCursor(text: string, { sort, order, valueType, keyType }: Expected): Place {
  const [itsSort, itsOrder, value, key, ...rest] = parse(text)
  const fits =
    itsSort === sort &&
    itsOrder === order &&
    rest.length === 0 &&
    isOf(keyType, key) &&
    (valueType === undefined ? value === null : isOf(valueType, value))
  if (!fits) throw invalidCursor('is not a cursor of this list in this order')
  return { sort, order, value: value as string | null, key: String(key) }
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
export function isOf(type: SortType, text: unknown): boolean {
  if (typeof text !== 'string') return false
  switch (type) {
    case 'timestamptz':
      // PostgreSQL omits the minutes of an offset if they are 0.
      return isMoment(text.replace(/([+-]\d\d)$/, '$1:00'))
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
