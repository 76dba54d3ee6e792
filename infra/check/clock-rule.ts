/**
 * Areas that go by the project's clock (docs/decisions/0008-one-clock.md) ask db/project-clock.ts what time it is. Whoever
 * means real time in one of them stands here with the reason.
 */
import type { Source } from './sources.ts'

const AREAS = 'packages/areas/src/'
/** Folders, and files of areas that go by real time otherwise. */
const BY_THE_CLOCK = [
  ...['billing/', 'discussions/', 'entitlements/', 'feedback/', 'forms/', 'help/', 'lms/', 'member-content/'],
  ...['members/', 'plans/', 'shop/', 'auth/invitations/', 'auth/member-queries.ts'],
]
/** Files, or folders with a slash at the end. */
const ALLOWED: Readonly<Record<string, string>> = {
  'auth/member-queries.ts': 'the last log-in of a member is real time',
  'billing/test-clock/clock.ts': 'moves the clock, which is a distance from real time',
  'forms/exports/': 'exports are files of a day',
  'help/search/forget-insights.schedule.ts': 'retention, which the housekeeper does for all projects',
  'member-content/edge/page-grants.ts': 'signed statements end like tokens',
  'member-content/simulations/simulate.ts': 'looks back at page views, which are real time',
  'members/exports/': 'exports are files of a day',
  'members/imports/': 'imports are real time',
}
const REAL_TIME =
  /(?<![\w.])now\(\)|\bclock_timestamp\(\)(?! - now\(\))|\bcurrent_(date|timestamp)\b|\bnew Date\(\)|\bDate\.now\(\)/
const IS_TEST = /\.(test|fixture)\.tsx?$/

const isIn = (places: readonly string[], file: string) =>
  places.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place))

/** What is wrong with a file, or undefined. */
export function clockFault({ path, text }: Source): string[] | undefined {
  if (!path.startsWith(AREAS) || IS_TEST.test(path)) return undefined
  const file = path.slice(AREAS.length)
  if (!isIn(BY_THE_CLOCK, file) || isIn(Object.keys(ALLOWED), file)) return undefined
  const found = REAL_TIME.exec(text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''))?.[0]
  return found === undefined
    ? undefined
    : [
        `must not ask for real time (${found}): this area goes by db/project-clock.ts (infra/check/clock-rule.ts)`,
      ]
}
