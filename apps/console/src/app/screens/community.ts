/** Community: discussions, moderation, feedback and the roadmap. */
export const community = [] as const
