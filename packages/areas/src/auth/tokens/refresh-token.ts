import { hash, randomBytes } from 'node:crypto'
import type { KeyedHash } from '#platform/secrets/keyed-hash.ts'

/** A new refresh token: 256 random bits. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')

/**
 * The successor of a refresh token derives from it and a secret key: a second request with the same token gets the same
 * successor, although only hashes are stored.
 */
export const successorOf = (successorHash: KeyedHash, token: string): string =>
  successorHash(token).toString('base64url')

/** The stored hash of a token. A token has 256 random bits, so a fast hash is safe. */
export const hashToken = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'hex')
