import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const removePassword = statement('remove_prepared_password', (v: { memberId: string }) =>
  query.deleteFrom('member_passwords').where('id', '=', v.memberId).where('set_by', '=', 'member'),
)
/** Removes a password, unless an operator has set it. */
export const deleteOwnPassword = (ctx: Context, memberId: string) =>
  ctx.tx.defer(removePassword, { memberId })

const removeTokens = statement('remove_prepared_tokens', (v: { memberId: string; subject: string }) =>
  query
    .deleteFrom('one_time_tokens')
    .where((row) => row.or([row('member_id', '=', v.memberId), row('subject', '=', v.subject)])),
)
/** Removes pending codes and links: those of the member, and those of everybody who named the address. */
export const deleteTokenRows = (ctx: Context, memberId: string, subject: string) =>
  ctx.tx.defer(removeTokens, { memberId, subject })

const removeChallenges = statement('remove_prepared_challenges', (v: { memberId: string }) =>
  query.deleteFrom('passkey_challenges').where('member_id', '=', v.memberId),
)
export const deleteChallengeRows = (ctx: Context, memberId: string) =>
  ctx.tx.defer(removeChallenges, { memberId })

const removeIdentities = statement('remove_prepared_identities', (v: { memberId: string }) =>
  query.deleteFrom('sso_identities').where('member_id', '=', v.memberId),
)
export const deleteIdentityRows = (ctx: Context, memberId: string) =>
  ctx.tx.run(removeIdentities, { memberId })

const removeCodes = statement('remove_prepared_codes', (v: { memberId: string }) =>
  query.deleteFrom('sso_codes').where('member_id', '=', v.memberId),
)
/** Removes unfinished logins by single sign-on. */
export const deleteSsoCodeRows = (ctx: Context, memberId: string) => ctx.tx.defer(removeCodes, { memberId })
