import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Announcement } from '#platform/events/announce.ts'
import { defineEvent, type EventType } from '#platform/events/emit.ts'
import { oneOf } from '#platform/http/envelope.ts'
import { exampleOf } from '#platform/http/example.ts'
import { ImportProgress } from './imports/schema.ts'
import { DELETE_MODES, MemberData } from './schema.ts'

const example = exampleOf(MemberData) as never

export const memberCreated = defineEvent({
  name: 'member.created',
  description: 'A member was created',
  data: MemberData,
  example,
})
export const memberUpdated = defineEvent({
  name: 'member.updated',
  description: 'Fields of a member changed',
  data: MemberData,
  example,
})
export const memberRestored = defineEvent({
  name: 'member.restored',
  description: 'A deleted member came back',
  data: MemberData,
  example,
})
export const memberDeleted = defineEvent({
  name: 'member.deleted',
  description: 'A member was deleted, or its personal data was stripped',
  data: Type.Object({ id: MemberData.properties.id, mode: oneOf(DELETE_MODES) }),
  example: { id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d', mode: 'soft' },
})
export const importCompleted = defineEvent({
  name: 'import.completed',
  description: 'All rows of an import were dealt with',
  data: ImportProgress,
  example: exampleOf(ImportProgress) as never,
})

/** The values of a statement that announces a member. */
export interface EventOfMember extends Announcement {
  /** The member's id as the API shows it. */
  publicId: string
}

const isoTimestamp = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What `toMemberData` says in code, for statements that announce the member they write. */
export const eventOfMember = (type: EventType, v: EventOfMember) => ({
  type,
  data: sql<object>`json_object(
    'id': ${v.publicId}::text, 'email': email, 'full_name': full_name, 'avatar_url': avatar_url, 'status': status,
    'plan_id': (select p.public_id from plans as p where p.id = written.plan_id), 'metadata': metadata::jsonb,
    'created_at': ${isoTimestamp('created_at')}, 'updated_at': ${isoTimestamp('updated_at')}, 'role': role
    absent on null)`,
  memberId: sql<string>`written.id`,
})
