import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emailTaken } from '../errors.ts'
import { memberColumns } from '../rows.ts'

/** How long a deleted member can be restored, by the project's clock. */
const RESTORABLE = sql.raw("interval '30 days'")

const softDelete = statement('soft_delete_member', (v: { id: string }) =>
  query
    .updateTable('members')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** @throws ApiError 404 */
export const softDeleteMember = (ctx: Context, id: string) => ctx.tx.one(softDelete, { id }, 'Member')

interface NewPassword {
  id: string
  hash: string
  set_by: 'member' | 'operator'
}
const setPassword = statement('set_member_password', (v: NewPassword) =>
  query.insertInto('member_passwords').values({ id: v.id, hash: v.hash, set_by: v.set_by, updated_at: now }),
)
/** Gives a new member a password. */
export const putPassword = (ctx: Context, password: NewPassword) => ctx.tx.defer(setPassword, password)

const restore = statement(
  'restore_member',
  (v: { id: string }) =>
    query
      .updateTable('members')
      .set({ deleted_at: null, updated_at: now })
      .where('id', '=', v.id)
      .where('anonymized_at', 'is', null)
      .where('deleted_at', '>', sql<string>`${now} - ${RESTORABLE}`)
      .returning([...memberColumns, 'role']),
  { members_email_key: emailTaken },
)

/** @throws ApiError 404 where the member is not deleted, or for longer than 30 days; 422 EMAIL_TAKEN */
export const restoreMemberRow = (ctx: Context, id: string) => ctx.tx.one(restore, { id }, 'Deleted member')

/** The most rows of one transaction. */
const PURGED_AT_ONCE = 500

const purgeable = statement('purgeable_members', () =>
  query
    .selectFrom('members')
    .select('id')
    // Due times are compared to the millisecond.
    .where('deleted_at', '<', sql<string>`${now} - ${RESTORABLE} + interval '1 millisecond'`)
    .where('anonymized_at', 'is', null)
    .orderBy('deleted_at')
    .limit(PURGED_AT_ONCE),
)
/** Members that can no longer be restored. */
export const listPurgeable = (ctx: Context) => ctx.tx.all(purgeable, {})

const nextToPurge = statement('next_purge', () =>
  query
    .selectFrom('members')
    .select(sql<string>`deleted_at + ${RESTORABLE}`.as('due_at'))
    .where('deleted_at', 'is not', null)
    .where('anonymized_at', 'is', null)
    .orderBy('deleted_at')
    .limit(1),
)
/** When the next member can no longer be restored; null where none is deleted. */
export const nextPurge = (ctx: Context) => ctx.tx.first(nextToPurge, {}).map((row) => row?.due_at ?? null)

const purge = statement('purge_members', (v: { ids: readonly string[] }) =>
  query.selectNoFrom(sql`app.purge_members(${v.ids}::uuid[])`.as('purged')),
)
/** Deletes members permanently; a row that others refer to stays without personal data. */
export const purgeMembers = (ctx: Context, ids: readonly string[]) => ctx.tx.defer(purge, { ids })

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
      sql<number>`count(*) filter (where created_at > ${now} - interval '7 days')`.as('last_7_days'),
      sql<number>`count(*)`.as('last_30_days'),
    ])
    .where('deleted_at', 'is', null)
    .where('status', 'in', ['active', 'inactive', 'pending'])
    .where('created_at', '>', sql<string>`${now} - interval '30 days'`),
)

/** Live members that joined in the last days. */
export const countRecentMembers = (ctx: Context) => ctx.tx.single(recent, {})
