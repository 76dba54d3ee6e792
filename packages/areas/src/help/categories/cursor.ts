import { invalidParameters } from '#platform/errors.ts'
import type { After } from './queries.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where a list goes on, as clients send it back. */
export const toCursor = ({ position, id }: After): string =>
  Buffer.from(JSON.stringify([position, id])).toString('base64url')

/** @throws ApiError 400 for what is no cursor of this list */
export function fromCursor(text: string): After {
  try {
    const [position, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown]
    if (Number.isSafeInteger(position) && typeof id === 'string' && UUID.test(id))
      return { position: position as number, id }
  } catch {
    // Told below.
  }
  throw invalidParameters([{ field: 'cursor', rule: 'cursor', message: 'is not a cursor of this list' }])
}
