import { sql } from 'kysely'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { amount, type ListExport, publicId, timestamp } from '#platform/csv/list-file.ts'
import { query } from '#platform/db/statement.ts'
import { filtersOf } from '#platform/http/page.ts'
import { listSubscriptions } from './queries.ts'
import { SubscriptionsQuery } from './schema.ts'

/** Subscriptions as a file. */
export const subscriptionExport: ListExport = {
  of: 'subscriptions',
  title: 'Subscriptions',
  permission: 'read:plans',
  filters: filtersOf(SubscriptionsQuery),
  id: { is: subscriptionId, column: 's.id' },
  columns: {
    member_id: publicId('mem', 's.member_id'),
    email: { guarded: sql.ref('m.email') },
    plan_id: publicId('plan', 's.plan_id'),
    plan: { guarded: sql`(select p.name from plans p where p.id = s.plan_id)` },
    status: sql.ref('s.status'),
    price: amount('v.price_minor', 'v.currency'),
    currency: sql.ref('v.currency'),
    interval: sql.ref('v.interval'),
    interval_count: sql`v.interval_count::text`,
    period_start: timestamp('s.period_start'),
    period_end: timestamp('s.period_end'),
    trial_end: timestamp('s.trial_end'),
    cancel_at_period_end: sql`s.cancel_at_period_end::text`,
    canceled_at: timestamp('s.canceled_at'),
    cancel_reason: { guarded: sql.ref('s.cancel_reason') },
    created_at: timestamp('s.created_at'),
    updated_at: timestamp('s.updated_at'),
  },
  rows: (filters) =>
    listSubscriptions.narrow(
      filters,
      query
        .selectFrom('subscriptions as s')
        .innerJoin('plan_versions as v', (on) =>
          on.onRef('v.plan_id', '=', 's.plan_id').onRef('v.version', '=', 's.plan_version'),
        )
        .leftJoin('members as m', 'm.id', 's.member_id'),
    ),
}
