import { createHash } from 'node:crypto'
import { foldedWords } from './fold.ts'

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
