/** Insight: analytics and events. */
export const insight = [] as const
