import type { SendMail } from '#areas/mail/service.ts'
import { emailTaken } from '#areas/members/errors.ts'
import { updateMember } from '#areas/members/service.ts'
import { assertFullName } from '#areas/profiles/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { parseId, toId } from '#platform/ids.ts'
import type { CheckedHash } from '#platform/secrets/keyed-hash.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { makeActiveMember } from '../active-member.ts'
import { invitationAccepted, invitationRevoked, memberPasswordChanged } from '../events.ts'
import type { Identity } from '../identity.ts'
import { confirmAddress } from '../mail-links/confirm-address.ts'
import { invitationAccepted as invitationAcceptedMail } from '../mails.ts'
import { emailKey, findCredentials, getSettings, putPasswordHash } from '../member-queries.ts'
import { assertRedirect } from '../redirect-url.ts'
import { INVITATION_DAYS, storeInvitation } from '../service.ts'
import { type Device, endSessions } from '../sessions/sessions.ts'
import { type SignIn, signIn } from '../sessions/sign-in.ts'
import { isCode, type Proof } from '../tokens/one-time-tokens.ts'
import { hashToken } from '../tokens/refresh-token.ts'
import {
  acceptInvitationRow,
  revokeInvitation,
  type TakenInvitation,
  takeInvitation,
  tryInvitationCode,
} from './queries.ts'
import type { Invitation, NewInvitation } from './schema.ts'

/**
 * Invites somebody who is no member yet.
 * @throws ApiError 422 EMAIL_TAKEN, INVITATION_PENDING, or VALIDATION_ERROR for a plan or redirect that does not fit
 */
export async function invite(ctx: Context, input: NewInvitation): Promise<Invitation> {
  const email = normalizeEmail(input.email)
  const settings = getSettings(ctx)
  if (await findCredentials(ctx, { emailKey: emailKey(email) })) throw emailTaken()
  return storeInvitation(ctx, {
    email,
    role: input.role ?? 'member',
    full_name: input.full_name ?? '',
    plan_id: planUuid(input.plan_id),
    member_id: null,
    redirect_url: assertRedirect(input.redirect_url, (await settings).allowed_redirect_urls),
    days: input.expires_in_days ?? INVITATION_DAYS,
  })
}

/** @throws ApiError 404 where it is not pending */
export async function revoke(ctx: Context, id: string): Promise<Invitation> {
  const invitation = await revokeInvitation(ctx, { id })
  emit(ctx, invitationRevoked, invitation)
  return invitation
}

/** What an accepting person sends besides the token. */
interface Acceptance {
  readonly passwordHash: string | undefined
  readonly fullName: string | undefined
}

/** The result of an accepted invitation. */
export interface Accepted {
  readonly memberId: string
  readonly redirectUrl: string | null
}

/**
 * Makes the invited person a member, with the address that received the mail. A person who was a member before gets a
 * mail about it, and all their sessions end.
 * @param taken the invitation, used up
 * @returns undefined where the invitation was to a member who no longer exists
 * @throws ApiError 422 EMAIL_TAKEN where somebody became a member with the address in the meantime
 */
export async function acceptInvitation(
  ctx: Context,
  sendMail: SendMail,
  taken: TakenInvitation,
  acceptance: Acceptance,
): Promise<Accepted | undefined> {
  const { passwordHash, fullName } = acceptance
  await assertFullName(ctx, fullName, taken.member_id ?? undefined)
  const isNew = taken.member_id === null
  const memberId =
    taken.member_id ?? (await makeActiveMember(ctx, { ...taken, full_name: fullName ?? taken.full_name }))
  if (!isNew && fullName !== undefined) await updateMember(ctx, memberId, { full_name: fullName })
  const { email } = taken
  if (!(await confirmAddress(ctx, sendMail, { memberId, email }, { lifts: 'invitation', passwordHash })))
    return undefined
  if (!isNew) {
    await endSessions(ctx, memberId, 'revoked')
    sendMail(ctx, invitationAcceptedMail, { to: { address: email }, values: {} })
  }
  if (passwordHash !== undefined) {
    putPasswordHash(ctx, { id: memberId, hash: passwordHash })
    if (!isNew) emit(ctx, memberPasswordChanged, { id: toId('member', memberId), by: 'invitation' })
  }
  emit(ctx, invitationAccepted, await acceptInvitationRow(ctx, { id: taken.id, memberId }))
  return { memberId, redirectUrl: taken.redirect_url }
}

/**
 * Accepts an invitation with the token or code of its mail, and logs in. A wrong code is counted, so the transaction
 * must be committed in any case.
 * @returns undefined where there is no such invitation any more, or the member may not log in
 */
export async function comeInByInvitation(
  ctx: Context,
  { codeHash, sendMail }: Pick<Identity, 'codeHash' | 'sendMail'>,
  proof: Proof,
  acceptance: Acceptance,
  device: Device,
): Promise<SignIn | undefined> {
  const taken = await takeBy(ctx, codeHash, proof)
  const accepted = taken && (await acceptInvitation(ctx, sendMail, taken, acceptance))
  return accepted && signIn(ctx, accepted.memberId, { amr: ['invitation'], device })
}

async function takeBy(
  ctx: Context,
  codeHash: CheckedHash,
  proof: Proof,
): Promise<TakenInvitation | undefined> {
  if ('token' in proof) return takeInvitation(ctx, { hash: hashToken(proof.token), id: null })
  const tried = await tryInvitationCode(ctx, { emailKey: emailKey(proof.email) })
  return tried && isCode(codeHash, tried, proof.code)
    ? takeInvitation(ctx, { hash: null, id: tried.id })
    : undefined
}

/** An id of another kind is answered like another project's plan. */
function planUuid(id: string | undefined): string | null {
  if (id === undefined) return null
  const uuid = parseId('plan', id)
  if (uuid === undefined) throw invalidField('plan_id', 'exists', 'is not a plan of this project')
  return uuid
}
