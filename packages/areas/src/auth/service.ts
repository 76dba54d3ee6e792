import type { FastifyReply, FastifyRequest } from 'fastify'
import { createMember, type PreparedMember, prepareMember, readMember } from '#areas/members/service.ts'
import { assertFullName } from '#areas/profiles/service.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError, invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { RateLimiter } from '#platform/http/limits/rate-limiter.ts'
import { countAuthentication } from '#platform/http/server/authenticate.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { consoleUrl } from '#platform/operators/console-addresses.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { type KeyedHash, makeKeyedHash } from '#platform/secrets/keyed-hash.ts'
import type { Passwords } from '#platform/secrets/passwords.ts'
import { elderOf } from '#platform/secrets/secret-keys.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import * as deviceSessions from './console/device-sessions.ts'
import * as operators from './console/operators.ts'
import { ssoRequired } from './errors.ts'
import { invitationCreated, memberSignedUp } from './events.ts'
import { endInvitations } from './invitations/end-invitations.ts'
import {
  getInvitable,
  insertInvitation,
  type NewInvitationRow,
  renewInvitation,
} from './invitations/queries.ts'
import type { Invitation } from './invitations/schema.ts'
import { sendInvitation } from './invitations/send-invitation.job.ts'
import { sendTokenMail } from './mail-links/send-token-mail.job.ts'
import { emailKey, findCredentials, getSettings } from './member-queries.ts'
import { assertRedirect } from './redirect-url.ts'
import type { MemberShown, SignUp } from './schema.ts'
import * as asMember from './sessions/as-member.ts'
import * as sessionQueries from './sessions/queries.ts'
import { assertNoSsoRequired, listRequiredOfMember } from './sso/login/policy.ts'
import * as oneTimeTokens from './tokens/one-time-tokens.ts'
import { dropTokensOf } from './tokens/queries.ts'
import * as refreshTokens from './tokens/refresh-token.ts'

export const { newLinkToken, projectOfToken } = oneTimeTokens
export const { hashToken } = refreshTokens

/** The most mails to one address in a period, so that nobody is flooded with mails. */
const MAILS = 5
const WINDOW_SECONDS = 15 * 60
/** How long an invitation is good for, unless it says otherwise. */
export const INVITATION_DAYS = 7

/** A mail with a link and a code. */
export interface MailRequest {
  readonly purpose: 'magic_link' | 'email' | 'email_change' | 'password_reset'
  /** Where it goes, as it is stored. */
  readonly email: string
  /** Whose new address it is. */
  readonly memberId?: string
  /** Where the page of its link leads on to. */
  readonly redirectUrl: string | null
  readonly details?: object
  /** Of a sign-up: comes into force by the mail's code. */
  readonly passwordHash?: string | undefined
  /** Made from what the site keeps that asks. */
  readonly codeChallenge?: string | undefined
}

/**
 * Counts a mail to an address, before the transaction that asks for it. After five mails in a quarter of an hour no
 * more are sent, and the answer does not say so.
 */
export async function mayMail(limiter: RateLimiter, projectId: string, email: string): Promise<boolean> {
  const id = `mail:${projectId}:${emailKey(email)}`
  const limit = await limiter.take({ policy: 'account', id, points: MAILS, windowSeconds: WINDOW_SECONDS })
  return limit.allowed
}

/**
 * Asks for a mail. The job that makes the mail finds out whether the account exists, so that asking is the same work
 * for every address. Earlier mails for the same purpose stop working.
 */
export function requestMail(ctx: Context, request: MailRequest): void {
  const { purpose, email, memberId } = request
  if (memberId !== undefined) dropTokensOf(ctx, { memberId, purpose })
  const tokenId = oneTimeTokens.prepareToken(ctx, { ...request, subject: emailKey(email) })
  enqueue(ctx, sendTokenMail, { token_id: tokenId })
}

interface EmailChange {
  readonly memberId: string
  readonly email: string
  readonly redirect_url?: string | undefined
}

/**
 * Checks the new address that a member gives. `requestMail` sends a mail to it, and the answer to that mail makes the
 * change. A member whose domain must log in by single sign-on keeps the address, because a new one could log in without
 * it.
 * @returns undefined where the address has received enough mails
 * @throws ApiError 422 SSO_REQUIRED, or for a redirect that the project does not allow
 */
