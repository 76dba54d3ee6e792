import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { IS_HELD, isResting } from '#platform/db/resting.ts'
import { query } from '#platform/db/statement.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { RateLimitState } from '#platform/http/limits/rate-limiter.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { emailKey, getSettings } from './member-queries.ts'
import { accountOf } from './passwords/account-limit.ts'
import { listRequiredOfMember } from './sso/login/policy.ts'

const findMember = defineQuery('why_member', (v: { id: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('member_passwords as p', 'p.id', 'm.id')
    .select([
      'm.project_id',
      'm.email',
      'm.email_key',
      'm.status',
      'm.pending_reason',
      'm.email_verified_at',
      'm.last_login_at',
      'm.deleted_at',
    ])
    .select([
      sql<boolean>`p.hash is not null`.as('has_password'),
      sql<number>`(select count(*) from passkeys k where k.member_id = m.id)::int`.as('passkeys'),
      sql<number>`(select count(*) from mfa_factors f where f.member_id = m.id and f.confirmed_at is not null)::int`.as(
        'factors',
      ),
      sql<boolean>`not ${sql.raw(IS_HELD)} and ${sql.raw(isResting('m.project_id'))}`.as('rests'),
      sql<string | null>`(select smtp_response from mail_suppressions s where s.address = m.email_key)`.as(
        'bounced',
      ),
    ])
    .where('m.id', '=', v.id),
).first()

const lastMail = defineQuery('why_member_mail', (v: { id: string }) =>
  query
    .selectFrom('mails as l')
    .select(['l.mail', 'l.state', 'l.error', 'l.smtp_response', 'l.created_at'])
    .where('l.member_id', '=', v.id)
    .orderBy('l.created_at', 'desc')
    .limit(1),
).first()

const findByAddress = defineQuery('why_address', (v: { emailKey: string }) =>
  query
    .selectFrom('members as m')
    .select('m.id')
    .where('m.email_key', '=', v.emailKey)
    .orderBy('m.deleted_at', (order) => order.desc().nullsFirst()),
)

/** The members with an address: the one who can have it now, and those who were deleted. @returns their stored ids */
export async function membersByAddress(data: ProjectData, address: string): Promise<string[]> {
  const { found } = await data.read({ found: findByAddress({ emailKey: emailKey(normalizeEmail(address)) }) })
  return found.map(({ id }) => id)
}

/** How often an account was guessed at within 15 minutes; undefined where nobody knows. */
export type AskGuesses = (account: string) => Promise<RateLimitState | undefined>

const PENDING = {
  sign_up: 'The member is pending: the link of the sign-up mail was not opened yet',
  invitation: 'The member is pending: the invitation was not accepted yet',
}

/**
 * Why a member can or cannot log in, in sentences; undefined where the project has no such member.
 * @param guesses counted by processes themselves where omitted
 */
export async function whyMember(
  data: ProjectData,
  id: string,
  guesses: AskGuesses = async () => undefined,
): Promise<string[] | undefined> {
  const { found, mail, settings, required } = await data.read({
    found: findMember({ id }),
    required: listRequiredOfMember({ memberId: id }),
    mail: lastMail({ id }),
    settings: getSettings(),
  })
  if (found === undefined) return undefined
  if (found.deleted_at !== null) return [`The member was deleted at ${found.deleted_at}: nobody can log in`]
  const why = [`${found.email}, status ${found.status}, last log-in: ${found.last_login_at ?? 'never'}`]
  if (found.rests)
    why.push(
      'The project is suspended or deleted: every request is refused; `guildhall project resume` ends a suspension',
    )
  if (found.status === 'inactive')
    why.push('An inactive member cannot log in: PATCH /members/{id} with status: active ends this')
  if (found.status === 'pending')
    why.push(
      PENDING[found.pending_reason as keyof typeof PENDING] ??
        'The member is pending: PATCH /members/{id} with status: active lets the member in',
    )
  if (found.email_verified_at === null && settings.email_confirmation)
    why.push(
      'The address is not confirmed, and this project asks for it: POST /auth/email/resend sends a new mail',
    )
  if (required.length > 0)
    why.push(
      'Addresses of this domain must log in by single sign-on, and everything else is refused: PATCH /sso-connections/{id} with required: false ends this',
    )
  if (!found.has_password)
    why.push('The member has no password: a magic link, a passkey, single sign-on or "forgot password" works')
  if (found.passkeys > 0) why.push(`Passkeys: ${found.passkeys}`)
  if (found.factors > 0) why.push('A second factor is asked for after the password')
  if (found.bounced !== null)
    why.push(`Mails to this address are not sent, because one bounced: ${found.bounced}`)
  if (mail !== undefined)
    why.push(
      `The last mail to this address was ${mail.mail} at ${mail.created_at}: ${mail.error ?? mail.state}${mail.smtp_response ? ` (${mail.smtp_response})` : ''}`,
    )
  why.push(sayGuesses(await guesses(accountOf(found.project_id, found.email_key))))
  return why
}

function sayGuesses(state: RateLimitState | undefined): string {
  if (state === undefined)
    return 'Ten wrong passwords within 15 minutes block an account for that time; lines of the log with "log":"security" show them'
  const { limit, allowed, remaining, msToReset } = state
  const minutes = Math.ceil(msToReset / 60_000)
  if (!allowed)
    return `The account is blocked for ${minutes} more minutes, also for the right password, because of ${limit.points} wrong ones; lines of the log with "log":"security" show from which addresses`
  const wrong = limit.points - remaining
  return wrong === 0
    ? 'No wrong password was tried within 15 minutes'
    : `Wrong passwords within 15 minutes: ${wrong} of ${limit.points}`
}
