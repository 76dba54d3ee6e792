import type { Detail } from './console-api.ts'

/** What a refusal says of each field. */
export const detailsOf = (error: unknown): readonly Detail[] =>
  (error as { details?: readonly Detail[] } | null)?.details ?? []

/** Whether a change was sent with the `ETag` of what is no longer so: somebody else has changed it. */
export const isConflict = (error: unknown): boolean =>
  (error as { code?: string } | null)?.code === 'CHANGED_MEANWHILE'

const isOf = ({ field: named }: Detail, field: string): boolean =>
  named === field || named.startsWith(`${field}[`) || named.startsWith(`${field}.`)

/** Why the server refused the value of a field, or undefined. Faults of its items count too. */
export const faultOf = (error: unknown, field: string): string | undefined =>
  detailsOf(error).find((detail) => isOf(detail, field))?.message

/** Whether every fault of a refusal belongs to one of these fields, which show them. */
export function isOnFields(error: unknown, fields: readonly string[]): boolean {
  const details = detailsOf(error)
  return details.length > 0 && details.every((detail) => fields.some((field) => isOf(detail, field)))
}
