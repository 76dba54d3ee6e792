import { FORMS } from './forms.ts'

/** German: content: forms, help, courses, page rules and files. */
export const CONTENT: Readonly<Record<string, string>> = { ...FORMS }
