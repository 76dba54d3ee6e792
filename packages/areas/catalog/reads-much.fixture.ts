/** Statements that read more rows than they answer, by label, each with the reason why that is right. */
export const MAY_READ_MUCH: Readonly<Record<string, string>> = {}
