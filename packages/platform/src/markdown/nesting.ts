/** The deepest nesting of quotes and lists. Deeper texts are unreadable, and browsers are slow with deep trees. */
export const MAX_NESTING = 50
