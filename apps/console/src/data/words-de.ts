import { COMMUNITY } from './words-de/community.ts'
import { CONTENT } from './words-de/content.ts'
import { COURSES } from './words-de/courses.ts'
import { DEVELOPERS } from './words-de/developers.ts'
import { INSIGHT } from './words-de/insight.ts'
import { LESSONS } from './words-de/lessons.ts'
import { MAILS } from './words-de/mails.ts'
import { MONEY } from './words-de/money.ts'
import { MORE_ACTS } from './words-de/more-acts.ts'
import { PARTS } from './words-de/parts.ts'
import { PAYMENTS } from './words-de/payments.ts'
import { PEOPLE } from './words-de/people.ts'
import { REPORTS } from './words-de/reports.ts'
import { SETTINGS } from './words-de/settings.ts'
import { SHARED } from './words-de/shared.ts'
import { TRANSFERS } from './words-de/transfers.ts'
import { WRITING } from './words-de/writing.ts'

/** German. The texts of the console by their English ones; `npm run console:test` finds what is missing. */
export const WORDS: Readonly<Record<string, string>> = {
  ...COMMUNITY,
  ...CONTENT,
  ...COURSES,
  ...DEVELOPERS,
  ...INSIGHT,
  ...LESSONS,
  ...MAILS,
  ...MONEY,
  ...MORE_ACTS,
  ...PARTS,
  ...PAYMENTS,
  ...PEOPLE,
  ...REPORTS,
  ...SETTINGS,
  ...SHARED,
  ...TRANSFERS,
  ...WRITING,
}
