import type { Context } from '#platform/db/tenant.ts'
import { invalidBody } from '#platform/errors.ts'
import { defineSettings, urlFaults } from '#platform/settings.ts'

/** How discussions of one environment work. */
export interface DiscussionSettings {
  /** So many reports hide a post until a moderator decides. */
  readonly report_threshold: number
  /** Where the project shows a discussion; `{id}` stands for its id. Mails lead there; without it they have no link. */
  readonly discussion_url: string | null
}

/** How many reports hide a post where the project has not set it. */
export const REPORT_THRESHOLD = 3
const MOST_REPORTS = 1000

const settings = defineSettings<DiscussionSettings>('discussion_settings', {
  report_threshold: REPORT_THRESHOLD,
  discussion_url: null,
})

/** How discussions of the project work. */
export const findDiscussionSettings = settings.find

/** What is left out stays as it is; an empty address takes the links out of mails. */
export interface DiscussionSettingsChanges {
  readonly reportThreshold?: number | undefined
  readonly discussionUrl?: string | undefined
}

/** What does not fit, all at once. @throws ApiError 422 */
export function assertDiscussionSettings({
  reportThreshold,
  discussionUrl,
}: DiscussionSettingsChanges): void {
  const faults = [...thresholdFaults(reportThreshold), ...urlFaults('discussion_url', discussionUrl)]
  if (faults.length > 0) throw invalidBody(faults)
}

function thresholdFaults(threshold = REPORT_THRESHOLD) {
  if (Number.isInteger(threshold) && threshold >= 1 && threshold <= MOST_REPORTS) return []
  const message = `must be a whole number from 1 to ${MOST_REPORTS}`
  return [{ field: 'report_threshold', rule: 'range', message }]
}

/** Changes what is given and nothing else. @throws ApiError 422 */
export async function updateDiscussionSettings(
  ctx: Context,
  changes: DiscussionSettingsChanges,
): Promise<DiscussionSettings> {
  assertDiscussionSettings(changes)
  const { reportThreshold, discussionUrl } = changes
  return settings.change(ctx, {
    report_threshold: reportThreshold,
    discussion_url: discussionUrl === '' ? null : discussionUrl,
  })
}
