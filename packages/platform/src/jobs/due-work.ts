import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { query, statement } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import type { Log } from '../log.ts'
import { defineJob, type Job } from './define-job.ts'
import { defineSchedule, type Schedule } from './define-schedule.ts'
import { enqueue } from './enqueue.ts'

/** What one run of due work is given: by a worker, or by a test clock that is being moved. */
export interface DueRun {
  readonly projectId: string
  readonly deps: { readonly config: Config; readonly log: Log }
  inProject<T>(work: (ctx: Context) => PromiseLike<T>): Promise<T>
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
}

/** Declares work that is due by a project's clock; it becomes known by being listed in the registry of areas. */
export const defineDueWork = (work: DueWork): DueWork => Object.freeze(work)

const clock = statement('project_now', () =>
  query.selectNoFrom(sql<string>`date_trunc('milliseconds', app.project_now())`.as('now')),
)

/** What time it is by the project's clock, to the millisecond. */
export const projectNow = (ctx: Context) => ctx.tx.single(clock, {}).map(({ now }) => now)

/** Whether a piece of work is due. */
export async function isDue(ctx: Context, work: DueWork): Promise<boolean> {
  const next = await work.next(ctx)
  return next !== null && next <= (await projectNow(ctx))
}

/** How often projects are asked what is due. */
const EVERY_MS = 20_000
const NAME = 'due.work-off'
const payload = Type.Object({ work: Type.String() })

/** Asks each project what is due, and has a job work it off. Jobs that meet do nothing twice. */
export const findDueWork = (all: readonly DueWork[]): Schedule =>
  defineSchedule({
    name: 'due.find',
    every: EVERY_MS,
    run: (run) =>
      run.inEachProject(async (ctx) => {
        for (const work of all)
          if (await isDue(ctx, work)) enqueue(ctx, { name: NAME, lane: 'due', payload }, { work: work.name })
      }),
  })

/** Works off what is due of one kind in one project. */
export const workOffDue = (all: readonly DueWork[]): Job<typeof payload> =>
  defineJob({
    name: NAME,
    lane: 'due',
    payload,
    attempts: 5,
    run: async (run, { work: name }) => {
      const work = all.find((each) => each.name === name)
      if (work === undefined) return
      while (!run.signal.aborted && (await run.inProject((ctx) => isDue(ctx, work)))) await work.workOff(run)
    },
  })
