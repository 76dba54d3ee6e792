import { billId, paymentId } from '#areas/billing/ids.ts'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { discountId, orderId } from '#areas/shop/ids.ts'
import { type Resource, toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { PARTS, type Part } from './money-query.ts'
import { meaningOf } from './rules.ts'
import { type Auditing, type Breach, type Difference, findBreaches, proveMoney } from './service.ts'

/** Whose it is, by public ids. */
interface Whose {
  readonly project_id: string
  readonly environment: string
  readonly member_id: string
}
/** A difference as operators read it: amounts in major units. */
export type ShownDifference = Whose &
  Readonly<Record<Part, number>> & {
    readonly currency: string
    readonly difference: number
  }
export type ShownBreach = Whose & {
  readonly rule: string
  readonly means: string
  readonly type: string
  readonly id: string
}
export interface MoneyReport {
  readonly proved: number
  readonly different: number
  readonly differences: readonly ShownDifference[]
  readonly breaches: readonly ShownBreach[]
}

/** What the proof says, by public ids. @param projectIds only these, by their stored ids; all where omitted */
export async function reportMoney(auditing: Auditing, projectIds?: readonly string[]): Promise<MoneyReport> {
  const { proved, different, differences } = await proveMoney(auditing, projectIds)
  const breaches = await findBreaches(auditing, projectIds)
  const { rows } = await auditing.query<{ id: string; live_id: string; environment: string }>(
    'select id, live_id, environment from projects where id = any ($1)',
    [[...new Set([...differences, ...breaches].map(({ project_id }) => project_id))]],
  )
  const sides = new Map(rows.map((row) => [row.id, row]))
  const whose = ({ project_id, member_id }: { project_id: string; member_id: string }): Whose => {
    const { live_id = project_id, environment = '' } = sides.get(project_id) ?? {}
    return { project_id: toId('project', live_id), environment, member_id: toId('member', member_id) }
  }
  return {
    proved,
    different,
    differences: differences.map((row) => ({ ...whose(row), ...amountsOf(row) })),
    breaches: breaches.map((row) => ({
      ...whose(row),
      ...{ rule: row.rule, means: meaningOf(row.rule), type: row.type, id: publicId(row) },
    })),
  }
}

function amountsOf(row: Difference) {
  const { currency, difference } = row
  const parts = PARTS.map((part) => [part, fromMinor(row[part], currency)] as const)
  return {
    currency,
    difference: fromMinor(difference, currency),
    ...(Object.fromEntries(parts) as Record<Part, number>),
  }
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  ...{ bill: billId, payment: paymentId, order: orderId, discount: discountId },
  ...{ subscription: subscriptionId, member: 'member' },
}

const publicId = ({ type, id }: Breach): string => toId(RESOURCES[type] ?? 'member', id)
