import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** What secrets of cells are sealed for; the owner is the cell's name. */
export const CELLS_PURPOSE = 'secrets of cells'

const BYTES = 32
/** 32 bytes or more, in base64url. */
const SHAPE = /^[\w-]{43,200}$/

/** A secret for a pair of cells. */
export const newCellSecret = (): string => randomBytes(BYTES).toString('base64url')

export const isCellSecret = (text: string): boolean => SHAPE.test(text)

/** What two cells know of each other by their secret. */
export interface CellKeys {
  /** Names the secret without telling it. */
  readonly id: string
  /** Whether a signature is that of these parts. */
  verify(parts: readonly string[], signature: string): boolean
  sign(parts: readonly string[]): string
}

/** Keys that are derived from the secret of a pair of cells. */
export function cellKeysOf(secret: string): CellKeys {
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `guildhall cells: ${use}`, BYTES))
  const key = derive('signature')
  const sign = (parts: readonly string[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
  return {
    id: derive('id').subarray(0, 12).toString('base64url'),
    sign,
    verify: (parts, signature) => {
      const wanted = Buffer.from(sign(parts))
      const given = Buffer.from(signature)
      return wanted.length === given.length && timingSafeEqual(wanted, given)
    },
  }
}
