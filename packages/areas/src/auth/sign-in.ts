import { readMember } from '#areas/members/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Aal } from '#platform/tokens/access-token.ts'
import type { Device } from './device.ts'
import type { Identity } from './identity.ts'
import { holdActiveMember, noteLogin } from './member-queries.ts'
import { listConfirmedFactors } from './mfa-queries.ts'
import { issueToken } from './one-time-tokens.ts'
import { listPasskeys } from './passkey-queries.ts'
import type { FactorSummary, MemberShown, SignInAnswer } from './schema.ts'
import { type OpenSession, openSession, present } from './sessions.ts'

/** How a member has come in. */
export interface Method {
  /** What `amr` says of it, such as `password`; more than one after a second step. */
  readonly amr: readonly string[]
  readonly device: Device
  /** Whether that is two factors already, so that no second one is asked for. */
  readonly aal?: Aal
}

/** Where every way to log in ends. */
export type SignIn =
  | { readonly outcome: 'session'; readonly member: MemberShown; readonly session: OpenSession }
  | { readonly outcome: 'mfa_required'; readonly token: string; readonly factors: FactorSummary[] }

/**
 * Lets a member in who has shown who they are by one method: opens a session, or asks for the second factor where the
 * member has one. Every way to log in ends here.
 * @returns undefined where the member is not (any longer) active
 */
export async function signIn(ctx: Context, memberId: string, method: Method): Promise<SignIn | undefined> {
  const [held, factors] = await holdActiveMember(ctx, memberId).and(listConfirmedFactors(ctx, memberId))
  if (!held) return undefined
  const { amr, device, aal = 'aal1' } = method
  if (factors.length > 0 && aal === 'aal1') {
    // Logins on several devices do not end each other's second step.
    const details = { amr }
    const token = issueToken(ctx, { purpose: 'mfa', subject: newUuid(), memberId, details })
    const passkeys = await listPasskeys(ctx, memberId)
    const summaries = [
      ...factors.map((factor) => toFactorSummary('totp', factor)),
      ...passkeys.map((passkey) => toFactorSummary('passkey', passkey)),
    ]
    return { outcome: 'mfa_required', token, factors: summaries }
  }
  noteLogin(ctx, memberId)
  const session = openSession(ctx, { memberId, role: held.role, aal, amr, device })
  const member = await readMember(ctx, memberId)
  return { outcome: 'session', member, session }
}

/** The answer to a login. Signs, so that it belongs after the transaction. */
export async function presentSignIn(identity: Identity, signedIn: SignIn): Promise<SignInAnswer> {
  if (signedIn.outcome === 'mfa_required') {
    const { token, factors } = signedIn
    return { success: true, mfa_required: true, mfa_token: token, factors }
  }
  const { member, session } = signedIn
  return { success: true, member, session: await present(identity, session) }
}

export const toFactorSummary = (
  type: FactorSummary['type'],
  { id, name }: { readonly id: string; readonly name: string },
): FactorSummary => ({ id: toId('factor', id), type, name })
