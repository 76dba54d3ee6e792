import { type SqlBool, sql } from 'kysely'
import type { FindPage } from '#platform/db/lists/find-page.ts'
import { defineList, keptIn } from '#platform/db/lists/list.ts'
import { choice, condition, contains, equals, hasId } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newEventValues, withEvent } from '#platform/events/with-event.ts'
import { dateRange } from '#platform/http/date-range.ts'
import { parseId, toId } from '#platform/ids.ts'
import { emailTaken } from './errors.ts'
import { type EventOfMember, eventOfMember } from './event-of-member.ts'
import { memberCreated, memberUpdated } from './events.ts'
import { type MemberRow, memberColumns } from './rows.ts'
import { MEMBER_STATUSES, type MemberStatus } from './schema.ts'

const planIsNone = (cause: unknown) =>
  invalidField('plan_id', 'exists', 'is not an active plan of this project', cause)

/** What violated constraints of `members` mean to a client. */
const CONSTRAINTS = {
  members_email_key: emailTaken,
  // Where the plan is missing, archived or another project's, it has no version to give.
  'members.plan_version': planIsNone,
  // The row was deleted at the same moment.
  members_plan_fkey: planIsNone,
}

const live = () => query.selectFrom('members').where('deleted_at', 'is', null)

const memberWithPlan = lookup('member_with_plan', (v: { id: string }) =>
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

/** @throws ApiError 404 */
export const getMember = (ctx: Context, id: string) => ctx.tx.one(memberWithPlan, { id }, 'Member')

/** A member, or undefined. */
export const findMember = (ctx: Context, id: string) => ctx.tx.first(memberWithPlan, { id })

const listColumns = [...memberColumns, 'role', 'last_login_at', 'deleted_at'] as const

/** What lists of members can be filtered, searched and sorted by. */
const LIST = {
  key: 'id',
  filters: {
    status: choice<MemberStatus>((status) => sql`status = ${sql.lit(status)}`),
    plan_id: hasId('plan_id', (text) => parseId('plan', text)),
    role: equals<string>('role'),
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

/** One page of deleted members that can still be restored, and how many there are in all. */
export const listDeletedMembers = defineList({
  ...LIST,
  label: 'deleted_members',
  rows: () =>
    query
      .selectFrom('members')
      .select(listColumns)
      .where('anonymized_at', 'is', null)
      .where('deleted_at', '>', sql<string>`${now} - interval '30 days'`),
})

/** Asks the indexes of members' words and of their metadata, which only a function reaches (decisions 0018, 0120). */
const searchMembers: FindPage = (sought) => sql`app.search_members(
  lower(${sought.search}::text), lower(${sought.pattern}::text), ${sought.filter('status')}::text,
  ${sought.filter('plan_id')}::uuid, ${sought.filter('role')}::text, ${sought.filter('updated_since')}::timestamptz,
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
      id: v.id,
      email: v.email,
      full_name: v.full_name,
      avatar_url: v.avatar_url,
      role: v.role,
      status: v.status,
      pending_reason: v.pending_reason ?? null,
      plan_id: plan,
      plan_version: sql<number>`(select version from plans where id = ${plan} and status = 'active')`,
      metadata: sql`${v.metadata}::jsonb`,
      created_at: now,
      updated_at: now,
    })
    .returning([...memberColumns, 'role'])
}

const insert = statement(
  'insert_member',
  (v: NewMemberRow & EventOfMember) => withEvent(newMember(v), eventOfMember(memberCreated, v), v),
  CONSTRAINTS,
  'insert',
)

/** It writes the event too. @throws ApiError 422 EMAIL_TAKEN, or VALIDATION_ERROR for a plan that cannot be used */
export const insertMemberRow = (ctx: Context, member: NewMemberRow) =>
  ctx.tx.single(insert, { ...member, publicId: toId('member', member.id), ...newEventValues() })

/** What a change may set; the plan follows what the member was granted. Metadata comes as what to merge in and which keys to drop. */
export interface MemberUpdate {
  email?: string
  full_name?: string
  avatar_url?: string | null
  role?: string
  status?: MemberStatus
  metadata?: { set: string; drop: string[] }
}

type UpdateValues = Required<Omit<MemberUpdate, 'metadata'>> &
  EventOfMember & { id: string; set: string; drop: string[] }

const SETTERS: { [C in keyof MemberUpdate]-?: (v: UpdateValues) => Record<string, unknown> } = {
  email: (v) => ({
    email: v.email,
    // The new address is not confirmed yet.
    email_verified_at: sql`case when email_key = lower(${v.email}) then email_verified_at end`,
    verified_before: sql`verified_before or email_verified_at is not null`,
  }),
  full_name: (v) => ({ full_name: v.full_name }),
  avatar_url: (v) => ({ avatar_url: v.avatar_url }),
  role: (v) => ({ role: v.role }),
  // An operator's decision ends every reason for being pending.
  status: (v) => ({ status: v.status, pending_reason: null }),
  metadata: (v) => ({ metadata: sql`(metadata || ${v.set}::jsonb) - ${v.drop}::text[]` }),
}

/** Columns that are unique or counted: a change of these can wait for other rows than this member's. */
const ENTANGLED: ReadonlySet<keyof MemberUpdate> = new Set(['email', 'status'])

const update = statements(
  'update_member',
  (columns: (keyof MemberUpdate)[]) => (v: UpdateValues) => {
    const write = query
      .updateTable('members')
      .set(Object.assign({ updated_at: now }, ...columns.map((column) => SETTERS[column](v))))
      .where('id', '=', v.id)
      .where('deleted_at', 'is', null)
      .returning([...memberColumns, 'role'])
    return withEvent(write, eventOfMember(memberUpdated, v), v)
  },
  CONSTRAINTS,
  (columns) => (columns.some((column) => ENTANGLED.has(column)) ? undefined : 'change'),
)

/**
 * It writes the event too. @throws ApiError 404; 422 EMAIL_TAKEN, or VALIDATION_ERROR for metadata that does not fit
 */
export function updateMemberRow(ctx: Context, id: string, changes: MemberUpdate) {
  const columns = (Object.keys(SETTERS) as (keyof MemberUpdate)[]).filter(
    (column) => changes[column] !== undefined,
  )
  const { metadata, ...others } = changes
  const values = { id, publicId: toId('member', id), ...newEventValues(), ...others, ...metadata }
  return ctx.tx.one(update(columns), values as UpdateValues, 'Member')
}

export type { MemberRow }
