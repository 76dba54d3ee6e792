import { timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import { makeKeyedHash } from '../secrets/keyed-hash.ts'

const ID = 16
const PROOF = 16

/** What a kind of link ends. */
interface Kind {
  /** Its proofs are good for nothing else. */
  readonly purpose: string
  /** Where its pages are. */
  readonly path: string
  /** How many ids it carries. */
  readonly ids: number
}

export interface UnsubscribeLinks {
  linkFor(ids: readonly string[]): string
  /** The ids of a link, or undefined for one that we did not make. */
  read(token: string): readonly string[] | undefined
}

/**
 * Links that end mails to one member, without a login and for good. They say themselves which, and nobody without
 * SECRET_KEY can make one.
 */
export function makeUnsubscribeLinks(
  { SECRET_KEY, BASE_URL }: { readonly SECRET_KEY: string; readonly BASE_URL: string },
  { purpose, path, ids: count }: Kind,
): UnsubscribeLinks {
  const hash = makeKeyedHash(SECRET_KEY, purpose)
  const proofOf = (ids: Buffer) => hash(ids.toString('base64url')).subarray(0, PROOF)
  return {
    linkFor: (ids) => {
      const bytes = Buffer.concat(ids.map((id) => parse(id)))
      return `${BASE_URL}${path}/${Buffer.concat([bytes, proofOf(bytes)]).toString('base64url')}`
    },
    read: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== count * ID + PROOF) return undefined
      const ids = bytes.subarray(0, count * ID)
      if (!timingSafeEqual(proofOf(ids), bytes.subarray(count * ID))) return undefined
      return Array.from({ length: count }, (_, i) => stringify(ids.subarray(ID * i, ID * (i + 1))))
    },
  }
}
