import { sql } from 'kysely'
import { lookup, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError, invalidField } from '#platform/errors.ts'
import { newEventValues, withEvent } from '#platform/events/with-event.ts'
import { LARGEST_PAGE, offsetOf } from '#platform/http/page.ts'
import { toId } from '#platform/ids.ts'
import { type EventOfMember, eventOfMember } from './announced.ts'
import { memberCreated, memberUpdated } from './events.ts'
import { type MemberRow, memberColumns } from './rows.ts'
import { type ListQuery, MEMBER_STATUSES, type MemberStatus } from './schema.ts'

const planIsNone = (cause: unknown) =>
  invalidField('plan_id', 'exists', 'is not an active plan of this project', cause)

/** What violated constraints of `members` mean to a client. */
const CONSTRAINTS = {
  members_email_key: (cause: unknown) =>
    new ApiError(422, 'EMAIL_TAKEN', 'Another member has this email', {
      details: [{ field: 'email', rule: 'unique', message: 'is taken' }],
      cause,
    }),
  // Where the plan is missing, archived or another project's, it has no version to give.
  'members.plan_version': planIsNone,
  // It was deleted at the same moment.
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

type ListVariant = Pick<ListQuery, 'status' | 'sort' | 'order'> & { search: boolean; first: boolean }
interface ListValues {
  limit: number
  offset: number
  pattern: string
}

const SORT_COLUMN = { created_at: 'created_at', email: 'email_key', full_name: 'full_name' } as const

const listPage = statements('members_page', (variant: ListVariant) => (v: ListValues) => {
  const columns = [...memberColumns, 'email_key'] as const
  const direction = sql.raw(variant.order)
  const order = sql`${sql.ref(SORT_COLUMN[variant.sort])} ${direction}, id ${direction}`
  // How far the page reaches: a number that PostgreSQL knows when it plans lets it plan the first page only once.
  const reach = variant.first ? sql.lit(LARGEST_PAGE) : sql<number>`${v.limit}::int8 + ${v.offset}::int8`
  const branch = (status: MemberStatus) => {
    const rows = live().select(columns).where('status', '=', status).orderBy(order).limit(reach)
    const found = variant.search ? rows.where(matches(v.pattern)) : rows
    return query.selectFrom(found.as('found')).select(columns)
  }
  // Every index is led by status, so all statuses are three index scans that PostgreSQL merges. Each asks for its own
  // order and end: PostgreSQL does not know how large this project is, and would rather sort what it thinks is little.
  const [first, ...others] = (variant.status ? [variant.status] : MEMBER_STATUSES).map(branch)
  const rows = others.reduce(
    (union, next) => union.unionAll(next) as typeof union,
    first as ReturnType<typeof branch>,
  )
  const merged = query.selectFrom(rows.as('m')).select(columns).orderBy(order).limit(reach)
  const page = query
    .selectFrom(merged.as('m'))
    .select(memberColumns)
    .orderBy(order)
    .limit(v.limit)
    .offset(v.offset)
  // A page far past the end must not walk the whole index to find nothing.
  return variant.first ? page : page.where(sql<boolean>`${v.offset}::int8 < (${countLive(variant.status)})`)
})

const matches = (pattern: string) => sql<boolean>`(email ilike ${pattern} or full_name ilike ${pattern})`

const countLive = (status: MemberStatus | undefined) => {
  const sum = query
    .selectFrom('member_counts')
    .select(sql<number>`coalesce(sum(members), 0)::int8`.as('total'))
  return status === undefined ? sum : sum.where('status', '=', status)
}

const total = statements(
  'members_total',
  ({ status }: Pick<ListVariant, 'status'>) =>
    () =>
      countLive(status),
)

const searchTotal = statements(
  'members_search_total',
  ({ status }: Pick<ListVariant, 'status'>) =>
    (v: { pattern: string }) => {
      const rows = live().where(matches(v.pattern)).select(sql<number>`count(*)`.as('total'))
      return status === undefined ? rows : rows.where('status', '=', status)
    },
)

/** One page of live members, and how many there are in all. */
export function listMembers(ctx: Context, filter: ListQuery) {
  const { status, sort, order, search } = filter
  const pattern = search === undefined ? '' : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  const offset = offsetOf(filter)
  const variant = {
    ...(status && { status }),
    sort,
    order,
    search: search !== undefined,
    first: offset === 0,
  }
  const rows = ctx.tx.all(listPage(variant), { limit: filter.limit, offset, pattern })
  const matching = status === undefined ? {} : { status }
  const counted =
    search === undefined
      ? ctx.tx.single(total(matching), {})
      : ctx.tx.single(searchTotal(matching), { pattern })
  return rows.and(counted).map(([members, { total }]) => ({ members, total }))
}

export interface NewMemberRow {
  id: string
  email: string
  full_name: string
  avatar_url: string | null
  role: string
  status: MemberStatus
  plan_id: string | null
  metadata: string
}

/** An insert, as yet unannounced. */
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
      plan_id: plan,
      plan_version: sql<number>`(select version from plans where id = ${plan} and status = 'active')`,
      metadata: sql`${v.metadata}::jsonb`,
    })
    .returning([...memberColumns, 'role'])
}

