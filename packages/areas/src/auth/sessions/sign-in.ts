import { readMember } from '#areas/members/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Aal } from '#platform/tokens/access-token.ts'
import { ssoRequired } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { factorId } from '../ids.ts'
import { endInvitations } from '../invitations/end-invitations.ts'
import { findPasswordHash, holdActiveMember, noteLogin } from '../member-queries.ts'
import { listPasskeys } from '../passkeys/queries.ts'
import type { FactorSummary, MemberShown, SignInAnswer } from '../schema.ts'
import { listConfirmedFactors } from '../second-factors/queries.ts'
import { listRequiredOfMember } from '../sso/login/policy.ts'
import { settleIdentity } from '../sso/login/queries.ts'
import { issueToken } from '../tokens/one-time-tokens.ts'
import type { Device } from './device.ts'
import { type OpenSession, openSession, present } from './sessions.ts'

/** A login by an SSO connection: its provider has decided about second factors. */
export interface BySso {
  readonly connectionId: string
  /** The identity of a member from before, who has not shown their own second factor beside it. */
  readonly unproven: string | null
}

/** How a member has come in. */
export interface Method {
  /** What `amr` says of it, such as `password`; more than one after a second step. */
  readonly amr: readonly string[]
  readonly device: Device
  /** Whether that is two factors already, so that no second one is asked for. */
  readonly aal?: Aal
  /** Single sign-on, where that was it. */
  readonly sso?: BySso | undefined
  /** The hash of the password, where that was it: it must still be the member's. */
  readonly passwordHash?: string
}

/** What the token of a login keeps that waits for its second step. */
export interface FirstStep {
  readonly amr: readonly string[]
  readonly sso?: BySso
}

/** Where every way to log in ends. */
export type SignIn =
  | { readonly outcome: 'session'; readonly member: MemberShown; readonly session: OpenSession }
  | { readonly outcome: 'mfa_required'; readonly token: string; readonly factors: FactorSummary[] }
  | { readonly outcome: 'sso_required' }

/**
 * Lets a member in who has shown who they are by one method: opens a session, or asks for the second factor where the
 * member has one. Whose address must log in by single sign-on gets no session by anything else; what they have shown,
 * such as that the address is theirs, holds. Every way to log in ends here.
 * @returns undefined where the member is not (any longer) active
 */
export async function signIn(ctx: Context, memberId: string, method: Method): Promise<SignIn | undefined> {
  const { amr, device, aal = 'aal1', sso, passwordHash } = method
  // Read once the member is held: what has removed the password meanwhile is over.
  const [[[held, factors], required], password] = await holdActiveMember(ctx, memberId)
    .and(listConfirmedFactors(ctx, memberId))
    .and(listRequiredOfMember(ctx, memberId))
    .and(findPasswordHash(ctx, memberId))
  if (!held || (passwordHash !== undefined && passwordHash !== password?.hash)) return undefined
  if (required.length > 0 && !required.some(({ id }) => id === sso?.connectionId))
    return { outcome: 'sso_required' }
  const hasProviderDecided = sso !== undefined && sso.unproven === null
  if (factors.length > 0 && aal === 'aal1' && !hasProviderDecided) {
    // Logins on several devices do not end each other's second step.
    const details: FirstStep = { amr, ...(sso && { sso }) }
    const token = issueToken(ctx, { purpose: 'mfa', subject: newUuid(), memberId, details })
    const passkeys = await listPasskeys(ctx, memberId)
    const summaries = [
      ...factors.map((factor) => toFactorSummary('totp', factor)),
      ...passkeys.map((passkey) => toFactorSummary('passkey', passkey)),
    ]
    return { outcome: 'mfa_required', token, factors: summaries }
  }
  noteLogin(ctx, memberId)
  if (sso?.unproven) settleIdentity(ctx, sso.unproven)
  if (held.last_login_at === null) await endInvitations(ctx, memberId)
  const session = openSession(ctx, { memberId, role: held.role, aal, amr, device })
  const member = await readMember(ctx, memberId)
  return { outcome: 'session', member, session }
}

/**
 * The answer to a login. Signs, so that it belongs after the transaction.
 * @throws ApiError 422 SSO_REQUIRED
 */
export async function presentSignIn(identity: Identity, signedIn: SignIn): Promise<SignInAnswer> {
  if (signedIn.outcome === 'sso_required') throw ssoRequired()
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
): FactorSummary => ({ id: toId(factorId, id), type, name })
