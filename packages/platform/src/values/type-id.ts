// The text of a TypeID's UUID. `typeid-js` makes an array and 26 strings for each id, and a page of a list has a hundred.

/** The Crockford base32 digits, as in TypeIDs: five bits each. */
const DIGITS = Uint8Array.from('0123456789abcdefghjkmnpqrstvwxyz', (digit) => digit.charCodeAt(0))

/** The value of a hexadecimal digit by its character; 16 for any other one. */
const NIBBLES = new Uint8Array(128).fill(16)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  NIBBLES[digit.charCodeAt(0)] = value
  NIBBLES[digit.toUpperCase().charCodeAt(0)] = value
}

const LENGTH = 36
/** The characters of the id that is being written: one text is made of them, and none of each piece. */
const written = new Array<number>(26).fill(0)

/**
 * A UUID in 26 characters of base32: its 128 bits after two zero bits.
 * @throws RangeError for a text that is no UUID
 */
export function toBase32(uuid: string): string {
  let bits = 0
  let count = 2
  let wrong = uuid.length === LENGTH ? 0 : 16
  let place = 0
  for (let at = 0; at < LENGTH; at++) {
    if (at === 8 || at === 13 || at === 18 || at === 23) continue
    const nibble = NIBBLES[uuid.charCodeAt(at)] ?? 16
    wrong |= nibble
    bits = (bits << 4) | nibble
    count += 4
    for (; count >= 5; place++) {
      count -= 5
      written[place] = DIGITS[(bits >>> count) & 31] as number
    }
    bits &= (1 << count) - 1
  }
  if (wrong & 16) throw new RangeError('an id is no UUID')
  return String.fromCharCode(...written)
}
