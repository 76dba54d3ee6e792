/** Content: forms, help, courses, page rules and files. */
export const content = [] as const
