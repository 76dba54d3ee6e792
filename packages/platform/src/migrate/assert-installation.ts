import pg from 'pg'
import { loginOf, urlOf } from '../db/logins.ts'
import type { DatabasePlace } from '../db/pool.ts'
import { allOf, keysOf, type SecretKeys } from '../secrets/secret-keys.ts'
import { fingerprintIn, isKeyOf, SecretKeyError, WRONG } from './secret-key.ts'

const CONNECT_MS = 5_000
/** A wrong password; a login that does not exist; a database that does not exist. */
const REFUSED = new Set(['28P01', '28000', '3D000'])

/** What a start has found. */
export interface Installation {
  /** A sentence for the log where the login is refused. */
  readonly remark: string | undefined
  /** The key of the database comes first: until a rotation, processes that know the next key go on with the present one. */
  readonly keys: SecretKeys
}

/**
 * Looks, when a process starts, whether the database is the one of its SECRET_KEY. A database that does not answer or
 * refuses the login is no fault: processes wait for it.
 * @throws SecretKeyError
 */
export async function assertInstallation(place: DatabasePlace): Promise<Installation> {
  let refusal: string | undefined
  for (const secretKey of allOf(place)) {
    const found = await fingerprintAt(place.DATABASE_URL, secretKey)
    if (found instanceof Error) refusal ??= explain(found, loginOf(place.DATABASE_URL, 'api', secretKey).user)
    else return { remark: undefined, keys: inOrder(place, found) }
  }
  return { remark: refusal, keys: keysOf(place) }
}

/** @returns the fingerprint; undefined where the database does not answer or has none; why it refuses the login */
async function fingerprintAt(url: string, secretKey: string): Promise<Buffer | undefined | Error> {
  const client = new pg.Client({
    connectionString: urlOf(url, 'api', secretKey),
    application_name: 'guildhall start',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    return isRefusal(error) ? error : undefined
  }
  try {
    return await fingerprintIn(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @throws SecretKeyError */
function inOrder(place: DatabasePlace, stored: Buffer | undefined): SecretKeys {
  if (stored === undefined || isKeyOf(stored, place.SECRET_KEY)) return keysOf(place)
  const { SECRET_KEY_OLD: old } = place
  if (old === undefined || !isKeyOf(stored, old)) throw new SecretKeyError(WRONG)
  return { SECRET_KEY: old, SECRET_KEY_OLD: undefined, SECRET_KEY_NEW: place.SECRET_KEY }
}

const isRefusal = (error: unknown): error is pg.DatabaseError =>
  REFUSED.has((error as Partial<pg.DatabaseError> | undefined)?.code ?? '')

const explain = (error: Error, user: string): string =>
  `PostgreSQL refuses the login ${user} (${error.message}). ${causeOfRefusal(error)} This process asks again until it is let in.`

/** PostgreSQL has one message for several causes, so that strangers cannot tell them apart. */
const CAUSES =
  'Either SECRET_KEY is not the one that `migrate` ran with, or `migrate` has not run for this database, or there is no such database, or ' +
  'DATABASE_URL leads to another server.'

/** What may be wrong where PostgreSQL refuses a login, and what tells or mends it; undefined for other errors. */
export function causeOfRefusal(error: unknown): string | undefined {
  if (!isRefusal(error)) return undefined
  if (error.code === '3D000')
    return 'Make it with `createdb` and run `guildhall migrate`, or correct its name in DATABASE_URL.'
  if (!/"guildhall_[a-z]+_/.test(error.message)) return "Correct the owner's password in DATABASE_URL."
  return `${CAUSES} \`guildhall doctor\`, with the login of the owner, tells which.`
}
