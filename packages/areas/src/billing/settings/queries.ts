import { sql } from 'kysely'
import { defineQuery, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import {
  assertBillingSettings,
  type BillingSettings,
  type BillingSettingsChanges,
  DEFAULT_SETTINGS,
} from './settings.ts'

const columns = ['billing_url', 'renewal_notice_days', 'retry_days', 'member_may', 'on_lost_dispute'] as const

const toSettings = (row: object | undefined): BillingSettings => ({
  ...DEFAULT_SETTINGS,
  ...Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== null)),
})

const settings = defineQuery('billing_settings', () =>
  query.selectFrom('billing_settings').select(columns),
).first()
/** How the project bills. What it has not set is the default. */
export const findBillingSettings = deriveQuery<Record<never, never>, BillingSettings>(() =>
  mapAnswer(settings(), toSettings),
)

/** Null: as it is. */
interface Values {
  id: string
  url: string | null
  notice: number | null
  retries: readonly number[] | null
  may: readonly string[] | null
  dispute: string | null
}
const putBillingSettings = defineQuery('put_billing_settings', (v: Values) =>
  query
    .insertInto('billing_settings')
    .values({
      id: v.id,
      billing_url: sql`nullif(${v.url}::text, '')`,
      renewal_notice_days: v.notice,
      retry_days: sql<number[] | null>`${v.retries}`,
      member_may: sql<string[] | null>`${v.may}`,
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
  .map(toSettings)
  .single()

/**
 * Changes what is given and nothing else.
 * @returns all settings as they are then
 * @throws ApiError 422 for addresses, days, acts and words that do not fit, all at once
 */
export async function updateBillingSettings(
  ctx: Context,
  changes: BillingSettingsChanges,
): Promise<BillingSettings> {
  assertBillingSettings(changes)
  const { billingUrl, renewalNoticeDays, retryDays, memberMay, onLostDispute } = changes
  if (Object.values(changes).every((value) => value === undefined)) return findBillingSettings(ctx)
  return putBillingSettings(ctx, {
    id: newUuid(),
    url: billingUrl ?? null,
    notice: renewalNoticeDays ?? null,
    retries: retryDays ?? null,
    may: memberMay ?? null,
    dispute: onLostDispute ?? null,
  })
}
