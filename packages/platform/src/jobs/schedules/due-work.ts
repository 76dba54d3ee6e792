import { sql } from 'kysely'
import type { PaymentHandlers } from '../../catalogue/payment-handler.ts'
import type { PersonalData } from '../../catalogue/personal-data.ts'
import type { Config } from '../../config.ts'
import { defineQuery } from '../../db/query.ts'
import { isResting } from '../../db/resting.ts'
import { query } from '../../db/statement.ts'
import type { Context, ProjectData } from '../../db/tenant.ts'
import type { SearchSource } from '../../search/source.ts'
import type { Log } from '../../telemetry/log.ts'

/** What one run of due work is given: by a worker, or by a test clock that is being moved. */
export interface DueRun extends ProjectData {
  readonly projectId: string
  readonly deps: {
    readonly config: Config
    readonly log: Log
    readonly catalogue: {
      readonly paymentHandlers: PaymentHandlers
      readonly memberData: readonly PersonalData[]
      readonly searchSources: readonly SearchSource[]
    }
  }
}

/** Work that waits for a moment of a project's own clock (`app.project_now()`). */
export interface DueWork {
  /** `area.verb-noun`. */
  readonly name: string
  /** When the next piece is due, as a timestamp; null where nothing waits. It is asked often. */
  readonly next: (ctx: Context) => PromiseLike<string | null>
  /**
   * Works off a bounded part of what is due, in the order of its times. Two at once do nothing twice, and what was done
   * is not due any more: it is called until nothing is.
   */
  readonly workOff: (run: DueRun) => Promise<void>
  /**
   * While a test clock is moved, only this part of the work happens at its own moment. A job does the rest after the
   * clock has been moved. Default: all of it happens at its moment.
   */
  readonly whileMoved?: Pick<DueWork, 'next' | 'workOff'> & {
    /** Done once, before the clock is moved. */
    readonly before: (run: DueRun) => Promise<void>
  }
}

/** Declares work that is due by a project's clock; it becomes known by its area's manifest. */
export const defineDueWork = (work: DueWork): DueWork => Object.freeze(work)

/** What time it is by the project's clock, to the millisecond. */
export const projectNow = defineQuery('project_now', () =>
  query.selectNoFrom(sql<string>`date_trunc('milliseconds', app.project_now())`.as('now')),
)
  .map(({ now }) => now)
  .single()

const rests = defineQuery('project_rests', () =>
  query.selectNoFrom(sql<boolean>`${sql.raw(isResting('app.current_project()'))}`.as('rests')),
)
  .map((row) => row.rests)
  .single()

/** Those pieces of work that are due; none while the project rests. All are asked about in one round trip. */
export async function whatIsDue(ctx: Context, all: readonly DueWork[]): Promise<DueWork[]> {
  const asked = Promise.all([projectNow(ctx), rests(ctx)])
  const moments = await Promise.all(all.map((work) => work.next(ctx)))
  const [now, isAtRest] = await asked
  if (isAtRest) return []
  return all.filter((_work, at) => {
    const moment = moments[at]
    return moment !== null && moment !== undefined && moment <= now
  })
}

/** Whether a piece of work is due. */
export const isDue = async (ctx: Context, work: DueWork): Promise<boolean> =>
  (await whatIsDue(ctx, [work])).length > 0
