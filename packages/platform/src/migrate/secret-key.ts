import { createHmac, timingSafeEqual } from 'node:crypto'
import pg from 'pg'
import { loginOf, urlOf } from '../db/logins.ts'
import { allOf, type SecretKeys } from '../secrets/secret-keys.ts'

/** SECRET_KEY is another one than the database was made with. Nothing was changed. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}

export const WRONG =
  'SECRET_KEY is not the one that this database was made with. Nothing was changed. Set the right key.'
const REPLACE =
  ' To take over a new one, run `migrate --replace-secret-key`: what the old key sealed (webhook secrets, keys of payment providers, ' +
  'second factors, single sign-on, signing keys, mails that wait) cannot be read any more, and links and codes in mails end.'
const INVALID_PASSWORD = '28P01'

/** Tells keys apart, and says nothing about them. */
export const fingerprintOf = (secretKey: string): Buffer =>
  createHmac('sha256', secretKey).update('fingerprint of the installation').digest()

/**
 * Compares the key with the one of the installation. A database that has no fingerprint yet is asked whether it knows the
 * password of a login.
 *
 * @param owner - A connection with the login of the owner.
 * @throws SecretKeyError
 */
export async function assertSecretKey(
  owner: pg.Client,
  databaseUrl: string,
  secretKey: string,
): Promise<void> {
  const stored = await fingerprintIn(owner)
  const isRight =
    stored === undefined ? await knowsPassword(owner, databaseUrl, secretKey) : isKeyOf(stored, secretKey)
  if (!isRight) throw new SecretKeyError(WRONG + REPLACE)
}

/** Whether a fingerprint is that of a key. */
export const isKeyOf = (stored: Buffer, secretKey: string): boolean =>
  timingSafeEqual(stored, fingerprintOf(secretKey))

/**
 * Stores the fingerprint of the key that the installation has from now on.
 * @param isNew a database that was empty has keys of projects from its first day
 */
export async function recordSecretKey(owner: pg.Client, secretKey: string, isNew: boolean): Promise<void> {
  if (!(await hasTable(owner))) return
  await owner.query(
    `insert into installation (key_fingerprint, sealed_by_project_since) values ($1, case when $2 then now() end)
     on conflict (only_one) do update set key_fingerprint = excluded.key_fingerprint`,
    [fingerprintOf(secretKey), isNew],
  )
}

/** A schema of before fingerprints has none. */
async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('public.installation') is not null as there")
  return rows[0]?.there === true
}

/** Undefined where none is stored, or the database is older than fingerprints. */
export async function fingerprintIn(client: pg.Client): Promise<Buffer | undefined> {
  if (!(await hasTable(client))) return undefined
  const { rows } = await client.query<{ key_fingerprint: Buffer }>('select key_fingerprint from installation')
  return rows[0]?.key_fingerprint
}

/** Whether a login has the password that derives from the key; true where there is no login yet. */
async function knowsPassword(owner: pg.Client, databaseUrl: string, secretKey: string): Promise<boolean> {
  const { user } = loginOf(databaseUrl, 'api', secretKey)
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [user])
  if (rowCount === 0) return true
  const client = new pg.Client({ connectionString: urlOf(databaseUrl, 'api', secretKey) })
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code === INVALID_PASSWORD) return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * The key with which the database works: SECRET_KEY, or the one before it as long as a rotation is prepared and not made.
 * @param owner a connection with the login of the owner
 */
export async function keyInUse(owner: pg.Client, keys: SecretKeys): Promise<string> {
  const stored = await fingerprintIn(owner)
  return allOf(keys).find((key) => stored !== undefined && isKeyOf(stored, key)) ?? keys.SECRET_KEY
}
