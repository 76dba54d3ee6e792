import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { emailTaken } from '../errors.ts'
import { memberColumns, toMemberData } from '../rows.ts'

/** How long a deleted member can be restored, by the project's clock. */
const RESTORABLE = sql.raw("interval '30 days'")

const softDelete = defineQuery('soft_delete_member', (v: { id: string }) =>
  query
    .updateTable('members')
    .set({ deleted_at: now, updated_at: now })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning(['id', 'email', 'full_name', sql<string>`deleted_at + ${RESTORABLE}`.as('erased_at')]),
)
/** @throws ApiError 404 */
export const softDeleteMember = softDelete.one('Member')
/** The member as it was, and when it is erased; undefined for one who is deleted already. */
export const softDeleteOwnAccount = softDelete.first()

interface NewPassword {
  id: string
  hash: string
  set_by: 'member' | 'operator'
}
/** Gives a new member a password. */
export const setPassword = defineQuery('set_member_password', (v: NewPassword) =>
  query.insertInto('member_passwords').values({ ...pick(v, 'id', 'hash', 'set_by'), updated_at: now }),
)

/** @throws ApiError 404 where the member is not deleted, or for longer than 30 days; 422 EMAIL_TAKEN */
export const restoreMemberRow = defineQuery(
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
  .map(toMemberData)
  .one('Deleted member')

/** The most rows of one transaction. */
const PURGED_AT_ONCE = 500

/** Members that can no longer be restored. */
export const listPurgeable = defineQuery('purgeable_members', () =>
  query
    .selectFrom('members')
    .select('id')
    // Due times are compared to the millisecond.
    .where('deleted_at', '<', sql<string>`${now} - ${RESTORABLE} + interval '1 millisecond'`)
    .where('anonymized_at', 'is', null)
    .orderBy('deleted_at')
    .limit(PURGED_AT_ONCE),
)

/** When the next member can no longer be restored; null where none is deleted. */
export const nextPurge = defineQuery('next_purge', () =>
  query
    .selectFrom('members')
    .select(sql<string>`deleted_at + ${RESTORABLE}`.as('due_at'))
    .where('deleted_at', 'is not', null)
    .where('anonymized_at', 'is', null)
    .orderBy('deleted_at')
    .limit(1),
)
  .map(({ due_at }) => due_at)
  .first()

/** Deletes members permanently; a row that others refer to stays without personal data. */
export const purgeMembers = defineQuery('purge_members', (v: { ids: readonly string[] }) =>
  query.selectNoFrom(sql`app.purge_members(${v.ids}::uuid[])`.as('purged')),
)

/** Live members by status and plan. */
export const countMembers = defineQuery('member_counts', () =>
  query
    .selectFrom('member_counts')
    .select(['status', 'plan_id', sql<number>`sum(members)::int8`.as('members')])
    .groupBy(['status', 'plan_id'])
    .having(sql<number>`sum(members)`, '>', 0)
    .orderBy('plan_id'),
)

/** Live members that joined in the last days. */
export const countRecentMembers = defineQuery('members_created_recently', () =>
  query
    .selectFrom('members')
    .select([
      sql<number>`count(*) filter (where created_at > ${now} - interval '7 days')`.as('last_7_days'),
      sql<number>`count(*)`.as('last_30_days'),
    ])
    .where('deleted_at', 'is', null)
    .where('status', 'in', ['active', 'inactive', 'pending'])
    .where('created_at', '>', sql<string>`${now} - interval '30 days'`),
).single()
