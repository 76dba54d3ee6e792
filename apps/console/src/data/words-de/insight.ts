/** German: insight: analytics and events. */
export const INSIGHT: Readonly<Record<string, string>> = {}
