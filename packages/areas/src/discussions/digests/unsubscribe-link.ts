import { timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import { makeKeyedHash } from '#platform/secrets/keyed-hash.ts'
import type { Mark } from '../threads/marks.ts'

export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** Whose mails about what a link ends. */
export interface Subscription extends Mark {
  readonly projectId: string
}

const IDS = 48
const PROOF = 16

/**
 * Links that end the mails of one discussion to one member, without a login and for good. They say so themselves, and
 * nobody without SECRET_KEY can make one.
 */
export function makeUnsubscribeLinks({
  SECRET_KEY,
  BASE_URL,
}: {
  readonly SECRET_KEY: string
  readonly BASE_URL: string
}) {
  const hash = makeKeyedHash(SECRET_KEY, 'unsubscribe from discussions')
  const proofOf = (ids: Buffer) => hash(ids.toString('base64url')).subarray(0, PROOF)
  return {
    linkFor: ({ projectId, discussion_id, member_id }: Subscription): string => {
      const ids = Buffer.concat([parse(projectId), parse(discussion_id), parse(member_id)])
      return `${BASE_URL}${UNSUBSCRIBE_PATH}/${Buffer.concat([ids, proofOf(ids)]).toString('base64url')}`
    },
    /** What a link ends, or undefined for one that we did not make. */
    read: (token: string): Subscription | undefined => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== IDS + PROOF) return undefined
      const ids = bytes.subarray(0, IDS)
      if (!timingSafeEqual(proofOf(ids), bytes.subarray(IDS))) return undefined
      const at = (i: number) => stringify(ids.subarray(16 * i, 16 * (i + 1)))
      return { projectId: at(0), discussion_id: at(1), member_id: at(2) }
    },
  }
}
