import { createHash, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '#platform/config.ts'
import { toId } from '#platform/ids.ts'
import { makeKeyedHash } from '#platform/secrets/keyed-hash.ts'
import { allOf, type SecretKeys } from '#platform/secrets/secret-keys.ts'

// Links to private files for people without a key, such as those who open a CSV or see a picture. Where PostgreSQL signs
// them while it copies rows out, it is given a key that signs links of one project that end at one time, and nothing else.

/** Settings that signing takes. */
export type LinkConfig = Pick<Config, 'BASE_URL'> & SecretKeys

/** A file as it is, or the smaller size of a picture. */
export type Size = 'whole' | 'preview'

/** Links to files of a project that work until one time. */
export interface FileLinks {
  /** SQL of the link to a file. @param id SQL of its public id; null gives null */
  linkTo(id: RawBuilder<string | null>): RawBuilder<string | null>
  /** The link to a file. @param id the public id */
  urlOf(id: string, size?: Size): string
  /** Whether a link has the signature for this file in this size. @param id the public id */
  isSigned(id: string, signature: string, size?: Size): boolean
}

const HOUR = 3_600

/**
 * When links end that an answer shows now, in seconds since 1970.
 * @param seconds links are the same for so long, so that browsers keep what they lead to, and work for up to twice as long
 */
export const endOfShown = (seconds: number): number =>
  (Math.floor(Date.now() / 1_000 / seconds) + 2) * seconds

/** Links in answers to what is shown to everybody who sees the answer: they work for one to two hours. */
export const shownLinks = (config: LinkConfig, projectId: string): FileLinks =>
  fileLinks(config, projectId, endOfShown(HOUR))

/** Hexadecimal digits of a signature: 128 bits. */
export const SIGNATURE_LENGTH = 32

/**
 * @param expires when the links end at the latest, in seconds since 1970
 * @param exported the public id of the export that has the links: they end with it
 */
export function fileLinks(
  config: LinkConfig,
  projectId: string,
  expires: number,
  exported?: string,
): FileLinks {
  const scope = `${projectId}/${expires}${exported === undefined ? '' : `/${exported}`}`
  const [key = '', ...otherKeys] = allOf(config).map((secret) =>
    makeKeyedHash(secret, 'links to files')(scope).toString('hex'),
  )
  const before = `${config.BASE_URL}/api/v1/storage/signed/${toId('project', projectId)}/`
  const behind = (more: string) => `?expires=${expires}${more}&signature=`
  const behindWhole = behind(exported === undefined ? '' : `&export=${exported}`)
  // The key stands before both texts, as in HMAC: a hash of one alone could be extended.
  const hashed = (text: RawBuilder<string | null>) =>
    sql<string | null>`encode(sha256(convert_to(${key} || ${text}, 'UTF8')), 'hex')`
  const hash = (text: string, by: string) =>
    createHash('sha256')
      .update(by + text)
      .digest('hex')
  const signatureOf = (id: string, by = key) => hash(hash(id, by), by).slice(0, SIGNATURE_LENGTH)
  return {
    linkTo: (id) =>
      sql`${before} || ${id} || ${behindWhole} || left(${hashed(hashed(id))}, ${sql.lit(SIGNATURE_LENGTH)})`,
    urlOf: (id, size) =>
      before +
      id +
      (size === 'preview' ? behind('&preview=true') : behindWhole) +
      signatureOf(signed(id, size)),
    isSigned: (id, signature, size) => {
      const given = Buffer.from(signature)
      return [key, ...otherKeys].some((by) => {
        const right = Buffer.from(signatureOf(signed(id, size), by))
        return given.length === right.length && timingSafeEqual(given, right)
      })
    },
  }
}

/** The text that is signed. No id has a slash. */
const signed = (id: string, size: Size = 'whole') => (size === 'preview' ? `${id}/preview` : id)
