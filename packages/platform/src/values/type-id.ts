// The text of a TypeID's UUID, there and back. `typeid-js` makes an array and 26 strings for each id, and a page of a list
// has a hundred; reading one, it decodes it twice.

import { validate } from 'uuid'

/** The Crockford base32 digits, as in TypeIDs, in pairs: ten bits each. */
const ALPHABET = [...'0123456789abcdefghjkmnpqrstvwxyz']
const PAIRS = ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second))

/** The value of a hexadecimal digit by its character; 16 for any other one. */
const NIBBLES = new Uint8Array(128).fill(16)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  NIBBLES[digit.charCodeAt(0)] = value
  NIBBLES[digit.toUpperCase().charCodeAt(0)] = value
}

const LENGTH = 36

/**
 * A UUID in 26 characters of base32: its 128 bits after two zero bits.
 * @throws RangeError for a text that is no UUID
 */
export function toBase32(uuid: string): string {
  let bits = 0
  let count = 2
  let wrong = uuid.length === LENGTH ? 0 : 16
  let text = ''
  for (let at = 0; at < LENGTH; at++) {
    if (at === 8 || at === 13 || at === 18 || at === 23) continue
    const nibble = NIBBLES[uuid.charCodeAt(at)] ?? 16
    wrong |= nibble
    bits = (bits << 4) | nibble
    count += 4
    if (count < 10) continue
    count -= 10
    text += PAIRS[(bits >>> count) & 1023]
    bits &= (1 << count) - 1
  }
  if (wrong & 16) throw new RangeError('an id is no UUID')
  return text
}

/** The value of a base32 digit by its character; 32 for any other one. */
const DIGITS = new Uint8Array(128).fill(32)
for (const [value, digit] of ALPHABET.entries()) DIGITS[digit.charCodeAt(0)] = value

/** Bytes as two hexadecimal digits. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const BASE32_LENGTH = 26

/** The UUID of 26 characters of base32, or undefined for any other text, and for 128 bits that are no UUID. */
export function fromBase32(text: string): string | undefined {
  // Two bits more than a UUID has.
  if (text.length !== BASE32_LENGTH || text > '8') return undefined
  let bits = 0
  let count = -2
  let wrong = 0
  let uuid = ''
  for (let at = 0; at < BASE32_LENGTH; at++) {
    const digit = DIGITS[text.charCodeAt(at)] ?? 32
    wrong |= digit
    bits = (bits << 5) | digit
    count += 5
    if (count < 8) continue
    count -= 8
    uuid += BYTES[(bits >>> count) & 255]
    bits &= (1 << count) - 1
    if (uuid.length === 8 || uuid.length === 13 || uuid.length === 18 || uuid.length === 23) uuid += '-'
  }
  return wrong & 32 || !validate(uuid) ? undefined : uuid
}
