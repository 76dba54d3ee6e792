import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { parseRedirect } from '#platform/values/redirect-url.ts'

/** Where the name of a member without a display name comes from. */
export const NAME_SOURCES = ['none', 'full_name'] as const
/** What profiles can show besides the name. */
export const PROFILE_FIELDS = ['avatar_url', 'bio', 'badges', 'member_since'] as const

/** How discussions, feedback and profiles of one environment work. */
export interface CommunitySettings {
  /** Members with one of these roles moderate with their own token. */
  readonly moderator_roles: readonly string[]
  /** So many reports hide a post until a moderator decides. */
  readonly report_threshold: number
  /** Where the project shows a discussion; `{id}` stands for its id. Mails lead there; without it they have no link. */
  readonly discussion_url: string | null
  /** The same for an item of feedback. */
  readonly feedback_url: string | null
  /** Whether visitors without a log-in see profiles. */
  readonly profiles_public: boolean
  /** `none`: a member without a display name is "Member" and four letters of the id. */
  readonly display_name_from: (typeof NAME_SOURCES)[number]
  readonly profile_fields: readonly string[]
}

/** What is left out stays as it is; an empty address takes the links out of mails. */
export interface CommunityChanges {
  readonly moderatorRoles?: readonly string[] | undefined
  readonly reportThreshold?: number | undefined
  readonly discussionUrl?: string | undefined
  readonly feedbackUrl?: string | undefined
  readonly profilesPublic?: boolean | undefined
  readonly displayNameFrom?: string | undefined
  readonly profileFields?: readonly string[] | undefined
}

const MOST_ROLES = 20
const ROLE = /^[a-z][a-z0-9_-]{0,31}$/
const MOST_REPORTS = 1000
const LONGEST_URL = 2000

/** What does not fit, all at once. @throws ApiError 422 */
export function assertCommunity(changes: CommunityChanges): void {
  const faults = [
    ...rolesFaults(changes.moderatorRoles),
    ...thresholdFaults(changes.reportThreshold),
    ...urlFaults('discussion_url', changes.discussionUrl),
    ...urlFaults('feedback_url', changes.feedbackUrl),
    ...wordFaults('display_name_from', NAME_SOURCES, changes.displayNameFrom),
    ...(changes.profileFields ?? []).flatMap((field, i) =>
      wordFaults(`profile_fields[${i}]`, PROFILE_FIELDS, field),
    ),
  ]
  if (faults.length > 0) throw invalidBody(faults)
}

/** A role that no member can have would moderate nothing, and `member` is everybody who joins. */
function rolesFaults(roles: readonly string[] = []): FieldFault[] {
  if (roles.length > MOST_ROLES)
    return [{ field: 'moderator_roles', rule: 'length', message: `must have at most ${MOST_ROLES} roles` }]
  return roles.flatMap((role, i) => {
    const field = `moderator_roles[${i}]`
    if (role === 'member')
      return [
        { field, rule: 'value', message: 'is the role of every member: everybody would be a moderator' },
      ]
    return ROLE.test(role) ? [] : [{ field, rule: 'pattern', message: 'is not a role that members can have' }]
  })
}

function thresholdFaults(threshold = 1): FieldFault[] {
  if (Number.isInteger(threshold) && threshold >= 1 && threshold <= MOST_REPORTS) return []
  const message = `must be a whole number from 1 to ${MOST_REPORTS}`
  return [{ field: 'report_threshold', rule: 'range', message }]
}

/** What is wrong with an address in which a placeholder stands for what it shows. Empty unsets it. */
export function urlFaults(field: string, url = '', placeholder = '{id}'): FieldFault[] {
  if (url === '') return []
  const parts = url.split(placeholder)
  if (parts.length === 2 && url.length <= LONGEST_URL && parseRedirect(parts.join('x')) !== undefined)
    return []
  return [{ field, rule: 'value', message: `must be an http or https URL that contains ${placeholder} once` }]
}

function wordFaults(field: string, words: readonly string[], word: string | undefined): FieldFault[] {
  if (word === undefined || words.includes(word)) return []
  return [{ field, rule: 'enum', message: `must be one of: ${words.join(', ')}` }]
}
