import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 8
/** 28 characters of base62 are 166 random bits. */
const SECRET_LENGTH = 28
const CHECKSUM_LENGTH = 6

const SHAPE = /^svc_(pk|sk)_(live|test)_[0-9A-Za-z]{42}$/

export type KeyType = 'public' | 'secret'
export type Environment = 'live' | 'test'

/** A key as it is shown once, and what is stored of it. */
export interface NewKey {
  readonly key: string
  /** The first characters, shown in lists. */
  readonly prefix: string
  readonly hash: Buffer
}

/**
 * Creates a key: `svc_sk_live_` + 8 characters of its prefix + 166 random bits + CRC-32 of everything before, in
 * base62.
 */
export function makeKey(type: KeyType, environment: Environment): NewKey {
  const prefix = `svc_${type === 'public' ? 'pk' : 'sk'}_${environment}_${randomBase62(ID_LENGTH)}`
  const body = prefix + randomBase62(SECRET_LENGTH)
  const key = body + checksum(body)
  return { key, prefix, hash: Buffer.from(hashKey(key), 'hex') }
}

/** True for a text that can be a key: the checksum refuses typos and invented keys without a look-up. */
export function isKey(token: string): boolean {
  return SHAPE.test(token) && token.slice(-CHECKSUM_LENGTH) === checksum(token.slice(0, -CHECKSUM_LENGTH))
}

/**
 * True if the text would be a key of the other environment: somebody changed `live` to `test`, or the other way round.
 */
export const isOfOtherEnvironment = (text: string): boolean =>
  isKey(text.replace(/_(live|test)_/, (_, named) => (named === 'live' ? '_test_' : '_live_')))

/** The stored hash of a key: SHA-256 in hex. A key has 166 random bits, so a fast hash is safe. */
export const hashKey = (key: string): string => hash('sha256', key, 'hex')

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(62)]).join('')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
