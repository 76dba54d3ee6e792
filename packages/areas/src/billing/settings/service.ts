import type { Context } from '#platform/db/tenant.ts'
import { findBillingSettings, putBillingSettings } from './queries.ts'
import { assertBillingSettings, type BillingSettings, type BillingSettingsChanges } from './settings.ts'

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
  const isChange = Object.values(changes).some((value) => value !== undefined)
  return isChange ? putBillingSettings(ctx, changes) : findBillingSettings(ctx)
}
