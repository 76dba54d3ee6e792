import type { CheckedHash, KeyedHash } from '#platform/secrets/keyed-hash.ts'
import type { Settings } from '../schema.ts'

/** A page may stay open for a week. */
const TOKEN_SECONDS = 7 * 86_400
/** A whole hash, not a part of one. */
const HASH_BYTES = 32
/** Unless the form says otherwise. */
const DUPLICATE_SECONDS = 60

const secondsAt = (time: string) => Math.floor(Date.parse(time) / 1_000)

const textOf = (formId: string, shownAt: string) => `${formId} ${shownAt}`

/**
 * Makes a token that proves when a form was shown: `<Unix time>.<signature>`. Nobody else can make one.
 * @param now what time it is by the project's clock
 */
export function makeToken(hash: KeyedHash, formId: string, now: string): string {
  const shownAt = String(secondsAt(now))
  return `${shownAt}.${hash(textOf(formId, shownAt)).toString('base64url')}`
}

/**
 * Seconds since a form was shown, or undefined for a token that is none of this form, or too old.
 * @param now what time it is by the project's clock
 */
export function secondsSince(
  hash: CheckedHash,
  formId: string,
  token: string,
  now: string,
): number | undefined {
  const [shownAt = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== HASH_BYTES || !hash.matches(given, textOf(formId, shownAt))) return undefined
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
