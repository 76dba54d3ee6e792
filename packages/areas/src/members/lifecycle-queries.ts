import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'
import { memberColumns } from './rows.ts'

const softDelete = statement('soft_delete_member', (v: { id: string }) =>
  query
    .updateTable('members')
    .set({ deleted_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** @throws ApiError 404 */
export const softDeleteMember = (ctx: Context, id: string) => ctx.tx.one(softDelete, { id }, 'Member')

const anonymize = statement('anonymize_member', (v: { id: string }) =>
  query
    .updateTable('members')
    .set({
      email: sql`id || '@anonymized.invalid'`,
      full_name: '',
      avatar_url: null,
      metadata: sql`'{}'`,
      email_verified_at: null,
      updated_at: sql`now()`,
      deleted_at: sql`coalesce(deleted_at, now())`,
      anonymized_at: sql`now()`,
    })
    .where('id', '=', v.id)
    .where('anonymized_at', 'is', null)
    .returning('id'),
)

/**
 * Strips personal data for good, also of a member that was deleted before. The row stays for what refers to it.
 * @throws ApiError 404
 */
export const anonymizeMember = (ctx: Context, id: string) => ctx.tx.one(anonymize, { id }, 'Member')

const removePassword = statement('delete_member_password', (v: { id: string }) =>
  query.deleteFrom('member_passwords').where('id', '=', v.id),
)
export const deletePassword = (ctx: Context, id: string) => ctx.tx.effect(removePassword, { id })

const setPassword = statement('set_member_password', (v: { id: string; hash: string }) =>
  query
    .insertInto('member_passwords')
    .values({ id: v.id, hash: v.hash })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({ hash: v.hash, updated_at: sql`now()` }),
    ),
)
export const putPassword = (ctx: Context, id: string, hash: string) =>
  ctx.tx.effect(setPassword, { id, hash })

const restore = statement(
  'restore_member',
  (v: { id: string }) =>
    query
      .updateTable('members')
      .set({ deleted_at: null, updated_at: sql`now()` })
      .where('id', '=', v.id)
      .where('anonymized_at', 'is', null)
      .where('deleted_at', '>', sql<string>`now() - interval '30 days'`)
      .returning([...memberColumns, 'role']),
  {
    members_email_key: (cause) =>
      new ApiError(422, 'EMAIL_TAKEN', 'Another member has this email by now', { cause }),
  },
)

/** @throws ApiError 404 where the member is not deleted, or for longer than 30 days; 422 EMAIL_TAKEN */
export const restoreMember = (ctx: Context, id: string) => ctx.tx.one(restore, { id }, 'Deleted member')

/** A project with more to purge goes on at the next run. */
const PURGED_AT_ONCE = 2_000

const purge = statement('purge_deleted_members', () =>
  query
    .deleteFrom('members')
    .where('id', 'in', (members) =>
      members
        .selectFrom('members')
        .select('id')
        .where('deleted_at', '<=', sql<string>`now() - interval '30 days'`)
        .where('anonymized_at', 'is', null)
        .orderBy('deleted_at')
        .limit(PURGED_AT_ONCE),
    ),
)

/** Deletes members for good that can no longer be restored. Anonymized ones stay, for what refers to them. */
export const purgeDeletedMembers = (ctx: Context) => ctx.tx.all(purge, {})

const counts = statement('member_counts', () =>
  query
    .selectFrom('member_counts')
    .select(['status', 'plan_id', sql<number>`sum(members)::int8`.as('members')])
    .groupBy(['status', 'plan_id'])
    .having(sql<number>`sum(members)`, '>', 0)
    .orderBy('plan_id'),
)

/** Live members by status and plan. */
export const countMembers = (ctx: Context) => ctx.tx.all(counts, {})

const recent = statement('members_created_recently', () =>
  query
    .selectFrom('members')
    .select([
      sql<number>`count(*) filter (where created_at > now() - interval '7 days')`.as('last_7_days'),
      sql<number>`count(*)`.as('last_30_days'),
    ])
    .where('deleted_at', 'is', null)
    .where('status', 'in', ['active', 'inactive', 'pending'])
    .where('created_at', '>', sql<string>`now() - interval '30 days'`),
)

/** Live members that joined in the last days. */
export const countRecentMembers = (ctx: Context) => ctx.tx.inserted(recent, {})
