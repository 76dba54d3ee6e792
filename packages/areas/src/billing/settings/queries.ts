import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { type BillingSettings, type BillingSettingsChanges, DEFAULT_SETTINGS } from './settings.ts'

const columns = ['billing_url', 'renewal_notice_days', 'retry_days', 'member_may', 'on_lost_dispute'] as const
type Row = { readonly [column in (typeof columns)[number]]: unknown }

const toSettings = (row: Row | undefined): BillingSettings => ({
  ...DEFAULT_SETTINGS,
  ...Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== null)),
})

const settings = statement('billing_settings', () => query.selectFrom('billing_settings').select(columns))

/** How the project bills. What it has not set is the default. */
export const findBillingSettings = (ctx: Context) => ctx.tx.first(settings, {}).map(toSettings)

interface Values {
  id: string
  url: string | null
  notice: number | null
  retries: number[] | null
  may: string[] | null
  dispute: string | null
}

const put = statement('put_billing_settings', (v: Values) =>
  query
    .insertInto('billing_settings')
    .values({
      id: v.id,
      billing_url: sql`nullif(${v.url}::text, '')`,
      renewal_notice_days: v.notice,
      retry_days: v.retries,
      member_may: v.may,
      on_lost_dispute: v.dispute,
    })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({
        billing_url: sql`nullif(coalesce(${v.url}::text, billing_settings.billing_url), '')`,
        renewal_notice_days: sql`coalesce(excluded.renewal_notice_days, billing_settings.renewal_notice_days)`,
        retry_days: sql`coalesce(excluded.retry_days, billing_settings.retry_days)`,
        member_may: sql`coalesce(excluded.member_may, billing_settings.member_may)`,
        on_lost_dispute: sql`coalesce(excluded.on_lost_dispute, billing_settings.on_lost_dispute)`,
      }),
    )
    .returning(columns),
)

/** Stores changes that were checked. @returns all settings as they are now */
export const putBillingSettings = (ctx: Context, changes: BillingSettingsChanges) =>
  ctx.tx
    .single(put, {
      id: newUuid(),
      url: changes.billingUrl ?? null,
      notice: changes.renewalNoticeDays ?? null,
      retries: changes.retryDays === undefined ? null : [...changes.retryDays],
      may: changes.memberMay === undefined ? null : [...changes.memberMay],
      dispute: changes.onLostDispute ?? null,
    })
    .map(toSettings)
