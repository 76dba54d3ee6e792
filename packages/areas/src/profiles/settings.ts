import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { defineSettings } from '#platform/settings.ts'

/** Where the name of a member without a display name comes from. */
export const NAME_SOURCES = ['none', 'full_name'] as const
/** What profiles can show besides the name. */
export const PROFILE_FIELDS = ['avatar_url', 'bio', 'badges', 'member_since'] as const

/** How profiles of one environment work. */
export interface ProfileSettings {
  /** Whether visitors without a log-in see profiles. */
  readonly profiles_public: boolean
  /** `none`: a member without a display name is "Member" and four letters of the id. */
  readonly display_name_from: (typeof NAME_SOURCES)[number]
  readonly profile_fields: readonly string[]
}

/** The settings of a project that has set nothing. */
export const PROFILE_DEFAULTS: ProfileSettings = {
  profiles_public: false,
  display_name_from: 'none',
  profile_fields: PROFILE_FIELDS,
}

const settings = defineSettings<ProfileSettings>('profile_settings', PROFILE_DEFAULTS)
/** How the project shows profiles. */
export const findProfileSettings = settings.find

/** What is left out stays as it is. */
export interface ProfileSettingsChanges {
  readonly profilesPublic?: boolean | undefined
  readonly displayNameFrom?: string | undefined
  readonly profileFields?: readonly string[] | undefined
}

/** What does not fit, all at once. @throws ApiError 422 */
export function assertProfileSettings({ displayNameFrom, profileFields = [] }: ProfileSettingsChanges): void {
  const faults = [
    ...wordFaults('display_name_from', NAME_SOURCES, displayNameFrom),
    ...profileFields.flatMap((field, i) => wordFaults(`profile_fields[${i}]`, PROFILE_FIELDS, field)),
  ]
  if (faults.length > 0) throw invalidBody(faults)
}

function wordFaults(field: string, words: readonly string[], word: string | undefined): FieldFault[] {
  if (word === undefined || words.includes(word)) return []
  return [{ field, rule: 'enum', message: `must be one of: ${words.join(', ')}` }]
}

/** Changes what is given and nothing else. @throws ApiError 422 */
export async function updateProfileSettings(
  ctx: Context,
  changes: ProfileSettingsChanges,
): Promise<ProfileSettings> {
  assertProfileSettings(changes)
  const { profilesPublic, displayNameFrom, profileFields } = changes
  return settings.change(ctx, {
    profiles_public: profilesPublic,
    display_name_from: displayNameFrom as ProfileSettings['display_name_from'] | undefined,
    profile_fields: profileFields,
  })
}
