import { sql } from 'kysely'
import { emailTaken } from '#areas/members/errors.ts'
import { now } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

/** The stored form of an address, as it is compared. */
export const emailKey = (email: string): string => email.toLowerCase()

/** The data of a sign-up. */
export interface SignUpInput {
  readonly fullName: string
  /** JSON. */
  readonly metadata: string
  readonly passwordHash?: string
}

/** Why a member is pending without an operator's decision: a confirmed address, or an accepted invitation, ends it. */
export type PendingReason = 'sign_up' | 'invitation'

/** The member with an address and the hash of the password, or undefined. */
export const findCredentials = defineQuery('credentials', (v: { emailKey: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('member_passwords as p', 'p.id', 'm.id')
    .select(['m.id', 'm.status', 'm.pending_reason', 'm.email_verified_at', 'm.verified_before', 'p.hash'])
    .where('m.email_key', '=', v.emailKey)
    .where('m.deleted_at', 'is', null),
).first()

/** The password of the member with an address who was deleted last and can be restored, or undefined. */
export const findDeletedCredentials = defineQuery('deleted_credentials', (v: { emailKey: string }) =>
  query
    .selectFrom('members as m')
    .innerJoin('member_passwords as p', 'p.id', 'm.id')
    .select('p.hash')
    .where('m.email_key', '=', v.emailKey)
    .where('m.deleted_at', 'is not', null)
    .where('m.anonymized_at', 'is', null)
    .orderBy('m.deleted_at', 'desc')
    .limit(1),
).first()

/** What a mail needs of the member with an address, or undefined. */
export const findRecipient = defineQuery('mail_recipient', (v: { emailKey: string }) =>
  query
    .selectFrom('members')
    .select(['full_name', 'status', 'pending_reason', 'email_verified_at'])
    .where('email_key', '=', v.emailKey)
    .where('deleted_at', 'is', null),
).first()
export type Recipient = NonNullable<AnswerOf<typeof findRecipient>>

export const findPasswordHash = defineQuery('password_of_member', (v: { id: string }) =>
  query.selectFrom('member_passwords').select('hash').where('id', '=', v.id),
)
  .map(({ hash }) => hash)
  .first()

/** A member who may log in, locked so that nobody can deactivate them in the meantime; or undefined. */
export const lockActiveMember = defineQuery('lock_active_member', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select(['id', 'role', 'email', 'last_login_at'])
    .where('id', '=', v.id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
).first()

export const noteLogin = defineQuery('note_login', (v: { id: string }) =>
  query.updateTable('members').set({ last_login_at: sql`now()` }).where('id', '=', v.id),
)

/**
 * An address has been shown to be the member's. `lifts` is the reason for being pending that ends by it. Answers what
 * has changed; undefined if there is no such member.
 * @throws ApiError 422 EMAIL_TAKEN
 */
export const markConfirmed = defineQuery(
  'confirm_email',
  (v: { id: string; email: string; lifts: PendingReason | null }) =>
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
  { members_email_key: emailTaken },
).first()

/** Gives a member a password of their own choice. */
export const putPasswordHash = defineQuery('change_password', (v: { id: string; hash: string }) =>
  query
    .insertInto('member_passwords')
    .values({ id: v.id, hash: v.hash, set_by: 'member', updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({ hash: v.hash, set_by: 'member', updated_at: now }),
    ),
)

/** Stores the same password with another hash. */
export const replacePasswordHash = defineQuery(
  'rehash_password',
  (v: { id: string; old: string; hash: string }) =>
    query
      .updateTable('member_passwords')
      .set({ hash: v.hash })
      .where('id', '=', v.id)
      .where('hash', '=', v.old),
)

/** The data of a sign-up replaces that of an earlier one with the same address. */
export const completeSignUp = defineQuery(
  'complete_sign_up',
  (v: { id: string; fullName: string; metadata: string }) =>
    query
      .updateTable('members')
      .set({ full_name: v.fullName, metadata: sql`${v.metadata}::jsonb`, updated_at: now })
      .where('id', '=', v.id),
)

/** What the project has decided about logging in. */
export const getSettings = defineQuery('auth_settings', () =>
  query
    .selectFrom('projects as p')
    .leftJoin('plans as d', (on) => on.onRef('d.project_id', '=', 'p.id').on('d.is_default', '=', true))
    .select(['p.name', 'p.email_confirmation', 'p.allowed_redirect_urls', 'p.allowed_origins', 'p.timezone'])
    .select('d.id as default_plan_id')
    .where('p.id', '=', sql<string>`app.current_project()`),
).one('Project')
