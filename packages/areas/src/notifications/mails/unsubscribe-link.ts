import { parse, stringify } from 'uuid'
import { makeCheckedHash } from '#platform/secrets/keyed-hash.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { KIND_NAMES, type Kind } from '../kinds.ts'

export const UNSUBSCRIBE_PATH = '/unsubscribe/notifications'

/** Of which kinds a link ends the mails to whom. */
export interface Mailed {
  readonly projectId: string
  readonly member: string
  readonly kinds: readonly Kind[]
}

const PROOF = 16
/** Two ids and a number whose bits are the kinds. */
const LENGTH = 16 + 16 + 2

/** Links that end mails of some kinds to one member, without a login and for good. Nobody without SECRET_KEY can make one. */
export function makeUnsubscribeLinks(config: SecretKeys & { readonly BASE_URL: string }) {
  const hash = makeCheckedHash(config, 'unsubscribe from notifications')
  const textOf = (content: Buffer) => content.toString('base64url')
  return {
    linkFor: ({ projectId, member, kinds }: Mailed): string => {
      const bits = Buffer.alloc(2)
      bits.writeUInt16BE(kinds.reduce((sum, kind) => sum | (1 << KIND_NAMES.indexOf(kind)), 0))
      const content = Buffer.concat([parse(projectId), parse(member), bits])
      const proof = hash(textOf(content)).subarray(0, PROOF)
      return `${config.BASE_URL}${UNSUBSCRIBE_PATH}/${Buffer.concat([content, proof]).toString('base64url')}`
    },
    /** What a link ends, or undefined for one that we did not make. */
    read: (token: string): Mailed | undefined => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== LENGTH + PROOF) return undefined
      const content = bytes.subarray(0, LENGTH)
      if (!hash.matches(bytes.subarray(LENGTH), textOf(content))) return undefined
      const bits = content.readUInt16BE(32)
      return {
        projectId: stringify(content.subarray(0, 16)),
        member: stringify(content.subarray(16, 32)),
        kinds: KIND_NAMES.filter((_kind, i) => (bits & (1 << i)) !== 0),
      }
    },
  }
}
