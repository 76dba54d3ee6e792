/** The levels of knowledge that a course can expect. */
export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const
