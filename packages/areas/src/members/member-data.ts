import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

const anonymize = defineQuery('anonymize_members', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('members')
    .set({
      email: sql`id || '@anonymized.invalid'`,
      full_name: '',
      avatar_url: null,
      metadata: sql`'{}'`,
      email_verified_at: null,
      pending_reason: null,
      last_login_at: null,
      updated_at: now,
      deleted_at: sql`coalesce(deleted_at, ${now})`,
      anonymized_at: now,
    })
    .where('id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .where('anonymized_at', 'is', null),
)

/** The members themselves. The row of an erased member stays without personal data, because other rows refer to it. */
export const memberData = [
  personalData({
    table: 'members',
    member: 'id',
    columns: [
      ...(['id', 'email', 'full_name', 'avatar_url', 'role', 'status', 'plan_id', 'metadata'] as const),
      ...(['email_verified_at', 'last_login_at', 'created_at', 'updated_at'] as const),
    ],
    ids: { id: 'member', plan_id: 'plan' },
    erase: async (ctx, { memberIds }) => ctx.tx.askLast(anonymize({ memberIds })),
  }),
  // That there is a password, and since when.
  personalData({ table: 'member_passwords', member: 'id', columns: ['updated_at'] }),
]
