import type { Viewer } from '#platform/http/viewer.ts'

// Who may read what of the help center. Nothing else in this area decides it.

/**
 * What a viewer belongs to, as app.help_audience makes it of the visibility and the plans of articles. Null reads
 * everything: drafts, versions, archived and internal articles too. That is for secret keys.
 */
export function audiencesOf({ isKey, memberId, planId }: Viewer): readonly string[] | null {
  if (isKey) return null
  if (memberId === null) return ['public']
  return ['public', 'members', ...(planId === null ? [] : [`plan:${planId}`])]
}
