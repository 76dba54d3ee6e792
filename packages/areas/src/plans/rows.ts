import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import type { Plan } from './schema.ts'

/** What every query for plans reads. */
export interface FullPlanRow {
  id: string
  version: number
  name: string
  slug: string
  description: string
  trial_days: number
  features: string[]
  limits: unknown
  rank: number
  visibility: string
  status: string
  is_default: boolean
  created_at: string
  updated_at: string
  price_minor: number
  currency: string
  interval: string
  interval_count: number
  member_count: number
}

export function toPlan({ version, price_minor, ...row }: FullPlanRow): Plan {
  return {
    ...row,
    id: toId('plan', row.id),
    price: fromMinor(price_minor, row.currency),
    limits: row.limits as Plan['limits'],
    interval: row.interval as Plan['interval'],
    visibility: row.visibility as Plan['visibility'],
    status: row.status as Plan['status'],
  }
}
