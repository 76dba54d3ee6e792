import { type RawBuilder, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { notFound } from '#platform/errors.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'

interface Pair {
  readonly member_id: string
  readonly muted_id: string
}

export const addMute = defineQuery(
  'add_mute',
  (v: Pair & { id: string }) =>
    query
      .insertInto('mutes')
      .values({ ...pick(v, 'id', 'member_id', 'muted_id'), created_at: now })
      .onConflict((conflict) => conflict.columns(['project_id', 'member_id', 'muted_id']).doNothing()),
  // The member was purged a moment ago.
  { mutes_muted_fkey: (cause) => notFound('Member', cause) },
)

export const removeMute = defineQuery('delete_mute', (v: Pair) =>
  query.deleteFrom('mutes').where('member_id', '=', v.member_id).where('muted_id', '=', v.muted_id),
)

/** Whom a member has muted, the last one first. */
export const listMutes = defineList({
  label: 'mutes',
  rows: () => query.selectFrom('mutes').select(['id', 'muted_id', 'created_at']),
  map: (row) => ({ member_id: toId('member', row.muted_id), muted_at: row.created_at }),
  key: 'id',
  scope: { member: equals<string>('member_id') },
})

/** Deletes what members have muted, and that others have muted them. */
export const eraseMutes = defineQuery('erase_mutes', (v: { memberIds: readonly string[] }) =>
  query.deleteFrom('mutes').where(
    sql<boolean>`id = any (array(
      select id from mutes where member_id = any (${v.memberIds}::uuid[])
      union all select id from mutes where muted_id = any (${v.memberIds}::uuid[])))`,
  ),
)

/** Whether a member has muted the author in a column: no, where nobody asks. */
export const hasMuted = (member: string | null | undefined, author: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from mutes u
    where u.member_id = ${member}::uuid and u.muted_id = ${sql.ref(author)})`
