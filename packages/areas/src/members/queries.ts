import { type SqlBool, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQueries, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { newEventValues, withEvent } from '#platform/events/with-event.ts'
import { dateRange } from '#platform/http/date-range.ts'
import {
  columnField,
  columnsOf,
  type Fields,
  field,
  metadataField,
  valuesOf,
} from '#platform/http/define-patch.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList, keptIn } from '#platform/lists/list.ts'
import { between, choice, condition, contains, hasId, word } from '#platform/lists/list-filters.ts'
import type { FindPage } from '#platform/lists/list-parts.ts'
import { emailTaken } from './errors.ts'
import { type EventOfMember, eventOfMember } from './event-of-member.ts'
import { memberCreated, memberUpdated } from './events.ts'
import { memberColumns, toCreatedMember, toMemberData, toMemberWithPlan } from './rows.ts'
import { MEMBER_STATUSES, type MemberStatus } from './schema.ts'

const planIsNone = (cause: unknown) =>
  invalidField('plan_id', 'exists', 'is not an active plan of this project', cause)

/** What violated constraints of `members` mean to a client. */
const CONSTRAINTS = {
  members_email_key: emailTaken,
  // A plan that is missing, archived or another project's has no version.
  'members.plan_version': planIsNone,
  // The row was deleted at the same moment.
  members_plan_fkey: planIsNone,
}

const live = () => query.selectFrom('members').where('deleted_at', 'is', null)

interface WantedMember {
  id: string
  /** What is asked for beyond the usual. */
  fields?: ReadonlySet<string>
}

const memberById = defineLookup('member_with_plan', (v: WantedMember) =>
  query
    .selectFrom('members as m')
    .innerJoin('plans as p', 'p.id', 'm.plan_id')
    .innerJoin('plan_versions as v', (on) =>
      on.onRef('v.plan_id', '=', 'm.plan_id').onRef('v.version', '=', 'm.plan_version'),
    )
    .select(memberColumns.map((column) => `m.${column}` as const))
    .select(['m.role', 'm.last_login_at', 'p.name as plan_name', 'v.price_minor', 'v.currency'])
    .where('m.id', '=', v.id)
    .where('m.deleted_at', 'is', null),
)
const memberWithPlan = memberById.map((row, { fields }) => toMemberWithPlan(row, fields))

/** A member with its plan. @throws ApiError 404 */
export const getMember = memberWithPlan.one('Member')

/** A member with its plan, or undefined. */
export const findMember = memberWithPlan.first()

/** A member as events and logins show it. @throws ApiError 404 */
export const readMember = memberById.shape(toMemberData).one('Member')

const listColumns = [...memberColumns, 'role', 'last_login_at', 'deleted_at'] as const

/** What lists of members can be filtered, searched and sorted by. */
const LIST = {
  key: 'id',
  filters: {
    status: choice<MemberStatus>((status) => sql`status = ${sql.lit(status)}`),
    plan_id: hasId('plan_id', (text) => parseId('plan', text)),
    role: word<string>('role'),
    ...between('created_at'),
    updated_since: condition<string>(
      (value) => sql<SqlBool>`updated_at >= ${value}::timestamptz`,
      (start_date) => dateRange({ start_date }).from,
    ),
    // Values that are no strings are compared as they are written. The first pair alone costs little, and
    // leaves few rows for the subquery that looks at all of them.
    metadata: condition<Readonly<Record<string, string>>>(
      (value) => sql<SqlBool>`(
        metadata ->> (select ${value}::jsonb #>> '{0,0}') = (select ${value}::jsonb #>> '{0,1}')
        and not exists (select from jsonb_array_elements(${value}::jsonb) wanted
          where metadata ->> (wanted ->> 0) is distinct from wanted ->> 1))`,
      (wanted) => JSON.stringify(Object.entries(wanted)),
    ),
  },
  search: contains({ lowered: 'email_key' }, 'full_name'),
  sorts: {
    created_at: ['created_at', 'timestamptz'],
    email: ['email_key', 'text'],
    full_name: ['full_name', 'text'],
  },
} as const

/** The members that are named, by the primary key. */
const ids = condition<string>(
  (value) => sql<SqlBool>`id = any (${value}::uuid[])`,
  (texts) => {
    const parsed = texts.split(',').map((text) => parseId('member', text))
    return parsed.includes(undefined) ? undefined : parsed
  },
)
const LIST_WITH_IDS = { ...LIST, filters: { ...LIST.filters, ids } }

/** Some of the live members, by their ids. It has few rows, so that a search needs no index. */
export const listMembersByIds = defineList({
  ...LIST_WITH_IDS,
  label: 'members_by_ids',
  rows: () => live().select(listColumns),
})

/** One page of deleted members that can still be restored, and how many there are in all. */
export const listDeletedMembers = defineList({
  ...LIST_WITH_IDS,
  label: 'deleted_members',
  rows: () =>
    query
      .selectFrom('members')
      .select(listColumns)
      .where('anonymized_at', 'is', null)
      .where('deleted_at', '>', sql<string>`${now} - interval '30 days'`),
})

/** Asks the indexes of members' words and of their metadata, which only a function reaches (decision 0018). */
const searchMembers: FindPage = (sought) => sql`app.search_members(
  lower(${sought.search}::text), lower(${sought.pattern}::text), ${sought.filter('status')}::text,
  ${sought.filter('plan_id')}::uuid, ${sought.filter('role')}::text, ${sought.filter('updated_since')}::timestamptz,
  ${sought.filter('start_date')}::timestamptz, ${sought.filter('end_date')}::timestamptz,
  ${sought.filter('metadata')}::jsonb, ${sql.lit(sought.sort)}, ${sql.lit(sought.order === 'desc')},
  ${sought.afterValue}::text, ${sought.afterKey}::uuid, ${sought.limit}::int, ${sought.offset}::int8,
  ${sql.lit(sought.counts)})`

/** One page of live members, and how many there are in all. */
export const listMembers = defineList({
  ...LIST,
  label: 'members',
  rows: () => live().select(listColumns),
  // Every index begins with status, so a list of all statuses is three index scans that PostgreSQL merges.
  ledBy: { filter: 'status', words: MEMBER_STATUSES },
  search: { page: searchMembers, pageBy: ['metadata'] },
  kept: keptIn('member_counts', 'members', { status: 'status', plan_id: 'plan_id', role: 'role' }),
})

export interface NewMemberRow {
  id: string
  email: string
  full_name: string
  avatar_url: string | null
  role: string
  status: MemberStatus
  /** Why a member is pending, if no operator made them so. */
  pending_reason?: 'sign_up' | 'invitation'
  plan_id: string | null
  metadata: string
}

/** An insert without its event. */
export const newMember = (v: NewMemberRow) => {
  const plan = sql<string>`coalesce(${v.plan_id}::uuid, (select id from plans where is_default))`
  return query
    .insertInto('members')
    .values({
      ...pick(v, 'id', 'email', 'full_name', 'avatar_url', 'role', 'status', 'pending_reason'),
      plan_id: plan,
      plan_version: sql<number>`(select version from plans where id = ${plan} and status = 'active')`,
      metadata: sql`${v.metadata}::jsonb`,
      created_at: now,
      updated_at: now,
    })
    .returning([...memberColumns, 'role'])
}

const insert = defineQuery(
  'insert_member',
  (v: NewMemberRow & EventOfMember) => withEvent(newMember(v), eventOfMember(memberCreated, v), v),
  CONSTRAINTS,
  { group: 'insert' },
)
  .shape(toCreatedMember)
  .single()

/** It writes the event too. @throws ApiError 422 EMAIL_TAKEN, or VALIDATION_ERROR for a plan that cannot be used */
export const insertMember = deriveQuery((member: NewMemberRow) =>
  insert({ ...member, ...valuesOfEvent(member.id) }),
)

const valuesOfEvent = (id: string): EventOfMember => ({ publicId: toId('member', id), ...newEventValues() })

/** A member who is imported with data from another system. */
export interface ImportedMemberRow extends Omit<NewMemberRow, 'plan_id'> {
  plan_id: string
  /** Timestamps; null: now. */
  created_at: string | null
  /** Null: never. */
  email_verified_at: string | null
  last_login_at: string | null
}

const insertMany = defineQuery('insert_members', (v: { rows: string }) =>
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
export const insertMembers = deriveQuery(({ rows }: { rows: readonly ImportedMemberRow[] }) =>
  insertMany({ rows: JSON.stringify(rows) }),
)

/** What a change may set. The plan follows what the member was granted. */
export interface MemberUpdate {
  email?: string
  full_name?: string
  avatar_url?: string | null
  role?: string
  status?: MemberStatus
  /** Keys that are null are removed, others set. */
  metadata?: Readonly<Record<string, unknown>>
}

const FIELDS: Fields & { readonly [C in keyof MemberUpdate]-?: unknown } = {
  email: field(
    (email: string) => ({ email }),
    (v) => ({
      email: v.email,
      // The new address is not confirmed yet.
      email_verified_at: sql`case when email_key = lower(${v.email}) then email_verified_at end`,
      verified_before: sql`verified_before or email_verified_at is not null`,
    }),
  ),
  full_name: columnField('full_name'),
  avatar_url: columnField('avatar_url'),
  role: columnField('role'),
  // An operator's decision ends every reason for being pending.
  status: field(
    (status: string) => ({ status }),
    (v) => ({ status: v.status, pending_reason: null }),
  ),
  metadata: metadataField,
}

/** Columns that are unique or counted: a change of these can wait for other rows than this member's. */
const ENTANGLED: ReadonlySet<keyof MemberUpdate> = new Set(['email', 'status'])

const update = defineQueries(
  'update_member',
  (sent: readonly (keyof MemberUpdate)[]) => (v: EventOfMember & { id: string }) => {
    const write = query
      .updateTable('members')
      .set({ updated_at: now, ...columnsOf(FIELDS, sent, v) })
      .where('id', '=', v.id)
      .where('deleted_at', 'is', null)
      .returning([...memberColumns, 'role'])
    return withEvent(write, eventOfMember(memberUpdated, v), v)
  },
  CONSTRAINTS,
  (sent) => (sent.some((name) => ENTANGLED.has(name)) ? {} : { group: 'change' }),
)

/** The role of a member, whose row stays locked. @throws ApiError 404 */
export const lockRole = defineQuery('lock_role_of_member', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select('role')
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate(),
)
  .map(({ role }) => role)
  .one('Member')

/**
 * Sets the fields that are given, of which there must be one. It writes the event too: one statement, which changes of
 * other members may share a transaction with, is the whole request.
 * @throws ApiError 404; 422 EMAIL_TAKEN, or VALIDATION_ERROR for metadata that does not fit
 */
export const setMember = deriveQuery(({ id, changes }: { id: string; changes: MemberUpdate }) => {
  const sent = (Object.keys(FIELDS) as (keyof MemberUpdate)[]).filter((name) => changes[name] !== undefined)
  const values = { id, ...valuesOfEvent(id), ...valuesOf(FIELDS, sent, changes) }
  return update(sent).shape(toMemberData).one('Member')(values)
})
