import { timingSafeEqual } from 'node:crypto'
import type { KeyedHash } from '#platform/secrets/keyed-hash.ts'
import type { Settings } from '../schema.ts'

/** A page may stay open for a week. */
const TOKEN_SECONDS = 7 * 86_400
/** Unless the form says otherwise. */
const DUPLICATE_SECONDS = 60

const secondsAt = (time: string) => Math.floor(Date.parse(time) / 1_000)

const macOf = (hash: KeyedHash, formId: string, shownAt: string) => hash(`${formId} ${shownAt}`)

/**
 * Makes a token that proves when a form was shown: `<Unix time>.<signature>`. Nobody else can make one.
 * @param now what time it is by the project's clock
 */
export function makeToken(hash: KeyedHash, formId: string, now: string): string {
  const shownAt = String(secondsAt(now))
  return `${shownAt}.${macOf(hash, formId, shownAt).toString('base64url')}`
}

/**
 * Seconds since a form was shown, or undefined for a token that is none of this form, or too old.
 * @param now what time it is by the project's clock
 */
export function secondsSince(
  hash: KeyedHash,
  formId: string,
  token: string,
  now: string,
): number | undefined {
  const [shownAt = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = macOf(hash, formId, shownAt)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  const seconds = secondsAt(now) - Number(shownAt)
  return seconds <= TOKEN_SECONDS ? seconds : undefined
}

/** Whether a submission was probably sent by a program: it filled in the hidden field, or was too fast. */
export function looksAutomatic(
  { spam = {} }: Settings,
  data: Readonly<Record<string, unknown>>,
  elapsed: number | undefined,
): boolean {
  const { honeypot, min_seconds = 0 } = spam
  const bait = honeypot !== undefined && Object.hasOwn(data, honeypot) ? data[honeypot] : undefined
  if (bait !== undefined && bait !== null && bait !== '' && bait !== false) return true
  return min_seconds > 0 && (elapsed === undefined || elapsed < min_seconds)
}

/** For how long the same answers of the same sender are a duplicate. */
export const duplicateSeconds = ({ spam }: Settings): number => spam?.duplicate_seconds ?? DUPLICATE_SECONDS
