import type { FastifyRequest } from 'fastify'
import { callerOf } from '#platform/http/caller.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import type { Identity } from '../identity.ts'
import { getSettings } from '../member-queries.ts'
import { assertRedirect } from '../redirect-url.ts'
import { type MailRequest, mayMail, requestMail } from '../service.ts'

/** The answer that does not say whether the account exists. */
export const SENT = { message: 'If the address is known, a mail was sent to it' } as const

interface Asked {
  readonly purpose: MailRequest['purpose']
  readonly email: string
  readonly redirect_url?: string | undefined
  readonly code_challenge?: string | undefined
  readonly details?: object
}

/** The destination of a login link that names none. */
const onlyOne = ({ purpose }: Asked, allowed: readonly string[]): string | undefined =>
  purpose === 'magic_link' && allowed.length === 1 ? allowed[0] : undefined

/**
 * Asks for a mail to an address. The work is the same whether the address belongs to a member or not.
 * @throws ApiError 422 for a redirect that the project does not allow
 */
export async function askForMail(request: FastifyRequest, identity: Identity, asked: Asked): Promise<void> {
  const { redirect_url, code_challenge: codeChallenge, ...mail } = asked
  const email = normalizeEmail(asked.email)
  const { settings } = await request.read({ settings: getSettings() })
  const allowed = settings.allowed_redirect_urls
  const redirectUrl = assertRedirect(redirect_url ?? onlyOne(asked, allowed), allowed)
  // A refused request is not counted.
  const isMailed = await mayMail(identity.limiter, callerOf(request).projectId, email)
  if (isMailed) await request.write((ctx) => requestMail(ctx, { ...mail, email, redirectUrl, codeChallenge }))
}
