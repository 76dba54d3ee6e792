import type { SendMail } from '#areas/mail/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Config } from '#platform/parse-config.ts'
import { makeActiveMember } from '../../active-member.ts'
import { acceptInvitation } from '../../invitations/invitations.ts'
import { findInvitationTo, takeInvitation } from '../../invitations/queries.ts'
import { emailKey } from '../../member-queries.ts'

interface Newcomer {
  readonly sendMail: SendMail
  /** The provider vouches for it. */
  readonly email: string
  readonly fullName: string
}

/**
 * Makes an operator of somebody whom the provider of the console names for the first time, as far as `CONSOLE_SIGNUP` lets new
 * operators in. An open invitation to the address counts as accepted.
 * @returns the stored id, or undefined where nobody new, or only who is invited, can come in
 */
export async function admitOperator(
  ctx: Context,
  signUp: Config['CONSOLE_SIGNUP'],
  { sendMail, email, fullName }: Newcomer,
): Promise<string | undefined> {
  if (signUp === 'closed') return undefined
  const invitation = await findInvitationTo(ctx, { emailKey: emailKey(email) })
  const taken = invitation && (await takeInvitation(ctx, { hash: null, id: invitation.id }))
  if (taken) {
    const acceptance = { passwordHash: undefined, fullName: fullName || undefined }
    return (await acceptInvitation(ctx, sendMail, taken, acceptance))?.memberId
  }
  return signUp === 'open' ? makeActiveMember(ctx, { email, full_name: fullName }) : undefined
}
