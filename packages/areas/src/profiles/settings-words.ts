/** Where the name of a member without a display name comes from. */
export const NAME_SOURCES = ['none', 'full_name'] as const
/** What profiles can show besides the name. */
export const PROFILE_FIELDS = ['avatar_url', 'bio', 'badges', 'member_since'] as const
