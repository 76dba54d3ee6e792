import type { SendMail } from '#areas/mail/service.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import type { AsSystem } from '#platform/deps.ts'
import { findSite, siteOf } from '#platform/http/project-site.ts'
import type { Site } from '#platform/http/public-page.ts'
import { newUuid } from '#platform/ids.ts'
import { allowedRedirect, withParameter } from '#platform/values/redirect-url.ts'
import { acceptInvitation } from '../invitations/invitations.ts'
import { lookAtInvitation, takeInvitation } from '../invitations/queries.ts'
import { accept, amrOf } from '../mail-links/email-login.ts'
import { getSettings } from '../member-queries.ts'
import { putNewPassword } from '../passwords/new-password.ts'
import { issueToken, projectOfToken, toVerifiedToken } from '../tokens/one-time-tokens.ts'
import { findWaiting, lookAtToken, type Purpose, takeToken } from '../tokens/queries.ts'
import { hashToken } from '../tokens/refresh-token.ts'

/** The purposes of mails' links. */
const MAILED: readonly Purpose[] = ['magic_link', 'email', 'email_change', 'password_reset']

/** What a page has to know of its link. */
export interface Opened {
  readonly purpose: 'magic_link' | 'email' | 'email_change' | 'password_reset' | 'invitation'
  readonly site: Site
  /** The destination after the page, if the project still allows it. */
  readonly redirectUrl: string | undefined
  /** Whether the page asks for a new password. */
  readonly password: 'required' | 'optional' | 'none'
}

/** The project that a token names, if there is one. Only the hash of a token proves it, so nothing else about it is shown. */
export const findSiteOf = (asSystem: AsSystem, token: unknown): Promise<Site | undefined> =>
  findSite(asSystem, typeof token === 'string' ? projectOfToken(token) : undefined, 'auth.page')

/** Reads what a link is for, without using it up. @returns undefined where the link is not valid (any more) */
export async function openLink(data: ProjectData, token: string): Promise<Opened | undefined> {
  const hash = hashToken(token)
  const { mailed, invitation, waiting, settings } = await data.read({
    mailed: lookAtToken({ hash, purposes: MAILED }),
    invitation: lookAtInvitation({ hash }),
    waiting: findWaiting({ hash }),
    settings: getSettings(),
  })
  const found = mailed ?? invitation
  if (!found) return undefined
  const redirectUrl = found.redirect_url ?? undefined
  const purpose = mailed ? (mailed.purpose as Opened['purpose']) : 'invitation'
  return {
    purpose,
    site: siteOf(settings),
    password: passwordFor(purpose, waiting),
    redirectUrl:
      redirectUrl === undefined ? undefined : allowedRedirect(redirectUrl, settings.allowed_redirect_urls),
  }
}

/** A link puts only a password into force that is given now, because a stranger may have signed up with the address. */
function passwordFor(
  purpose: Opened['purpose'],
  waiting: { readonly pending_reason: string | null } | undefined,
): Opened['password'] {
  if (purpose === 'password_reset') return 'required'
  if (purpose === 'invitation') return 'optional'
  if (purpose !== 'email' || !waiting) return 'none'
  return waiting.pending_reason === 'sign_up' ? 'required' : 'optional'
}

interface Sent {
  readonly token: string
  readonly passwordHash: string | undefined
  readonly fullName: string | undefined
}

/**
 * Does what a link is for, after its button was pressed.
 * @returns the destination with a one-time token that logs in; null where there is no destination; undefined where the
 *   link is not valid (any more)
 * @throws ApiError 422 EMAIL_TAKEN
 */
export async function followLink(
  ctx: Context,
  sendMail: SendMail,
  opened: Opened,
  sent: Sent,
): Promise<string | null | undefined> {
  const join = opened.purpose === 'invitation' ? acceptBy : prove
  const done = await join(ctx, sendMail, sent)
  if (!done) return undefined
  if (opened.redirectUrl === undefined) return null
  const token = issueToken(ctx, {
    purpose: 'exchange',
    // Links that were followed on several devices do not invalidate each other.
    subject: newUuid(),
    memberId: done.memberId,
    details: { amr: done.amr },
    codeChallenge: done.codeChallenge,
  })
  return withParameter(opened.redirectUrl, 'token', token)
}

interface Done {
  readonly memberId: string
  readonly amr: string[]
  readonly codeChallenge?: string | undefined
}

async function acceptBy(ctx: Context, sendMail: SendMail, sent: Sent): Promise<Done | undefined> {
  const taken = await takeInvitation(ctx, { hash: hashToken(sent.token), id: null })
  const accepted = taken && (await acceptInvitation(ctx, sendMail, taken, sent))
  return accepted && { memberId: accepted.memberId, amr: ['invitation'] }
}

async function prove(
  ctx: Context,
  sendMail: SendMail,
  { token, passwordHash }: Sent,
): Promise<Done | undefined> {
  const row = await takeToken(ctx, { hash: hashToken(token), purposes: MAILED })
  if (!row) return undefined
  const proven = toVerifiedToken(row)
  const memberId = await accept(ctx, sendMail, proven, passwordHash)
  if (memberId === undefined) return undefined
  if (proven.purpose === 'password_reset' && passwordHash !== undefined)
    await putNewPassword(ctx, sendMail, { memberId, hash: passwordHash, by: 'reset' })
  return { memberId, amr: amrOf(proven), codeChallenge: row.code_challenge ?? undefined }
}
