import type { Context } from '#platform/db/tenant.ts'
import { invalidBody } from '#platform/errors.ts'
import { defineSettings, urlFaults } from '#platform/settings.ts'

/** How feedback of one environment works. */
export interface FeedbackSettings {
  /** Where the project shows an item; `{id}` stands for its id. Mails lead there; without it they have no link. */
  readonly feedback_url: string | null
}

const settings = defineSettings<FeedbackSettings>('feedback_settings', { feedback_url: null })

/** How feedback of the project works. */
export const findFeedbackSettings = settings.find

/** What is left out stays as it is; an empty address takes the links out of mails. */
export interface FeedbackSettingsChanges {
  readonly feedbackUrl?: string | undefined
}

/** @throws ApiError 422 */
export function assertFeedbackSettings({ feedbackUrl }: FeedbackSettingsChanges): void {
  const faults = urlFaults('feedback_url', feedbackUrl)
  if (faults.length > 0) throw invalidBody(faults)
}

/** Changes what is given and nothing else. @throws ApiError 422 */
export async function updateFeedbackSettings(
  ctx: Context,
  changes: FeedbackSettingsChanges,
): Promise<FeedbackSettings> {
  assertFeedbackSettings(changes)
  const { feedbackUrl } = changes
  return settings.change(ctx, { feedback_url: feedbackUrl === '' ? null : feedbackUrl })
}
