import type { SendMail } from '#areas/mail/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { makeActiveMember } from '../active-member.ts'
import type { Identity } from '../identity.ts'
import { emailKey, findCredentials } from '../member-queries.ts'
import type { Device } from '../sessions/sessions.ts'
import { type SignIn, signIn } from '../sessions/sign-in.ts'
import type { VerifiedToken } from '../tokens/one-time-tokens.ts'
import { confirmAddress } from './confirm-address.ts'

/** The value of `amr` for a login by mail. */
const AMR: Readonly<Record<string, string>> = { magic_link: 'magic_link' }

/**
 * Does what a mail's link or code was for, except the login: it confirms the address, and a new address becomes the
 * member's. The password of a sign-up comes into force by the code that was sent for it; a link puts into force only
 * the password that is given now.
 * @param passwordHash the password that the person who followed a link has chosen
 * @returns the member, or undefined where none exists (any more) that may log in
 * @throws ApiError 422 EMAIL_TAKEN where another member has the address by now
 */
export async function accept(
  ctx: Context,
  sendMail: SendMail,
  proven: VerifiedToken,
  passwordHash?: string,
): Promise<string | undefined> {
  if (proven.email === null) return proven.memberId ?? undefined
  const memberId = await memberFor(ctx, proven, proven.email)
  if (memberId === undefined) return undefined
  const { email, signUp } = proven
  const isConfirmed = await confirmAddress(ctx, sendMail, { memberId, email }, { signUp, passwordHash })
  return isConfirmed ? memberId : undefined
}

/**
 * Logs in the person who followed a mail, or who returns from our page. @returns undefined where they may not log in
 */
export async function emailLogin(
  ctx: Context,
  { sendMail }: Identity,
  proven: VerifiedToken,
  device: Device,
  passwordHash?: string,
): Promise<SignIn | undefined> {
  const memberId = await accept(ctx, sendMail, proven, passwordHash)
  return memberId === undefined ? undefined : signIn(ctx, memberId, { amr: amrOf(proven), device })
}

/** The method of a login. The one-time code of our page names the method that led to it. */
export const amrOf = ({ purpose, details }: VerifiedToken): string[] =>
  purpose === 'exchange' ? (details['amr'] as string[]) : [AMR[purpose] ?? 'email']

/** A mail acts for the member who has its address now; that may be another member than when it was sent. */
async function memberFor(ctx: Context, proven: VerifiedToken, email: string): Promise<string | undefined> {
  if (proven.purpose === 'email_change') return proven.memberId ?? undefined
  const found = await findCredentials(ctx, { emailKey: emailKey(email) })
  if (found) return found.status === 'inactive' ? undefined : found.id
  return proven.details['create_member'] === true ? makeActiveMember(ctx, { email }) : undefined
}
