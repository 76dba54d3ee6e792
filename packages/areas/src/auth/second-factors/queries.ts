import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { TOTP_PERIOD } from './totp.ts'

/** The time step of the newest code that was accepted. */
const lastUse = sql<
  string | null
>`case when last_step > 0 then to_timestamp(last_step * ${sql.lit(TOTP_PERIOD)}) end`

const factors = () =>
  query
    .selectFrom('mfa_factors')
    .select(['id', 'type', 'name', 'secret', 'confirmed_at', 'created_at', lastUse.as('last_used_at')])

const confirmed = statement('confirmed_factors', (v: { memberId: string }) =>
  factors().where('member_id', '=', v.memberId).where('confirmed_at', 'is not', null).orderBy('id'),
)
/** The second factors that a member has to show. */
export const listConfirmedFactors = (ctx: Context, memberId: string) => ctx.tx.all(confirmed, { memberId })

const all = statement('factors_of_member', (v: { memberId: string }) =>
  factors().where('member_id', '=', v.memberId).orderBy('id').forUpdate(),
)
/** All factors of a member, begun ones too, held until the end of the transaction. */
export const holdFactors = (ctx: Context, memberId: string) => ctx.tx.all(all, { memberId })

interface NewFactorRow {
  id: string
  member_id: string
  type: string
  name: string
  secret: Buffer
}

const insert = statement('insert_factor', (v: NewFactorRow) =>
  query
    .insertInto('mfa_factors')
    .values({ id: v.id, member_id: v.member_id, type: v.type, name: v.name, secret: v.secret }),
)
export const insertFactorRow = (ctx: Context, row: NewFactorRow) => ctx.tx.defer(insert, row)

const discard = statement('discard_begun_factors', (v: { memberId: string }) =>
  query.deleteFrom('mfa_factors').where('member_id', '=', v.memberId).where('confirmed_at', 'is', null),
)
/** Forgets factors that were begun and never confirmed. */
export const discardBegunFactors = (ctx: Context, memberId: string) => ctx.tx.defer(discard, { memberId })

const remove = statement('delete_factor', (v: { id: string; memberId: string }) =>
  query.deleteFrom('mfa_factors').where('id', '=', v.id).where('member_id', '=', v.memberId),
)
export const deleteFactorRow = (ctx: Context, id: string, memberId: string) =>
  ctx.tx.defer(remove, { id, memberId })

const removeAll = statement('delete_factors_of_member', (v: { memberId: string }) =>
  query.deleteFrom('mfa_factors').where('member_id', '=', v.memberId),
)
export const deleteFactorRows = (ctx: Context, memberId: string) => ctx.tx.run(removeAll, { memberId })

const useStep = statement('use_totp_step', (v: { id: string; step: number }) =>
  query
    .updateTable('mfa_factors')
    .set({ last_step: v.step, confirmed_at: sql`coalesce(confirmed_at, now())` })
    .where('id', '=', v.id)
    .where('last_step', '<', v.step)
    .returning('id'),
)
/** Accepts a code of that time step, once. @returns undefined where it, or a later one, was accepted before */
export const takeStep = (ctx: Context, id: string, step: number) => ctx.tx.first(useStep, { id, step })

const insertCodes = statement(
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
export const insertRecoveryCodeRows = (
  ctx: Context,
  codes: { memberId: string; ids: string[]; hashes: Buffer[] },
) => ctx.tx.defer(insertCodes, codes)

const deleteCodes = statement('delete_recovery_codes', (v: { memberId: string }) =>
  query.deleteFrom('recovery_codes').where('member_id', '=', v.memberId),
)
export const deleteRecoveryCodeRows = (ctx: Context, memberId: string) =>
  ctx.tx.defer(deleteCodes, { memberId })

const useCode = statement('use_recovery_code', (v: { memberId: string; hash: Buffer }) =>
  query
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('member_id', '=', v.memberId)
    .where('hash', '=', v.hash)
    .where('used_at', 'is', null)
    .returning('id'),
)
/** Uses a recovery code up. @returns undefined where it is none, or was used before */
export const takeRecoveryCode = (ctx: Context, memberId: string, hash: Buffer) =>
  ctx.tx.first(useCode, { memberId, hash })
