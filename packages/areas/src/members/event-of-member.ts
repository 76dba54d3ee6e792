import { sql } from 'kysely'
import type { EventType } from '#platform/events/emit.ts'
import type { EventValues } from '#platform/events/with-event.ts'

/** The values of a statement that writes an event about a member. */
export interface EventOfMember extends EventValues {
  /** The member's id as the API shows it. */
  publicId: string
}

const isoTimestamp = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Builds in SQL what `toMemberData` builds in code, for statements that write a member and its event together. */
export function eventOfMember(type: EventType, v: EventOfMember) {
  const always = sql`
    'id', ${v.publicId}::text, 'email', email, 'full_name', full_name, 'status', status,
    'plan_id', plan_public_id, 'metadata', metadata::jsonb,
    'created_at', ${isoTimestamp('created_at')}, 'updated_at', ${isoTimestamp('updated_at')}, 'role', role`
  return {
    type,
    data: sql<object>`case when avatar_url is null then json_build_object(${always})
      else json_build_object(${always}, 'avatar_url', avatar_url) end`,
    memberId: sql<string>`id`,
    // The plan is read here once: in both branches above PostgreSQL would read it twice, which costs more than the
    // rest.
    from: sql`(select *, (select p.public_id from plans as p where p.id = written.plan_id) as plan_public_id
      from written offset 0) as member`,
  }
}
