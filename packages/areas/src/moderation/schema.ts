/** The kinds of moderation rules. */
export const KINDS = ['words', 'links', 'rate', 'age', 'duplicates'] as const
export type Kind = (typeof KINDS)[number]
