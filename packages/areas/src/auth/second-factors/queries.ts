import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { TOTP_PERIOD } from './totp.ts'

/** The time step of the newest code that was accepted. */
const lastUse = sql<
  string | null
>`case when last_step > 0 then to_timestamp(last_step * ${sql.lit(TOTP_PERIOD)}) end`

const factors = () =>
  query
    .selectFrom('mfa_factors')
    .select(['id', 'type', 'name', 'secret', 'confirmed_at', 'created_at', lastUse.as('last_used_at')])

/** The second factors that a member has to show. */
export const listConfirmedFactors = defineQuery('confirmed_factors', (v: { memberId: string }) =>
  factors().where('member_id', '=', v.memberId).where('confirmed_at', 'is not', null).orderBy('id'),
)

/** All factors of a member, begun ones too, locked until the end of the transaction. */
export const lockFactors = defineQuery('factors_of_member', (v: { memberId: string }) =>
  factors().where('member_id', '=', v.memberId).orderBy('id').forUpdate(),
)

export const insertFactor = defineQuery(
  'insert_factor',
  (v: { id: string; member_id: string; type: string; name: string; secret: Buffer }) =>
    query.insertInto('mfa_factors').values(pick(v, 'id', 'member_id', 'type', 'name', 'secret')),
)

/** Forgets factors that were begun and never confirmed. */
export const discardBegunFactors = defineQuery('discard_begun_factors', (v: { memberId: string }) =>
  query.deleteFrom('mfa_factors').where('member_id', '=', v.memberId).where('confirmed_at', 'is', null),
)

export const removeFactor = defineQuery('delete_factor', (v: { id: string; memberId: string }) =>
  query.deleteFrom('mfa_factors').where('id', '=', v.id).where('member_id', '=', v.memberId),
)

export const removeFactorsOf = defineQuery('delete_factors_of_member', (v: { memberId: string }) =>
  query.deleteFrom('mfa_factors').where('member_id', '=', v.memberId),
)

/** Accepts a code of that time step, once. Answers undefined if it, or a later one, was accepted before. */
export const takeStep = defineQuery('use_totp_step', (v: { id: string; step: number }) =>
  query
    .updateTable('mfa_factors')
    .set({ last_step: v.step, confirmed_at: sql`coalesce(confirmed_at, now())` })
    .where('id', '=', v.id)
    .where('last_step', '<', v.step)
    .returning('id'),
).first()

export const insertRecoveryCodes = defineQuery(
  'insert_recovery_codes',
  (v: { memberId: string; ids: string[]; hashes: Buffer[] }) =>
    query
      .insertInto('recovery_codes')
      .columns(['id', 'member_id', 'hash'])
      .expression(
        query
          .selectFrom(
            sql<{ id: string; hash: Buffer }>`unnest(${v.ids}::uuid[], ${v.hashes}::bytea[])`.as<'c'>(
              sql`c (id, hash)`,
            ),
          )
          .select(['c.id', sql<string>`${v.memberId}::uuid`.as('member_id'), 'c.hash']),
      ),
)

export const removeRecoveryCodes = defineQuery('delete_recovery_codes', (v: { memberId: string }) =>
  query.deleteFrom('recovery_codes').where('member_id', '=', v.memberId),
)

/** Uses a recovery code up. Answers undefined if it is none, or was used before. */
export const takeRecoveryCode = defineQuery('use_recovery_code', (v: { memberId: string; hash: Buffer }) =>
  query
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('member_id', '=', v.memberId)
    .where('hash', '=', v.hash)
    .where('used_at', 'is', null)
    .returning('id'),
).first()
