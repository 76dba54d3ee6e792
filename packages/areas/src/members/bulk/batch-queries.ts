import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { NewMemberRow } from '../queries.ts'
import { memberColumns } from '../rows.ts'

/** A member who is imported with data from another system. */
export interface ImportedMemberRow extends Omit<NewMemberRow, 'plan_id'> {
  plan_id: string
  /** Timestamps; null: now. */
  created_at: string | null
  /** Null: never. */
  email_verified_at: string | null
  last_login_at: string | null
}

const insertMany = statement('insert_members', (v: { rows: string }) =>
  query
    .insertInto('members')
    .columns([
      ...(['id', 'email', 'full_name', 'avatar_url', 'role', 'status', 'plan_id', 'plan_version'] as const),
      ...(['metadata', 'created_at', 'updated_at', 'email_verified_at', 'last_login_at'] as const),
    ])
    .expression(
      sql`select r.id, r.email, r.full_name, r.avatar_url, r.role, r.status, r.plan_id, p.version,
          r.metadata::jsonb, coalesce(r.created_at, ${now}), greatest(r.created_at, ${now}), r.email_verified_at, r.last_login_at
        from json_to_recordset(${v.rows}::json) as r (id uuid, email text, full_name text, avatar_url text,
          role text, status text, plan_id uuid, metadata text, created_at timestamptz,
          email_verified_at timestamptz, last_login_at timestamptz)
        join plans p on p.id = r.plan_id and p.status = 'active'
        order by lower(r.email)`,
    )
    // Two imports of the same addresses at the same time wait for each other in the order of the addresses.
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'email_key']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning([...memberColumns, 'role']),
)

/**
 * The members that were inserted, in no order. Members whose address is taken, or whose plan has been archived, are
 * left out.
 */
export const insertMemberRows = (ctx: Context, rows: readonly ImportedMemberRow[]) =>
  ctx.tx.all(insertMany, { rows: JSON.stringify(rows) })
