import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { knownPasskey } from '../errors.ts'

/** Minutes for which a challenge is valid; people need time to find their security keys. */
export const CHALLENGE_MINUTES = 5

export const insertChallenge = defineQuery(
  'insert_passkey_challenge',
  (v: { id: string; hash: Buffer; rp_id: string; member_id: string | null }) =>
    query.insertInto('passkey_challenges').values({
      ...pick(v, 'id', 'hash', 'rp_id', 'member_id'),
      expires_at: sql`now() + make_interval(mins => ${sql.lit(CHALLENGE_MINUTES)})`,
    }),
)

/**
 * Uses a challenge up, whether its answer is right or not. `memberId` is the member it was made for; null for a login.
 */
export const takeChallenge = defineQuery(
  'take_passkey_challenge',
  (v: { hash: Buffer; memberId: string | null }) =>
    query
      .deleteFrom('passkey_challenges')
      .where('hash', '=', v.hash)
      .where(sql<boolean>`member_id is not distinct from ${v.memberId}::uuid`)
      .where('expires_at', '>', sql<string>`now()`)
      .returning('rp_id'),
).first()

export const listPasskeys = defineQuery('passkeys_of_member', (v: { memberId: string }) =>
  query
    .selectFrom('passkeys')
    .select(['id', 'name', 'rp_id', 'credential_id', 'transports', 'created_at', 'last_used_at'])
    .where('member_id', '=', v.memberId)
    .orderBy('id'),
)

/** The passkey that an authenticator has answered with, or undefined. */
export const findPasskey = defineQuery('passkey_by_credential', (v: { credentialId: Buffer; rpId: string }) =>
  query
    .selectFrom('passkeys')
    .select(['id', 'member_id', 'public_key', 'counter'])
    .where('credential_id', '=', v.credentialId)
    .where('rp_id', '=', v.rpId),
).first()

interface NewPasskey {
  id: string
  member_id: string
  credential_id: Buffer
  rp_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
}

/** @throws ApiError 422 INVALID_PASSKEY for one that is known already */
export const insertPasskey = defineQuery(
  'insert_passkey',
  (v: NewPasskey) =>
    query.insertInto('passkeys').values({
      ...pick(v, 'id', 'member_id', 'credential_id', 'rp_id'),
      ...pick(v, 'public_key', 'counter', 'transports', 'name'),
    }),
  { passkeys_credential_key: knownPasskey },
)

/** Notes that a passkey was used. Answers undefined if it was deleted, or its counter has increased in the meantime. */
export const usePasskey = defineQuery('use_passkey', (v: { id: string; counter: number }) =>
  query
    .updateTable('passkeys')
    .set({ counter: v.counter, last_used_at: sql`now()` })
    .where('id', '=', v.id)
    .where(sql<boolean>`(counter < ${v.counter}::bigint or (counter = 0 and ${v.counter}::bigint = 0))`)
    .returning('member_id'),
).first()

/** Answers what was deleted. @throws ApiError 404 if the member has no such passkey */
export const deletePasskey = defineQuery('delete_passkey', (v: { id: string; memberId: string }) =>
  query
    .deleteFrom('passkeys')
    .where('id', '=', v.id)
    .where('member_id', '=', v.memberId)
    .returning(['id', 'name']),
).one('Factor')
