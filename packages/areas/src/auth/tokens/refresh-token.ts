import { hash, randomBytes } from 'node:crypto'
import type { KeyedHash } from '#platform/secrets/keyed-hash.ts'

/** A new refresh token: 256 random bits. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')

/**
 * The successor of a refresh token follows from it and a key of ours, so that whoever shows the same parent gets the
 * same successor although nothing but hashes is stored.
 */
export const successorOf = (successorHash: KeyedHash, token: string): string =>
  successorHash(token).toString('base64url')

/** All that is stored of a token. It has 256 random bits, so that it needs no slow hash. */
export const hashToken = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'hex')
