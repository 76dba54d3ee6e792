import type { Selectable } from 'kysely'
import type { DB } from '#platform/db/tables.generated.ts'
import { taggedBy } from '#platform/http/etag.ts'
import { including } from '#platform/http/include.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import type {
  CreatedMember,
  ListedMember,
  Member,
  MemberStats,
  MemberStatus,
  MemberWithPlan,
  UpdatedMember,
} from './schema.ts'

/** What every query for members reads. */
export const memberColumns = [
  'id',
  'email',
  'full_name',
  'avatar_url',
  'status',
  'plan_id',
  'metadata',
  'created_at',
  'updated_at',
] as const

export type MemberRow = Pick<Selectable<DB['members']>, (typeof memberColumns)[number]>
type ListedMemberRow = MemberRow & Pick<Selectable<DB['members']>, 'role' | 'last_login_at' | 'deleted_at'>
export type MemberWithPlanRow = Omit<ListedMemberRow, 'deleted_at'> & {
  plan_name: string
  price_minor: number
  currency: string
}

export const toMember = (row: MemberRow): Member => ({
  id: toId('member', row.id),
  email: row.email,
  full_name: row.full_name,
  ...(row.avatar_url !== null && { avatar_url: row.avatar_url }),
  status: row.status as MemberStatus,
  plan_id: toId('plan', row.plan_id),
  metadata: row.metadata as Record<string, unknown>,
  created_at: row.created_at,
})

/** A member in a list. @param fields what was asked for beyond the usual */
export const toListedMember =
  (fields: ReadonlySet<string>) =>
  (row: ListedMemberRow): ListedMember => ({
    ...toMember(row),
    ...(fields.has('role') && { role: row.role }),
    ...(fields.has('updated_at') && { updated_at: row.updated_at }),
    ...(fields.has('last_login_at') && row.last_login_at !== null && { last_login_at: row.last_login_at }),
    ...(row.deleted_at !== null && { deleted_at: row.deleted_at }),
  })

export const toUpdatedMember = (row: MemberRow): UpdatedMember => ({
  ...toMember(row),
  updated_at: row.updated_at,
})

/** What events say about a member. */
export const toMemberData = (row: MemberRow & { role: string }) =>
  taggedBy(row, { ...toUpdatedMember(row), role: row.role })

/** A member after a change. @param include the query parameter */
export function toChangedMember(member: UpdatedMember, include: string | undefined): UpdatedMember {
  return taggedBy(member, including(['role'], include)(member) as UpdatedMember)
}

/** A member with its plan. @param fields what was asked for beyond the usual */
export function toMemberWithPlan(
  row: MemberWithPlanRow,
  fields: ReadonlySet<string> = new Set(),
): MemberWithPlan {
  const member = toUpdatedMember(row)
  const plan = { id: member.plan_id, name: row.plan_name, price: fromMinor(row.price_minor, row.currency) }
  return taggedBy(row, {
    ...member,
    plan,
    ...(row.last_login_at !== null && { last_login_at: row.last_login_at }),
    ...(fields.has('role') && { role: row.role }),
  })
}

export const toCreatedMember = (row: MemberRow & { role: string }): CreatedMember =>
  taggedBy(row, {
    id: toId('member', row.id),
    email: row.email,
    role: row.role,
    status: row.status as MemberStatus,
    metadata: row.metadata as Record<string, unknown>,
    joined_date: row.created_at,
  })

interface Count {
  status: string
  plan_id: string
  members: number
}

/** Counts per status and plan, as the API shows them. */
export function toStats(counts: Count[], created: MemberStats['created']): MemberStats {
  const sum = (matching: Count[]) => matching.reduce((total, count) => total + count.members, 0)
  const ofStatus = (status: string) => sum(counts.filter((count) => count.status === status))
  const byPlan = Map.groupBy(counts, (count) => count.plan_id)
  return {
    total: sum(counts),
    by_status: { active: ofStatus('active'), inactive: ofStatus('inactive'), pending: ofStatus('pending') },
    by_plan: [...byPlan].map(([planId, matching]) => ({
      plan_id: toId('plan', planId),
      members: sum(matching),
    })),
    created,
  }
}