const insert = statement(
  'insert_member',
  (v: NewMemberRow & EventOfMember) => withEvent(newMember(v), eventOfMember(memberCreated, v), v),
  CONSTRAINTS,
  'insert',
)

/** Announces it too. @throws ApiError 422 EMAIL_TAKEN, or VALIDATION_ERROR for a plan that cannot be used */
export const insertMember = (ctx: Context, member: NewMemberRow) =>
  ctx.tx.single(insert, { ...member, publicId: toId('member', member.id), ...newEventValues() })

/** What a change may set; the plan follows what the member was granted. Metadata comes as what to merge in and which keys to drop. */
export interface MemberUpdate {
  email?: string
  full_name?: string
  avatar_url?: string
  status?: MemberStatus
  metadata?: { set: string; drop: string[] }
}

type UpdateValues = Required<Omit<MemberUpdate, 'metadata'>> &
  EventOfMember & { id: string; set: string; drop: string[] }

const SETTERS: { [C in keyof MemberUpdate]-?: (v: UpdateValues) => Record<string, unknown> } = {
  email: (v) => ({
    email: v.email,
    // A new address must be verified again where the project wants addresses verified.
    email_verified_at: sql`case when email_key = lower(${v.email})
      or not (select email_confirmation from projects where id = app.current_project()) then email_verified_at end`,
  }),
  full_name: (v) => ({ full_name: v.full_name }),
  avatar_url: (v) => ({ avatar_url: v.avatar_url }),
  status: (v) => ({ status: v.status }),
  metadata: (v) => ({ metadata: sql`(metadata || ${v.set}::jsonb) - ${v.drop}::text[]` }),
}

/** What is unique, or counted: a change of it can wait for more than this member. */
const ENTANGLED: ReadonlySet<keyof MemberUpdate> = new Set(['email', 'status'])

const update = statements(
  'update_member',
  (columns: (keyof MemberUpdate)[]) => (v: UpdateValues) => {
    const write = query
      .updateTable('members')
      .set(Object.assign({ updated_at: sql`now()` }, ...columns.map((column) => SETTERS[column](v))))
      .where('id', '=', v.id)
      .where('deleted_at', 'is', null)
      .returning([...memberColumns, 'role'])
    return withEvent(write, eventOfMember(memberUpdated, v), v)
  },
  CONSTRAINTS,
  (columns) => !columns.some((column) => ENTANGLED.has(column)),
)

/** Announces it too. @throws ApiError 404; 422 EMAIL_TAKEN, or VALIDATION_ERROR for metadata that does not fit */
export function updateMember(ctx: Context, id: string, changes: MemberUpdate) {
  const columns = (Object.keys(SETTERS) as (keyof MemberUpdate)[]).filter(
    (column) => changes[column] !== undefined,
  )
  const { metadata, ...others } = changes
  const values = { id, publicId: toId('member', id), ...newEventValues(), ...others, ...metadata }
  return ctx.tx.one(update(columns), values as UpdateValues, 'Member')
}

export type { MemberRow }
