import pg from 'pg'
import { loginClientOf } from '../db/login-keys.ts'
import { assertDirect } from '../doctor/database-address.ts'
import { unwrapKey, wrapKey } from '../keys/project-keys.ts'
import { INSTALLATION } from '../secrets/sealing-keys.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import { makeLogins } from './logins.ts'
import { lockMigrations } from './migrate.ts'
import { fingerprintIn, fingerprintOf, isKeyOf, SecretKeyError } from './secret-key.ts'

/** A rotation that cannot begin yet; the message says why. Nothing was changed. */
export class NotReadyToRotate extends Error {
  override name = 'NotReadyToRotate'
}

interface Place {
  /** The database itself, with the login of its owner. */
  readonly databaseUrl: string
  /** SECRET_KEY is the new one, and SECRET_KEY_OLD the one before it. */
  readonly keys: SecretKeys
}

/** How far keys of projects are. */
export interface KeyStatus {
  /** ISO 8601; null: secrets are sealed with SECRET_KEY itself, and `prepare` begins with keys of projects. */
  readonly sealed_by_project_since: string | null
  readonly projects: number
  /** Projects without a key, or with secrets that are still to be sealed with it. */
  readonly waiting: number
  /** Keys that the present SECRET_KEY has wrapped, and those that the one before has. */
  readonly wrapped: number
  readonly wrapped_by_old: number
}

const BATCH = 500

/**
 * Has each project get a key of its own, with which a worker seals its secrets anew within minutes. Call it when no process of an
 * older version runs any more: those cannot open what is sealed so.
 */
export async function prepareRotation(place: Place): Promise<KeyStatus> {
  return withOwner(place, async (owner) => {
    await owner.query(
      'update installation set sealed_by_project_since = now() where sealed_by_project_since is null',
    )
    return readStatus(owner, place)
  })
}

/** Changes nothing. */
export const readKeyStatus = (place: Place): Promise<KeyStatus> =>
  withOwner(place, (owner) => readStatus(owner, place))

/**
 * Lets a new SECRET_KEY take over while everything runs: all processes know both keys. The fingerprint comes first, so that keys that
 * are made meanwhile are wrapped by the new one; then one row of each project is wrapped anew; passwords of logins come last. It can be
 * killed at any moment and repeated.
 * @throws SecretKeyError where the database has neither key; NotReadyToRotate
 */
export async function rotateSecretKey(place: Place): Promise<KeyStatus> {
  const { SECRET_KEY: secretKey, SECRET_KEY_OLD: old } = place.keys
  if (old === undefined)
    throw new NotReadyToRotate('Set SECRET_KEY to the new key, and SECRET_KEY_OLD to the one before it')
  return withOwner(place, async (owner) => {
    await lockMigrations(owner)
    const stored = await fingerprintIn(owner)
    if (stored === undefined || !(isKeyOf(stored, secretKey) || isKeyOf(stored, old)))
      throw new SecretKeyError(
        'SECRET_KEY_OLD is not the key of this database. Nothing was changed. Set SECRET_KEY to the new key, and SECRET_KEY_OLD to the one before it.',
      )
    assertReady(await readStatus(owner, place))
    await owner.query('update installation set key_fingerprint = $1', [fingerprintOf(secretKey)])
    await wrapAll(owner, place.keys)
    await makeLogins(owner, { databaseUrl: place.databaseUrl, secretKey })
    return readStatus(owner, place)
  })
}

/** @throws NotReadyToRotate */
function assertReady({ sealed_by_project_since, waiting }: KeyStatus): void {
  if (sealed_by_project_since === null)
    throw new NotReadyToRotate(
      'Secrets of this installation are sealed with SECRET_KEY itself: run `guildhall secret-key prepare`, and rotate some minutes later',
    )
  if (waiting > 0)
    throw new NotReadyToRotate(
      `The secrets of ${waiting} projects are not sealed with keys of their own yet. A worker of the lane schedule does it within minutes: ` +
        'run this again when `guildhall secret-key status` shows that none waits',
    )
}

/** Rows that the new key has wrapped already are left as they are. */
async function wrapAll(owner: pg.Client, keys: SecretKeys): Promise<void> {
  const anew = (id: string, wrapped: Buffer) => wrapKey(keys.SECRET_KEY, id, unwrapKey(keys, id, wrapped))
  const { rows: own } = await owner.query<{ wrapped: Buffer | null }>(
    'select wrapped_key as wrapped from installation',
  )
  const wrapped = own[0]?.wrapped
  if (wrapped != null && !isWrappedBy(keys.SECRET_KEY, INSTALLATION, wrapped))
    await owner.query('update installation set wrapped_key = $1', [anew(INSTALLATION, wrapped)])
  for (let after = INSTALLATION; ; ) {
    const { rows } = await owner.query<{ id: string; wrapped: Buffer }>(
      'select id, wrapped from project_keys where id > $1 order by id limit $2',
      [after, BATCH],
    )
    const before = rows.filter((row) => !isWrappedBy(keys.SECRET_KEY, row.id, row.wrapped))
    await owner.query(
      `update project_keys k set wrapped = n.wrapped from unnest($1::uuid[], $2::bytea[]) as n (id, wrapped) where k.id = n.id`,
      [before.map(({ id }) => id), before.map((row) => anew(row.id, row.wrapped))],
    )
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

function isWrappedBy(secretKey: string, id: string, wrapped: Buffer): boolean {
  try {
    unwrapKey({ SECRET_KEY: secretKey }, id, wrapped)
    return true
  } catch {
    return false
  }
}

async function readStatus(owner: pg.Client, { databaseUrl, keys }: Place): Promise<KeyStatus> {
  const { rows: since } = await owner.query<{ at: Date | null }>(
    'select sealed_by_project_since as at from installation',
  )
  const { rows: wrapped } = await owner.query<{ id: string; wrapped: Buffer }>(
    'select id, wrapped from project_keys',
  )
  const by = wrapped.filter((row) => isWrappedBy(keys.SECRET_KEY, row.id, row.wrapped)).length
  // The owner sees no projects, because policies apply to it.
  const Housekeeper = loginClientOf(databaseUrl, 'housekeeper', keys)
  const housekeeper = await connected(() => new Housekeeper())
  try {
    const { rows } = await housekeeper.query<{ projects: number; waiting: number }>(
      `select count(*)::int as projects, (count(*) filter (where k.resealed_at is null))::int as waiting
       from projects p left join project_keys k on k.id = p.id`,
    )
    return {
      sealed_by_project_since: since[0]?.at?.toISOString() ?? null,
      projects: rows[0]?.projects ?? 0,
      waiting: rows[0]?.waiting ?? 0,
      wrapped: by,
      wrapped_by_old: wrapped.length - by,
    }
  } finally {
    await housekeeper.end()
  }
}

/** Connects, once more where the password is that of the other key. */
async function connected(open: () => pg.Client): Promise<pg.Client> {
  const client = open()
  try {
    await client.connect()
    return client
  } catch {
    await client.end().catch(() => undefined)
    const again = open()
    await again.connect()
    return again
  }
}

async function withOwner<T>({ databaseUrl }: Place, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: databaseUrl, application_name: 'guildhall secret-key' })
  await owner.connect()
  try {
    await assertDirect(owner, 'The address of the database')
    return await work(owner)
  } finally {
    await owner.end()
  }
}
