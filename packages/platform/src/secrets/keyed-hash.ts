import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'

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