export async function prepareEmailChange(
  data: Pick<ProjectData, 'read'>,
  limiter: RateLimiter,
  projectId: string,
  { memberId, email: given, redirect_url }: EmailChange,
): Promise<MailRequest | undefined> {
  const { settings, required } = await data.read({
    settings: getSettings(),
    required: listRequiredOfMember({ memberId }),
  })
  if (required.length > 0) throw ssoRequired()
  const redirectUrl = assertRedirect(redirect_url, settings.allowed_redirect_urls)
  const email = normalizeEmail(given)
  const isMailed = await mayMail(limiter, projectId, email)
  return isMailed ? { purpose: 'email_change', email, memberId, redirectUrl } : undefined
}

/**
 * Handles an address that an operator has given to a member: invitations to another address end, and where the project
 * confirms addresses, a mail asks for a confirmation.
 */
export async function receiveAddress(ctx: Context, memberId: string, email: string): Promise<void> {
  await endInvitations(ctx, memberId, email)
  const { email_confirmation } = await getSettings(ctx)
  if (email_confirmation) requestMail(ctx, { purpose: 'email', email, redirectUrl: null })
}

/**
 * Invites a member whom an operator has created to set a password and log in. @throws ApiError 422 INVITATION_PENDING
 */
export const inviteMember = (
  ctx: Context,
  member: { readonly id: string; readonly email: string; readonly role: string },
): Promise<Invitation> =>
  storeInvitation(ctx, {
    email: member.email,
    role: member.role,
    full_name: '',
    plan_id: null,
    member_id: parseId('member', member.id) ?? null,
    redirect_url: null,
    days: INVITATION_DAYS,
  })

/**
 * Sends the open invitation of a member again, with a new link; a member who has none is invited.
 * @param memberId the stored id
 * @throws ApiError 404; 422 for a member who has logged in or has a password, who needs no invitation
 */
export async function inviteAgain(ctx: Context, memberId: string): Promise<Invitation> {
  const { is_new, invitation_id, email, role } = await getInvitable(ctx, { id: memberId })
  if (!is_new) throw invalidField('id', 'invitable', 'is a member who has logged in or has a password')
  if (invitation_id !== null) return resend(ctx, invitation_id)
  return inviteMember(ctx, { id: toId('member', memberId), email, role })
}

/** Sends the mail again, with a new link. @throws ApiError 404 where it is not pending */
export async function resend(ctx: Context, id: string): Promise<Invitation> {
  const invitation = await renewInvitation(ctx, { id })
  enqueue(ctx, sendInvitation, { invitation_id: id })
  return invitation
}

/** Invites somebody. @throws ApiError 422 INVITATION_PENDING, or VALIDATION_ERROR for a plan that does not exist */
export async function storeInvitation(ctx: Context, row: Omit<NewInvitationRow, 'id'>): Promise<Invitation> {
  const id = newUuid()
  const invitation = await insertInvitation(ctx, { id, ...row })
  enqueue(ctx, sendInvitation, { invitation_id: id })
  emit(ctx, invitationCreated, invitation)
  return invitation
}

/**
 * Applies the checks of the authentication endpoints to a sign-up that comes by another endpoint.
 * @throws ApiError 422 SSO_REQUIRED; 429
 */
export async function admitSignUp(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: RateLimiter,
  email: string,
): Promise<void> {
  await countAuthentication(request, reply, limiter)
  await assertNoSsoRequired(request, email)
}

/**
 * Milliseconds that a sign-up with confirmation takes at least, so that its time does not reveal whether the address is
 * taken.
 */
export const CONFIRMED_SIGN_UP_MS = 250

/** What signing up takes besides the project's data. */
export interface SignUpDeps {
  readonly passwords: Passwords
  readonly limiter: RateLimiter
  /** Makes the salt of a password from the address. */
  readonly signUpSalt: KeyedHash
}

/** Once per process. */
export const makeSignUpDeps = ({
  passwords,
  limiter,
  config,
}: Pick<AreaDeps, 'passwords' | 'limiter' | 'config'>): SignUpDeps => ({
  passwords,
  limiter,
  signUpSalt: makeKeyedHash(elderOf(config), 'salts of sign-ups'),
})

/** A sign-up after all slow work. */
export interface PreparedSignUp {
  readonly prepared: PreparedMember
  /** Whether the project confirms addresses. Then nobody may learn from the answer that an address is taken. */
  readonly isConfirmed: boolean
  /** The mail that asks for the confirmation; undefined where none is needed, or the address has received enough. */
  readonly mail: MailRequest | undefined
  readonly defaultPlanId: string | null
}

