/** German: community: discussions, moderation, feedback and the roadmap. */
export const COMMUNITY: Readonly<Record<string, string>> = {}
