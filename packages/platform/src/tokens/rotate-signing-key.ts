import type { Pool, PoolClient } from 'pg'
import { newUuid } from '../ids.ts'
import type { ProjectBox } from '../secrets/project-box.ts'
import { INSTALLATION } from '../secrets/sealing-keys.ts'
import { ACCESS_TOKEN_SECONDS } from './ended-sessions.ts'

/** The purpose of the encryption of signing keys: see makeProjectBox. */
export const SIGNING_KEYS_PURPOSE = 'signing keys'

/** Rotations wait for each other: 'sign' in ASCII. */
const LOCK = 0x7369676e
/** A key is published for this long after its last token has expired, because clocks differ. */
const SLACK_SECONDS = 600

interface Rotation {
  /** May insert into signing_keys. */
  readonly pool: Pick<Pool, 'connect'>
  readonly box: ProjectBox
  /**
   * How long the key is published before it is used, for servers that cache the published keys. 0: it is used at once.
   */
  readonly aheadSeconds?: number
  /** Does nothing if a key is younger than this. */
  readonly unlessYoungerThanSeconds?: number
}

/** A signing key as operators see it. */
export interface SigningKeyRecord {
  readonly id: string
  readonly created_at: string
  readonly signs_from: string
  /** Null while no newer key follows. */
  readonly published_until: string | null
}

/** A key of another cell, whose tokens of projects that came from there are valid here. */
export interface ForeignSigningKeyRecord {
  readonly id: string
  /** `iss` of its tokens. */
  readonly issuer: string
  readonly published_until: string
}

const COLUMNS = 'id, created_at, signs_from, published_until'

/** The keys that are published, the newest first. */
export async function listSigningKeys(pool: Pool): Promise<SigningKeyRecord[]> {
  const { rows } = await pool.query<SigningKeyRecord>(
    `select ${COLUMNS} from signing_keys where published_until is null or published_until > now()
     order by created_at desc, id desc`,
  )
  return rows
}

/** The keys of other cells that are published here, the last to end first. */
export async function listForeignSigningKeys(pool: Pool): Promise<ForeignSigningKeyRecord[]> {
  const { rows } = await pool.query<ForeignSigningKeyRecord>(
    `select id, issuer, max(published_until) as published_until from foreign_signing_keys
     where published_until > now() group by id, issuer order by published_until desc, id`,
  )
  return rows
}

/**
 * Creates a new signing key (ES256). The previous keys sign until it is used, and stay published until their last token
 * has expired.
 * @returns undefined if there is a key younger than `unlessYoungerThanSeconds`
 */
export async function rotateSigningKey(rotation: Rotation): Promise<SigningKeyRecord | undefined> {
  const { pool, box, aheadSeconds = 0, unlessYoungerThanSeconds } = rotation
  const { exportJWK, generateKeyPair } = await import('jose')
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const id = newUuid()
  const values = [
    id,
    JSON.stringify(await exportJWK(publicKey)),
    box.seal(JSON.stringify(await exportJWK(privateKey)), id, INSTALLATION),
    aheadSeconds,
  ]
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    if (unlessYoungerThanSeconds !== undefined) {
      const { rowCount } = await client.query(
        `select from signing_keys where created_at > now() - make_interval(secs => $1)
           and (published_until is null or published_until > now())`,
        [unlessYoungerThanSeconds],
      )
      if (rowCount !== 0) return undefined
    }
    const { rows } = await client.query<SigningKeyRecord>(
      `insert into signing_keys (id, public_key, private_key, signs_from)
       values ($1, $2, $3, now() + make_interval(secs => $4)) returning ${COLUMNS}`,
      values,
    )
    await client.query(
      `update signing_keys set published_until = now() + make_interval(secs => $2)
       where id <> $1 and published_until is null`,
      [id, aheadSeconds + ACCESS_TOKEN_SECONDS + SLACK_SECONDS],
    )
    return rows[0]
  })
}

/**
 * Ends a key that others may know: no process accepts its tokens any more within a second. A key of another cell ends here alone.
 * @returns whether there was such a key; and the other cells that may accept its tokens, because projects moved there within the last hour
 */
export async function revokeSigningKey(
  pool: Pool,
  id: string,
): Promise<{ readonly revoked: boolean; readonly cells: readonly string[] }> {
  const own = await pool.query(
    `update signing_keys set published_until = now()
     where id = $1 and (published_until is null or published_until > now())`,
    [id],
  )
  const foreign = await pool.query('delete from foreign_signing_keys where id = $1', [id])
  const { rows } = await pool.query<{ cell: string }>(
    "select distinct cell from project_locations where since > now() - interval '2 hours' order by cell",
  )
  return { revoked: own.rowCount === 1 || foreign.rowCount !== 0, cells: rows.map(({ cell }) => cell) }
}

async function inTransaction<T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let sound = true
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    sound = await client.query('rollback').then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    client.release(!sound)
  }
}
