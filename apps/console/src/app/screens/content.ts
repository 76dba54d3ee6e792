import { forms } from './forms.ts'

/** Content: forms, help, courses, page rules and files. */
export const content = [...forms]
