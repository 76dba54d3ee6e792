import type { Field } from '../builder/field-schema.ts'
import { Misfit } from './check-value.ts'

/** Bytes of a file where its field says nothing. */
const MAX_SIZE = 10 * 1024 * 1024

/** Bytes of the largest file that a field takes. */
export const maxSizeOf = ({ validation }: Pick<Field, 'validation'>): number =>
  validation?.max_size ?? MAX_SIZE

/** What decides whether a file fits its field: as counted, and as its bytes show. */
export interface FileFacts {
  /** Like `file_…`. */
  readonly id: string
  readonly size: number
  readonly contentType: string
}

/** @returns the file's id, or why it does not fit */
export function checkFile(field: Field, { id, size, contentType }: FileFacts): string | Misfit {
  const allowed_types = field.validation?.allowed_types
  const most = maxSizeOf(field)
  if (size > most) return tooLarge(most)
  if (allowed_types !== undefined && !allowed_types.some((allowed) => fits(allowed, contentType)))
    return new Misfit('allowed_types', `must be a file of type ${allowed_types.join(', ')}`)
  return id
}

/** The fault of a file with more bytes than its field takes. */
export const tooLarge = (bytes: number) => new Misfit('max_size', `must have at most ${bytes} bytes`)

const fits = (allowed: string, type: string): boolean =>
  allowed.endsWith('/*') ? type.startsWith(allowed.slice(0, -1)) : type === allowed
