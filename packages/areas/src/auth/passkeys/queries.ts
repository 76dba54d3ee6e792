import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { knownPasskey } from '../errors.ts'

/** Minutes for which a challenge is valid; people need time to find their security keys. */
export const CHALLENGE_MINUTES = 5

interface NewChallenge {
  id: string
  hash: Buffer
  rp_id: string
  member_id: string | null
}

const insertChallengeRow = statement('insert_passkey_challenge', (v: NewChallenge) =>
  query.insertInto('passkey_challenges').values({
    id: v.id,
    hash: v.hash,
    rp_id: v.rp_id,
    member_id: v.member_id,
    expires_at: sql`now() + make_interval(mins => ${sql.lit(CHALLENGE_MINUTES)})`,
  }),
)
export const insertChallenge = (ctx: Context, row: NewChallenge) => ctx.tx.defer(insertChallengeRow, row)

const take = statement('take_passkey_challenge', (v: { hash: Buffer; memberId: string | null }) =>
  query
    .deleteFrom('passkey_challenges')
    .where('hash', '=', v.hash)
    .where(sql<boolean>`member_id is not distinct from ${v.memberId}::uuid`)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('rp_id'),
)
/**
 * Uses a challenge up, whether its answer is right or not.
 * @param memberId the member it was made for; null for a login
 */
export const takeChallenge = (ctx: Context, hash: Buffer, memberId: string | null) =>
  ctx.tx.first(take, { hash, memberId })

const ofMember = statement('passkeys_of_member', (v: { memberId: string }) =>
  query
    .selectFrom('passkeys')
    .select(['id', 'name', 'rp_id', 'credential_id', 'transports', 'created_at', 'last_used_at'])
    .where('member_id', '=', v.memberId)
    .orderBy('id'),
)
export const listPasskeys = (ctx: Context, memberId: string) => ctx.tx.all(ofMember, { memberId })

const byCredential = statement('passkey_by_credential', (v: { credentialId: Buffer; rpId: string }) =>
  query
    .selectFrom('passkeys')
    .select(['id', 'member_id', 'public_key', 'counter'])
    .where('credential_id', '=', v.credentialId)
    .where('rp_id', '=', v.rpId),
)
/** The passkey that an authenticator has answered with, or undefined. */
export const findPasskey = (ctx: Context, credentialId: Buffer, rpId: string) =>
  ctx.tx.first(byCredential, { credentialId, rpId })

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

const insert = statement(
  'insert_passkey',
  (v: NewPasskey) =>
    query.insertInto('passkeys').values({
      id: v.id,
      member_id: v.member_id,
      credential_id: v.credential_id,
      rp_id: v.rp_id,
      public_key: v.public_key,
      counter: v.counter,
      transports: v.transports,
      name: v.name,
    }),
  {
    passkeys_credential_key: knownPasskey,
  },
)
/** @throws ApiError 422 INVALID_PASSKEY for one that is known already */
export const insertPasskeyRow = (ctx: Context, row: NewPasskey) => ctx.tx.defer(insert, row)

const markUsed = statement('use_passkey', (v: { id: string; counter: number }) =>
  query
    .updateTable('passkeys')
    .set({ counter: v.counter, last_used_at: sql`now()` })
    .where('id', '=', v.id)
    .where(sql<boolean>`(counter < ${v.counter}::bigint or (counter = 0 and ${v.counter}::bigint = 0))`)
    .returning('member_id'),
)
/**
 * Notes that a passkey was used. @returns undefined where it was deleted, or its counter has increased in the meantime
 */
export const usePasskey = (ctx: Context, id: string, counter: number) =>
  ctx.tx.first(markUsed, { id, counter })

const remove = statement('delete_passkey', (v: { id: string; memberId: string }) =>
  query
    .deleteFrom('passkeys')
    .where('id', '=', v.id)
    .where('member_id', '=', v.memberId)
    .returning(['id', 'name']),
)
/** @returns what was deleted, or undefined where the member has no such passkey */
export const deletePasskeyRow = (ctx: Context, id: string, memberId: string) =>
  ctx.tx.first(remove, { id, memberId })
