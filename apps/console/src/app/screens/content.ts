import { courses } from './courses.ts'
import { forms } from './forms.ts'

/** Content: forms, help, courses, page rules and files. */
export const content = [...forms, ...courses]
