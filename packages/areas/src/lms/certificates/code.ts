import { randomBytes } from 'node:crypto'

/** Crockford's base32 has no letters that look like digits. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BYTES = 10
const LENGTH = 16

/** A new code: 80 random bits. */
export const newCode = (): Buffer => randomBytes(BYTES)

/** A code as people read it: `7ZQK-3M9X-T0AB-WD52`. */
export function shownCode(code: Buffer): string {
  let bits = BigInt(`0x${code.toString('hex')}`)
  let text = ''
  for (let i = 1; i <= LENGTH; i++) {
    text = (DIGITS[Number(bits & 31n)] ?? '') + text
    if (i % 4 === 0 && i < LENGTH) text = `-${text}`
    bits >>= 5n
  }
  return text
}

/** A code as it was typed; undefined for what is none. */
export function readCode(text: string): Buffer | undefined {
  const digits = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (digits.length !== LENGTH) return undefined
  let bits = 0n
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit)
    if (value < 0) return undefined
    bits = (bits << 5n) | BigInt(value)
  }
  return Buffer.from(bits.toString(16).padStart(2 * BYTES, '0'), 'hex')
}
