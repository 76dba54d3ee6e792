import { sql } from 'kysely'
import { emailTaken } from '#areas/members/errors.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

/** The stored form of an address, as it is compared. */
export const emailKey = (email: string): string => email.toLowerCase()

/** The data of a sign-up. */
export interface SignUpSaid {
  readonly fullName: string
  /** JSON. */
  readonly metadata: string
  readonly passwordHash?: string
}

/** Why a member is pending without an operator's decision: a confirmed address, or an accepted invitation, ends it. */
export type PendingReason = 'sign_up' | 'invitation'

const credentials = statement('credentials', (v: { emailKey: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('member_passwords as p', 'p.id', 'm.id')
    .select(['m.id', 'm.status', 'm.pending_reason', 'm.email_verified_at', 'm.verified_before', 'p.hash'])
    .where('m.email_key', '=', v.emailKey)
    .where('m.deleted_at', 'is', null),
)

/** The member with an address and the hash of the password, or undefined. */
export const findCredentials = (ctx: Context, email: string) =>
  ctx.tx.first(credentials, { emailKey: emailKey(email) })

const recipient = statement('mail_recipient', (v: { emailKey: string }) =>
  query
    .selectFrom('members')
    .select(['full_name', 'status', 'pending_reason', 'email_verified_at'])
    .where('email_key', '=', v.emailKey)
    .where('deleted_at', 'is', null),
)

/** The data that a mail needs of the member with an address. */
export interface Recipient {
  full_name: string
  status: string
  pending_reason: string | null
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
    .select(['id', 'role', 'email', 'last_login_at'])
    .where('id', '=', v.id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
)
/** A member who may log in, locked so that nobody can deactivate them in the meantime; or undefined. */
export const holdActiveMember = (ctx: Context, id: string) => ctx.tx.first(hold, { id })

const login = statement('note_login', (v: { id: string }) =>
  query.updateTable('members').set({ last_login_at: sql`now()` }).where('id', '=', v.id),
)
export const noteLogin = (ctx: Context, id: string) => ctx.tx.defer(login, { id })

const confirm = statement(
  'confirm_email',
  (v: { id: string; email: string; lifts: string | null }) =>
    query
      .updateTable('members as m')
      .from('members as before')
      .set({
        // If only the case differs, the address stays as the member has written it.
        email: sql`case when m.email_key = lower(${v.email}) then m.email else ${v.email} end`,
        email_verified_at: now,
        // Members who waited for this become active; members who wait for an operator do not.
        status: sql`case when m.pending_reason = ${v.lifts} then 'active' else m.status end`,
        pending_reason: sql`nullif(m.pending_reason, ${v.lifts})`,
        updated_at: now,
      })
      .whereRef('before.id', '=', 'm.id')
      .where('m.id', '=', v.id)
      .where('m.deleted_at', 'is', null)
      .returning(['m.status', 'before.email as old_email', 'before.status as old_status'])
      .returning(['before.pending_reason as old_reason', 'before.email_verified_at as old_verified_at'])
      .returning(
        sql<boolean>`before.email_verified_at is null and not before.verified_before`.as('is_first'),
      ),
  {
    members_email_key: emailTaken,
  },
)
/**
 * An address has been shown to be the member's.
 * @param lifts the reason for being pending that ends by it
 * @throws ApiError 422 EMAIL_TAKEN
 */
export const markConfirmed = (ctx: Context, id: string, email: string, lifts: PendingReason | null) =>
  ctx.tx.first(confirm, { id, email, lifts })

const setPassword = statement('change_password', (v: { id: string; hash: string }) =>
  query
    .insertInto('member_passwords')
    .values({ id: v.id, hash: v.hash, set_by: 'member', updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({ hash: v.hash, set_by: 'member', updated_at: now }),
    ),
)
/** Gives a member a password of their own choice. */
export const putPasswordHash = (ctx: Context, id: string, hash: string) =>
  ctx.tx.defer(setPassword, { id, hash })

const rehash = statement('rehash_password', (v: { id: string; old: string; hash: string }) =>
  query
    .updateTable('member_passwords')
    .set({ hash: v.hash })
    .where('id', '=', v.id)
    .where('hash', '=', v.old),
)
/** Stores the same password with another hash. */
export const replacePasswordHash = (ctx: Context, id: string, old: string, hash: string) =>
  ctx.tx.defer(rehash, { id, old, hash })

const complete = statement('complete_sign_up', (v: { id: string; fullName: string; metadata: string }) =>
  query
    .updateTable('members')
    .set({ full_name: v.fullName, metadata: sql`${v.metadata}::jsonb`, updated_at: now })
    .where('id', '=', v.id),
)
/** The data of a sign-up replaces that of an earlier one with the same address. */
export const completeSignUp = (ctx: Context, id: string, { fullName, metadata }: SignUpSaid) =>
  ctx.tx.run(complete, { id, fullName, metadata })

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
