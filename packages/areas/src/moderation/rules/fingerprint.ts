import { createHash } from 'node:crypto'
import unhomoglyph from 'unhomoglyph'

/** What a text says, in few bytes: texts that are nearly the same have nearly the same bits. */
export interface Fingerprint {
  readonly simhash: string
  readonly checksum: string
  /** So short that other people say the same without copying it; only equal ones of the same author count. */
  readonly isShort: boolean
}

/** Words of a text that can be nearly equal to another one. */
const FEW_WORDS = 6
/** Words from which a hash is made together. */
const SHINGLE = 2
/** Words of a text that count: enough to tell texts apart, in bounded time. */
const MOST_WORDS = 2_000

/** The simhash of Charikar over pairs of words, and a checksum. */
export function fingerprintOf(text: string): Fingerprint {
  const words = foldedWords(text).slice(0, MOST_WORDS)
  const sums = new Int32Array(64)
  for (let i = 0; i < Math.max(1, words.length - SHINGLE + 1); i++) {
    const hash = hashOf(words.slice(i, i + SHINGLE).join(' '))
    for (let bit = 0; bit < 64; bit++) sums[bit] = (sums[bit] ?? 0) + ((hash >> BigInt(bit)) & 1n ? 1 : -1)
  }
  let simhash = 0n
  for (let bit = 0; bit < 64; bit++) if ((sums[bit] ?? 0) > 0) simhash |= 1n << BigInt(bit)
  return {
    simhash: String(BigInt.asIntN(64, simhash)),
    checksum: String(BigInt.asIntN(64, hashOf(words.length > 0 ? words.join(' ') : text))),
    isShort: words.length < FEW_WORDS,
  }
}

const hashOf = (text: string): bigint => createHash('sha1').update(text).digest().readBigUInt64BE()

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
const ACCENTS = /[\u0300-\u036f]/g
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u

/**
 * The words of a text as rules compare them: letters that look alike are the same (UTS 39), case and accents are gone, and so are
 * characters that show nothing. `I`, `l` and `1` are one letter, and `0` is `o`. Linear in the text.
 */
export function foldedWords(text: string): string[] {
  const plain = text.replaceAll(INVISIBLE, '').normalize('NFKD').replaceAll(ACCENTS, '')
  // Twice: capitals look like other capitals, and small letters like other small ones.
  const alike = unhomoglyph(unhomoglyph(plain).toLowerCase()).toLowerCase()
  return alike
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .replaceAll('i', 'l')
    .split(BETWEEN_WORDS)
    .filter(Boolean)
}

/** The same as one text, with one space between words. */
export const fold = (text: string): string => foldedWords(text).join(' ')
