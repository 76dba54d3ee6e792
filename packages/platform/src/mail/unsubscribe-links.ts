import { parse, stringify } from 'uuid'
import { makeCheckedHash } from '../secrets/keyed-hash.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'

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
  config: SecretKeys & { readonly BASE_URL: string },
  { purpose, path, ids: count }: Kind,
): UnsubscribeLinks {
  const hash = makeCheckedHash(config, purpose)
  const textOf = (ids: Buffer) => ids.toString('base64url')
  return {
    linkFor: (ids) => {
      const bytes = Buffer.concat(ids.map((id) => parse(id)))
      const proof = hash(textOf(bytes)).subarray(0, PROOF)
      return `${config.BASE_URL}${path}/${Buffer.concat([bytes, proof]).toString('base64url')}`
    },
    read: (token) => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== count * ID + PROOF) return undefined
      const ids = bytes.subarray(0, count * ID)
      if (!hash.matches(bytes.subarray(count * ID), textOf(ids))) return undefined
      return Array.from({ length: count }, (_, i) => stringify(ids.subarray(ID * i, ID * (i + 1))))
    },
  }
}
