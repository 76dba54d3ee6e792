import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { requestSubscriberMail } from './request-mail.ts'

const AT_ONCE = 100

/** How long before a renewal its member is notified; null: never. */
const notice = sql<string | null>`nullif(make_interval(hours => 24 * coalesce(
  (select renewal_notice_days from billing_settings), ${sql.lit(DEFAULT_SETTINGS.renewal_notice_days)})), interval '0')`

/** Subscriptions that renew, whose renewal was not announced yet. */
const waiting = () =>
  query
    .selectFrom('subscriptions')
    .where('status', '=', 'active')
    .where(sql<boolean>`not cancel_at_period_end`)
    .where(sql<boolean>`noticed_period_end is distinct from period_end`)
    .where(sql<boolean>`(${notice}) is not null`)
    .orderBy('period_end')

/** When the next notice is due; undefined where none is. */
const nextNotice = defineQuery('next_renewal_notice', () =>
  waiting().select(sql<string>`period_end - ${notice}`.as('due_at')).limit(1),
).first()

/** Records that members are notified of the renewals whose notice is due: each renewal once, however many workers there are. */
const takeDueNotices = defineQuery('take_renewal_notices', (v: { limit: number }) =>
  query
    .with('due', (cte) =>
      cte
        .selectFrom(
          waiting()
            .select('id')
            .where(sql<boolean>`period_end - ${notice} <= (select app.project_now())`)
            .limit(v.limit)
            .forUpdate()
            .skipLocked()
            .as('found'),
        )
        .select('id'),
    )
    .updateTable('subscriptions as s')
    .from('plan_versions as price')
    .set({ noticed_period_end: sql`s.period_end` })
    .where('s.id', 'in', (from) => from.selectFrom('due').select('id'))
    .where(sql<boolean>`price.plan_id = coalesce(s.next_plan_id, s.plan_id)
      and price.version = coalesce(s.next_plan_version, s.plan_version)`)
    .returning(['s.id', 's.member_id', 's.plan_id', 's.period_end', 'price.plan_id as next_plan_id'])
    .returning('price.version as next_plan_version')
    .returning(
      // No notice is sent for what costs nothing or is past.
      sql<boolean>`price.price_minor > 0 and s.period_end > (select app.project_now())`.as('is_announced'),
    ),
)

/**
 * Tells members some days before a renewal. It is no move of the subscription: how many days is looked up when it is due,
 * so that a change of the setting counts at once. A renewal that a pause has put off is announced again, with its new date.
 */
export const noticeRenewals = defineDueWork({
  name: 'billing.notice-renewals',
  next: async (ctx) => (await nextNotice(ctx))?.due_at ?? null,
  workOff: (run) =>
    run.write(async (ctx) => {
      for (const row of await takeDueNotices(ctx, { limit: AT_ONCE }))
        if (row.is_announced)
          requestSubscriberMail(ctx, 'renewal_notice', {
            memberId: row.member_id,
            plan: { id: row.plan_id },
            next: { id: row.next_plan_id, version: row.next_plan_version },
            endsAt: row.period_end,
          })
    }),
})
