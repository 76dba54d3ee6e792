import { prefixOf, type Resource } from '../ids.ts'

/** How a leading column is written: as a timestamp of the API, or as the public id of a resource. */
export type Lead = 'timestamp' | Resource

/** The Crockford base32 digits, as in TypeIDs. */
const ALPHABET = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz')
const DIGITS = 26
const UUID_LENGTH = 36
const DASH = 0x2d
const DOT = 0x2e
const PLUS = 0x2b

/** The value of a hexadecimal digit by its byte. */
const NIBBLES = new Uint8Array(128)
for (const [value, digit] of [...'0123456789abcdef'].entries()) NIBBLES[digit.charCodeAt(0)] = value

/** The largest number of bytes of a leading column. */
export const LEAD_BYTES = 64

/** Writes a column as the API shows it; a column that is null writes nothing. */
export interface LeadWriter {
  /** @returns where the next byte goes */
  write(out: Buffer, at: number, row: Buffer, from: number, to: number): number
}

/**
 * PostgreSQL sends leading columns as it stores them, and they are rewritten here. In SQL, two public ids and a
 * timestamp would take half as long again as the rest of a row, in the process that everybody waits for
 * (docs/decisions/0014).
 */
export const leadWriter = (lead: Lead): LeadWriter =>
  lead === 'timestamp' ? { write: writeTimestamp } : idWriter(`${prefixOf(lead)}_`)

/** `2026-11-21 09:00:00.123456+00` as ISO 8601 with milliseconds, cut off as everywhere. */
function writeTimestamp(out: Buffer, at: number, row: Buffer, from: number, to: number): number {
  if (from === to) return at
  const seconds = from + 19
  row.copy(out, at, from, seconds)
  out[at + 10] = 0x54
  out[at + 19] = DOT
  let next = seconds + (row[seconds] === DOT ? 1 : 0)
  for (let digit = 20; digit < 23; digit++) {
    const isDigit = next < to && row[next] !== PLUS
    out[at + digit] = isDigit ? (row[next++] as number) : 0x30
  }
  out[at + 23] = 0x5a
  return at + 24
}

function idWriter(prefix: string): LeadWriter {
  const start = Buffer.from(prefix)
  return {
    write: (out, at, row, from, to) => {
      if (from === to) return at
      if (to - from !== UUID_LENGTH) throw new RangeError(`a column of ids has ${to - from} bytes`)
      start.copy(out, at)
      return writeBase32(out, at + start.length, row, from)
    },
  }
}

/**
 * The 128 bits of a UUID after two zero bits, five for each digit: the same as `toId`, but on bytes in place. `toId`
 * makes three strings for each id and takes 6 µs, this takes 1 µs, and an export has two ids in each of a million rows.
 * A property test compares the two (row-writer.test.ts).
 */
function writeBase32(out: Buffer, at: number, row: Buffer, from: number): number {
  let bits = 2
  let buffered = 0
  let next = at
  for (let i = from; i < from + UUID_LENGTH; i++) {
    const byte = row[i] as number
    if (byte === DASH) continue
    buffered = (buffered << 4) | (NIBBLES[byte] as number)
    bits += 4
    if (bits < 5) continue
    bits -= 5
    out[next++] = ALPHABET[(buffered >>> bits) & 31] as number
  }
  return at + DIGITS
}
