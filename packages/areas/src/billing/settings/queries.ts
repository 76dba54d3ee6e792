import type { Context } from '#platform/db/tenant.ts'
import { defineSettings } from '#platform/settings.ts'
import {
  assertBillingSettings,
  type BillingSettings,
  type BillingSettingsChanges,
  DEFAULT_SETTINGS,
} from './settings.ts'

const settings = defineSettings<BillingSettings>('billing_settings', DEFAULT_SETTINGS)
/** How the project bills. */
export const findBillingSettings = settings.find

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
  return settings.change(ctx, {
    billing_url: billingUrl === '' ? null : billingUrl,
    renewal_notice_days: renewalNoticeDays,
    retry_days: retryDays,
    member_may: memberMay as BillingSettings['member_may'] | undefined,
    on_lost_dispute: onLostDispute as BillingSettings['on_lost_dispute'] | undefined,
  })
}