/**
 * Does what must not happen inside a transaction. Without a password, the member comes in by mail.
 * @throws ApiError 422 for a redirect that the project does not allow, or a common password; 503 where too many
 *   passwords are being hashed
 */
export async function prepareSignUp(
  data: Pick<ProjectData, 'read'>,
  { passwords, limiter, signUpSalt }: SignUpDeps,
  projectId: string,
  { redirect_url, code_challenge, ...person }: Omit<SignUp, 'password'> & { password?: string },
): Promise<PreparedSignUp> {
  const { settings } = await data.read({ settings: getSettings() })
  const redirectUrl = assertRedirect(redirect_url, settings.allowed_redirect_urls)
  const isConfirmed = settings.email_confirmation
  const status = isConfirmed ? 'pending' : 'active'
  const own = passwords.of(projectId)
  // While an address waits for its confirmation, the same password has the same hash. So a form that is sent twice is
  // known to be one sign-up, without a comparison that would take time only for addresses that wait.
  const salt = isConfirmed ? saltOf(signUpSalt, projectId, person.email) : undefined
  const hash = (password: string) => own.hash(password, salt)
  const { row, passwordHash } = await prepareMember({ ...person, status }, { hash })
  const isMailed = isConfirmed && (await mayMail(limiter, projectId, row.email))
  const { email, full_name } = row
  const sign_up = { full_name, metadata: person.metadata ?? {} }
  const mail = { email, redirectUrl, details: { sign_up }, passwordHash, codeChallenge: code_challenge }
  return {
    // Until the address is confirmed, nobody knows who has chosen the password.
    prepared: isConfirmed
      ? { row: { ...row, pending_reason: 'sign_up' }, passwordHash: undefined }
      : { row, passwordHash },
    isConfirmed,
    mail: isMailed ? { purpose: 'email', ...mail } : undefined,
    defaultPlanId: settings.default_plan_id,
  }
}

const SALT_BYTES = 16
const saltOf = (signUpSalt: KeyedHash, projectId: string, email: string): Uint8Array =>
  signUpSalt(`${projectId} ${emailKey(normalizeEmail(email))}`).subarray(0, SALT_BYTES)

/** Makes a member of somebody who signs up. @throws ApiError 422 EMAIL_TAKEN, or for a name like a moderator's */
export async function joinMember(ctx: Context, { prepared, mail }: PreparedSignUp): Promise<MemberShown> {
  await assertFullName(ctx, prepared.row.full_name)
  await createMember(ctx, prepared, 'member')
  const member = await readMember(ctx, { id: prepared.row.id })
  emit(ctx, memberSignedUp, member)
  if (mail) requestMail(ctx, mail)
  return member
}

export const { createOperator, findOperator, findOwnAddress, issueLogin, listOperators, prepareOperator } =
  operators

/**
 * Mails somebody who was invited to a team: an operator a link to log in, anybody else an invitation to become one, unless
 * nobody can.
 * @param data of the project of operators
 */
export async function mailInvitee(
  data: ProjectData,
  { limiter, config }: Pick<AreaDeps, 'limiter' | 'config'>,
  email: string,
): Promise<void> {
  const { found } = await data.read({ found: findCredentials({ emailKey: emailKey(email) }) })
  if (found === undefined && config.CONSOLE_SIGNUP === 'closed') return
  if (!(await mayMail(limiter, OPERATORS_PROJECT, email))) return
  const redirectUrl = consoleUrl(config.BASE_URL)
  if (found !== undefined) {
    await data.write((ctx) => requestMail(ctx, { purpose: 'magic_link', email, redirectUrl }))
    return
  }
  const row = { email, role: 'operator', full_name: '', plan_id: null, member_id: null }
  try {
    const days = INVITATION_DAYS
    await data.write((ctx) => storeInvitation(ctx, { ...row, redirect_url: redirectUrl, days }))
  } catch (error) {
    // Somebody has invited them a moment ago: that mail lets them in.
    if (!(error instanceof ApiError && error.code === 'INVITATION_PENDING')) throw error
  }
}

/** The session, if it began by a log-in within the last 10 minutes. */
export const { findRecentLogin } = sessionQueries

/** Makes what logs operators in as members. */
export const { makeOpenSessionAs } = asMember
export const { endDeviceSession, extendDeviceSession, openDeviceSession } = deviceSessions
