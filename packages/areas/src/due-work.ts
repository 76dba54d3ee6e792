import type { DueWork } from '#platform/jobs/due-work.ts'
import { turnDueGrants } from './entitlements/turn-grants.due.ts'

/** Everything that is due by projects' own clocks, which a test clock moves, alphabetical. */
export const dueWork: readonly DueWork[] = [turnDueGrants]
