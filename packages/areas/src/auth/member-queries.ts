import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'

/** The stored form of an address, as it is compared. */
export const emailKey = (email: string): string => email.toLowerCase()

const credentials = statement('credentials', (v: { emailKey: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('member_passwords as p', 'p.id', 'm.id')
    .select(['m.id', 'm.status', 'm.email_verified_at', 'p.hash'])
    .where('m.email_key', '=', v.emailKey)
    .where('m.deleted_at', 'is', null),
)

/** Whom an address belongs to, with the hash of the password, or undefined. */
export const findCredentials = (ctx: Context, email: string) =>
  ctx.tx.first(credentials, { emailKey: emailKey(email) })

const recipient = statement('mail_recipient', (v: { emailKey: string }) =>
  query
    .selectFrom('members')
    .select(['full_name', 'status', 'email_verified_at'])
    .where('email_key', '=', v.emailKey)
    .where('deleted_at', 'is', null),
)

/** What a mail has to know of whom an address belongs to. */
export interface Recipient {
  full_name: string
  status: string
  email_verified_at: string | null
}
export const findRecipient = (ctx: Context, email: string) =>
  ctx.tx.first(recipient, { emailKey: emailKey(email) })

const passwordOf = statement('password_of_member', (v: { id: string }) =>
  query.selectFrom('member_passwords').select('hash').where('id', '=', v.id),
)
export const findPasswordHash = (ctx: Context, id: string) => ctx.tx.first(passwordOf, { id })

const hold = statement('hold_active_member', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select(['id', 'role', 'email'])
    .where('id', '=', v.id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
)
/** A member that may come in, held so that nobody deactivates it meanwhile; or undefined. */
export const holdActiveMember = (ctx: Context, id: string) => ctx.tx.first(hold, { id })

const login = statement('note_login', (v: { id: string }) =>
  query.updateTable('members').set({ last_login_at: sql`now()` }).where('id', '=', v.id),
)
export const noteLogin = (ctx: Context, id: string) => ctx.tx.defer(login, { id })

const confirm = statement(
  'confirm_email',
  (v: { id: string; email: string }) =>
    query
      .updateTable('members as m')
      .from('members as before')
      .set({
        email: v.email,
        email_verified_at: sql`now()`,
        // Whoever waited for that is a member now.
        status: sql`case when m.status = 'pending' and m.email_verified_at is null then 'active' else m.status end`,
        updated_at: sql`now()`,
      })
      .whereRef('before.id', '=', 'm.id')
      .where('m.id', '=', v.id)
      .where('m.deleted_at', 'is', null)
      .returning(['m.status', 'before.email as old_email', 'before.status as old_status'])
      .returning('before.email_verified_at as verified_before'),
  {
    members_email_key: (cause) =>
      new ApiError(422, 'EMAIL_TAKEN', 'Another member has this email by now', {
        details: [{ field: 'email', rule: 'unique', message: 'is taken' }],
        cause,
      }),
  },
)
/** An address has been shown to be the member's. @throws ApiError 422 EMAIL_TAKEN */
export const confirmEmail = (ctx: Context, id: string, email: string) => ctx.tx.first(confirm, { id, email })

const setPassword = statement('change_password', (v: { id: string; hash: string }) =>
  query
    .insertInto('member_passwords')
    .values({ id: v.id, hash: v.hash })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({ hash: v.hash, updated_at: sql`now()` }),
    ),
)
export const putPasswordHash = (ctx: Context, id: string, hash: string) =>
  ctx.tx.defer(setPassword, { id, hash })

const settings = statement('auth_settings', () =>
  query
    .selectFrom('projects as p')
    .leftJoin('plans as d', (on) => on.onRef('d.project_id', '=', 'p.id').on('d.is_default', '=', true))
    .select(['p.name', 'p.email_confirmation', 'p.allowed_redirect_urls', 'p.allowed_origins'])
    .select('d.id as default_plan_id')
    .where('p.id', '=', sql<string>`app.current_project()`),
)
/** What the project has decided about logging in. */
export const getSettings = (ctx: Context) => ctx.tx.one(settings, {}, 'Project')
