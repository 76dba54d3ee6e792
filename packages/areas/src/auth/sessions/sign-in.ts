import { readMember } from '#areas/members/service.ts'
import { together } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Aal } from '#platform/tokens/access-token.ts'
import { ssoRequired } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { factorId } from '../ids.ts'
import { endInvitations } from '../invitations/end-invitations.ts'
import { findPasswordHash, lockActiveMember, noteLogin } from '../member-queries.ts'
import { listPasskeys } from '../passkeys/queries.ts'
import type { FactorSummary, MemberShown, SignInAnswer } from '../schema.ts'
import { listConfirmedFactors } from '../second-factors/queries.ts'
import { listRequiredOfMember } from '../sso/login/policy.ts'
import { proveIdentity } from '../sso/login/queries.ts'
import { issueToken } from '../tokens/one-time-tokens.ts'
import { noteProviderLogin, proveSession } from './queries.ts'
import { type Device, type OpenSession, openSession, present } from './sessions.ts'

/** A login by an SSO connection: the provider has checked second factors. */
export interface BySso {
  readonly connectionId: string
  /** The identity of a member from before, who has not shown their own second factor beside it. */
  readonly unproven: string | null
  /** When the person logged in at the provider, if it says so. */
  readonly authenticatedAt?: string | null
}

/** How a member has logged in. */
export interface Method {
  /** The values of `amr`, such as `password`; more than one after a second step. */
  readonly amr: readonly string[]
  readonly device: Device
  /** Whether that already counts as two factors, so that no second one is asked for. */
  readonly aal?: Aal
  /** Single sign-on, where that was it. */
  readonly sso?: BySso | undefined
  /** The hash of the password, where that was it: it must still be the member's. */
  readonly passwordHash?: string
}

/** The data that the token of a login keeps while it waits for its second step. */
export interface FirstStep {
  readonly amr: readonly string[]
  readonly sso?: BySso
}

/** The result of every login. */
export type SignIn =
  | {
      readonly outcome: 'session'
      readonly member: MemberShown
      readonly hasPassword: boolean
      readonly session: OpenSession
    }
  | { readonly outcome: 'mfa_required'; readonly token: string; readonly factors: FactorSummary[] }
  | { readonly outcome: 'sso_required' }

/**
 * Logs in a member who has proven their identity by one method: it starts a session, or asks for the second factor
 * where the member has one. A member whose domain requires single sign-on gets no session by another method; other
 * results, such as a confirmed address, stay. Every login ends here.
 * @returns undefined where the member is not (any longer) active
 */
export async function signIn(ctx: Context, memberId: string, method: Method): Promise<SignIn | undefined> {
  const { amr, device, aal = 'aal1', sso, passwordHash } = method
  // What follows is read after the member is locked: a password that was removed in the meantime does not count.
  const { locked, factors, required, password } = await together(ctx, {
    locked: lockActiveMember({ id: memberId }),
    factors: listConfirmedFactors({ memberId }),
    required: listRequiredOfMember({ memberId }),
    password: findPasswordHash({ id: memberId }),
  })
  if (!locked || (passwordHash !== undefined && passwordHash !== password)) return undefined
  if (required.length > 0 && !required.some(({ id }) => id === sso?.connectionId))
    return { outcome: 'sso_required' }
  const hasProviderDecided = sso !== undefined && sso.unproven === null
  if (factors.length > 0 && aal === 'aal1' && !hasProviderDecided) {
    // Logins on several devices do not invalidate each other's second step.
    const details: FirstStep = { amr, ...(sso && { sso }) }
    const token = issueToken(ctx, { purpose: 'mfa', subject: newUuid(), memberId, details })
    const passkeys = await listPasskeys(ctx, { memberId })
    const summaries = [
      ...factors.map((factor) => toFactorSummary('totp', factor)),
      ...passkeys.map((passkey) => toFactorSummary('passkey', passkey)),
    ]
    return { outcome: 'mfa_required', token, factors: summaries }
  }
  noteLogin(ctx, { id: memberId })
  if (sso?.unproven) proveIdentity(ctx, { id: sso.unproven })
  if (locked.last_login_at === null) await endInvitations(ctx, memberId)
  const session = openSession(ctx, { memberId, role: locked.role, aal, amr, device })
  if (sso) noteProof(ctx, session, { sso, amr, isEnough: aal === 'aal2' || factors.length === 0 })
  const member = await readMember(ctx, { id: memberId })
  return { outcome: 'session', member, hasPassword: password !== undefined, session }
}

interface SsoProof {
  readonly sso: BySso
  readonly amr: readonly string[]
  /** Whoever has an authenticator app has proven to be there by two factors only. */
  readonly isEnough: boolean
}

/** Notes when somebody who came in by a provider has proven to be there: now by an own factor, or before at the provider. */
function noteProof(ctx: Context, { claims }: OpenSession, { sso, amr, isEnough }: SsoProof): void {
  const id = claims.sessionId
  if (amr.some((each) => each !== 'sso' && each !== 'mfa')) proveSession(ctx, { id })
  else if (sso.authenticatedAt && isEnough) noteProviderLogin(ctx, { id, at: sso.authenticatedAt })
}

/**
 * The answer to a login. It signs, so call it after the transaction.
 * @throws ApiError 422 SSO_REQUIRED
 */
export async function presentSignIn(identity: Identity, signedIn: SignIn): Promise<SignInAnswer> {
  if (signedIn.outcome === 'sso_required') throw ssoRequired()
  if (signedIn.outcome === 'mfa_required') {
    const { token, factors } = signedIn
    return { success: true, mfa_required: true, mfa_token: token, factors }
  }
  const { member, hasPassword, session } = signedIn
  return { success: true, member, password_set: hasPassword, session: await present(identity, session) }
}

export const toFactorSummary = (
  type: FactorSummary['type'],
  { id, name }: { readonly id: string; readonly name: string },
): FactorSummary => ({ id: toId(factorId, id), type, name })
