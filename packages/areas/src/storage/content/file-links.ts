import { createHash, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '#platform/config.ts'
import { toId } from '#platform/ids.ts'
import { makeKeyedHash } from '#platform/secrets/keyed-hash.ts'

// Links to private files for people without a key, such as those who open a CSV or see a picture. Where PostgreSQL signs
// them while it copies rows out, it is given a key that signs links of one project that end at one time, and nothing else.

/** Links to files of a project that work until one time. */
export interface FileLinks {
  /** SQL of the link to a file. @param id SQL of its public id; null gives null */
  linkTo(id: RawBuilder<string | null>): RawBuilder<string | null>
  /** The link to a file. @param id the public id */
  urlOf(id: string): string
  /** Whether a link has the signature for this file. @param id the public id */
  isSigned(id: string, signature: string): boolean
}

const HOUR = 3_600

/** Links in answers. They are the same for an hour, so that browsers keep what they lead to, and work for one to two hours. */
export const shownLinks = (config: Pick<Config, 'BASE_URL' | 'SECRET_KEY'>, projectId: string): FileLinks =>
  fileLinks(config, projectId, (Math.floor(Date.now() / 1_000 / HOUR) + 2) * HOUR)

/** Hexadecimal digits of a signature: 128 bits. */
export const SIGNATURE_LENGTH = 32

/**
 * @param expires when the links end at the latest, in seconds since 1970
 * @param exported the public id of the export that has the links: they end with it
 */
export function fileLinks(
  { BASE_URL, SECRET_KEY }: Pick<Config, 'BASE_URL' | 'SECRET_KEY'>,
  projectId: string,
  expires: number,
  exported?: string,
): FileLinks {
  const scope = `${projectId}/${expires}${exported === undefined ? '' : `/${exported}`}`
  const key = makeKeyedHash(SECRET_KEY, 'links to files')(scope).toString('hex')
  const before = `${BASE_URL}/api/v1/storage/signed/${toId('project', projectId)}/`
  const behind = `?expires=${expires}${exported === undefined ? '' : `&export=${exported}`}&signature=`
  // The key stands before both texts, as in HMAC: a hash of one alone could be extended.
  const hashed = (text: RawBuilder<string | null>) =>
    sql<string | null>`encode(sha256(convert_to(${key} || ${text}, 'UTF8')), 'hex')`
  const hash = (text: string) =>
    createHash('sha256')
      .update(key + text)
      .digest('hex')
  const signatureOf = (id: string) => hash(hash(id)).slice(0, SIGNATURE_LENGTH)
  return {
    linkTo: (id) =>
      sql`${before} || ${id} || ${behind} || left(${hashed(hashed(id))}, ${sql.lit(SIGNATURE_LENGTH)})`,
    urlOf: (id) => before + id + behind + signatureOf(id),
    isSigned: (id, signature) => {
      const right = Buffer.from(signatureOf(id))
      const given = Buffer.from(signature)
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
