import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import { allOf, type SecretKeys } from './secret-keys.ts'

/** HMAC-SHA256 of a text: 32 bytes. */
export type KeyedHash = (text: string) => Buffer

/**
 * A hash that nobody can compute without SECRET_KEY: its key derives from it by HKDF-SHA256, another one for each
 * purpose.
 */
export function makeKeyedHash(secretKey: string, purpose: string): KeyedHash {
  // A key that is bytes is made anew for each hash, which takes eight times as long as the hash.
  const key = createSecretKey(
    new Uint8Array(hkdfSync('sha256', secretKey, '', `guildhall keyed hash: ${purpose}`, 32)),
  )
  return (text) => createHmac('sha256', key).update(text).digest()
}

/** Of a part of a hash. */
const LEAST_BYTES = 16

/** A hash that others keep, in a row or in a mail: one that was made with the other key of a rotation is accepted. */
export interface CheckedHash extends KeyedHash {
  /** Whether a hash, or the first bytes of one, is that of a text. It takes the same time whatever differs. */
  matches(given: Buffer, text: string): boolean
}

/** The same with SECRET_KEY; checks also with the one before it, and during a rotation with the next one. */
export function makeCheckedHash(keys: SecretKeys, purpose: string): CheckedHash {
  const [hash, ...others] = allOf(keys).map((key) => makeKeyedHash(key, purpose)) as [
    KeyedHash,
    ...KeyedHash[],
  ]
  const matches = (given: Buffer, text: string) =>
    [hash, ...others].some((each) => {
      const right = each(text).subarray(0, given.length)
      return given.length >= LEAST_BYTES && right.length === given.length && timingSafeEqual(right, given)
    })
  return Object.assign((text: string) => hash(text), { matches })
}
