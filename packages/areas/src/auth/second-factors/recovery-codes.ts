import { randomBytes } from 'node:crypto'
import { hashToken } from '../tokens/refresh-token.ts'

const COUNT = 10
/** Crockford's base32: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** Ten codes of 80 random bits each, like `8f3k-m2qp-0x7d-zt5w`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => {
    const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return letters.replace(/(.{4})(?=.)/g, '$1-')
  })

/** True for what could be a recovery code, rather than a code of an authenticator. */
export const isRecoveryCode = (code: string): boolean => plain(code).length === LENGTH

/** All that is stored of one. Dashes, spaces and case are the reader's own. */
export const hashRecoveryCode = (code: string): Buffer => hashToken(plain(code))

const plain = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')
