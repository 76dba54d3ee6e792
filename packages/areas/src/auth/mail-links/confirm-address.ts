import type { SendMail } from '#areas/mail/service.ts'
import { memberUpdated } from '#areas/members/events.ts'
import { readMember } from '#areas/members/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { memberEmailVerified } from '../events.ts'
import { endInvitations } from '../invitations/end-invitations.ts'
import { emailChanged } from '../mails.ts'
import {
  completeSignUp,
  emailKey,
  markConfirmed,
  type PendingReason,
  putPasswordHash,
  type SignUpInput,
} from '../member-queries.ts'
import { removeFactors } from '../second-factors/factors.ts'
import { endSessions } from '../sessions/sessions.ts'

/** The changes that a confirmation puts into force. */
interface Confirmation {
  /** The reason for being pending that the confirmation removes. */
  readonly lifts?: PendingReason
  /** Of the sign-up that is completed by it. */
  readonly signUp?: SignUpInput | undefined
  /** A password that is chosen at this moment, for the first address that the member confirms. */
  readonly passwordHash?: string | undefined
}

/**
 * Handles the proof that an address belongs to a member: a member who waited for it becomes active. With the first
 * address that a member confirms, every other way to log in ends, because somebody who only knew the address may have
 * prepared it.
 * @returns whether the member exists
 * @throws ApiError 422 EMAIL_TAKEN where another member has the address by now
 */
export async function confirmAddress(
  ctx: Context,
  sendMail: SendMail,
  { memberId, email }: { readonly memberId: string; readonly email: string },
  { lifts = 'sign_up', signUp, passwordHash }: Confirmation = {},
): Promise<boolean> {
  const confirmed = await markConfirmed(ctx, { id: memberId, email, lifts })
  if (!confirmed) return false
  const { old_email: address, old_status, old_reason, old_verified_at, is_first } = confirmed
  const isMoved = emailKey(address) !== emailKey(email)
  if (is_first) {
    await removeWaysIn(ctx, memberId, email)
    const completed = old_reason === 'sign_up' ? signUp : undefined
    if (completed) completeSignUp(ctx, { id: memberId, ...completed })
    const hash = passwordHash ?? completed?.passwordHash
    if (hash !== undefined) putPasswordHash(ctx, { id: memberId, hash })
  }
  if (isMoved) {
    sendMail(ctx, emailChanged, { to: { address, memberId }, values: { new_email: email } })
    await endInvitations(ctx, memberId, email)
  }
  if (isMoved || old_status !== confirmed.status)
    emit(ctx, memberUpdated, await readMember(ctx, { id: memberId }))
  if (isMoved || old_verified_at === null)
    emit(ctx, memberEmailVerified, { id: toId('member', memberId), email })
  return true
}

const deleteOwnPassword = defineQuery('remove_prepared_password', (v: { memberId: string }) =>
  query.deleteFrom('member_passwords').where('id', '=', v.memberId).where('set_by', '=', 'member'),
)
/** Removes pending codes and links: those of the member, and those of everybody who named the address. */
const deletePreparedTokens = defineQuery(
  'remove_prepared_tokens',
  (v: { memberId: string; subject: string }) =>
    query
      .deleteFrom('one_time_tokens')
      .where((row) => row.or([row('member_id', '=', v.memberId), row('subject', '=', v.subject)])),
)
/** Challenges of passkeys, unfinished logins by single sign-on, and identities at its providers. */
const deletePrepared = (['passkey_challenges', 'sso_codes', 'sso_identities'] as const).map((table) =>
  defineQuery(`remove_prepared_${table}`, (v: { memberId: string }) =>
    query.deleteFrom(table).where('member_id', '=', v.memberId),
  ),
)

/** A password that an operator has set stays. */
async function removeWaysIn(ctx: Context, memberId: string, email: string): Promise<void> {
  deleteOwnPassword(ctx, { memberId })
  deletePreparedTokens(ctx, { memberId, subject: emailKey(email) })
  for (const deleteRows of deletePrepared) deleteRows(ctx, { memberId })
  await removeFactors(ctx, memberId)
  await endSessions(ctx, memberId, 'first_confirmation')
}
