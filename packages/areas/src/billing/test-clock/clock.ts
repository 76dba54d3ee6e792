import { sql } from 'kysely'
import { defineQuery, together } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type DueRun, type DueWork, isDue, projectNow, whatIsDue } from '#platform/jobs/schedules/due-work.ts'
import { enqueueDueWork } from '#platform/jobs/schedules/work-off-due.ts'

/**
 * Has the clock stand at one moment for the rest of a transaction, which alone sees it. No request of a client says the moment:
 * the test clock names what is due, and the demo data days that are past.
 */
export const freezeClock = defineQuery('freeze_clock', (v: { at: string }) =>
  query.selectNoFrom(
    sql`set_config('app.clock_moved',
      (extract(epoch from ${v.at}::timestamptz - now()) * 1000000)::int8::text, true)`.as('moved'),
  ),
)

/** Work in a project at one moment of its clock, which stands still in there. */
function at(run: DueRun, moment: string): DueRun {
  const write: DueRun['write'] = (work) =>
    run.write((ctx) => {
      freezeClock(ctx, { at: moment })
      return typeof work === 'function' ? work(ctx) : ctx.tx.ask(work)
    })
  const read: DueRun['read'] = (asks) => write((ctx) => together(ctx, asks))
  return { ...run, read, write }
}

/** By how much the clock was moved. */
export const movedByMs = defineQuery('read_clock', () =>
  query.selectNoFrom(sql<number>`coalesce((select moved_by_ms from project_clocks), 0)::int8`.as('moved')),
)
  .map(({ moved }) => moved)
  .single()

const moveClock = defineQuery('move_clock', (v: { to: string }) =>
  query
    .insertInto('project_clocks')
    .values({ moved_by_ms: sql`ceil(extract(epoch from ${v.to}::timestamptz - now()) * 1000)::int8` })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({
        moved_by_ms: sql`greatest(project_clocks.moved_by_ms, excluded.moved_by_ms)`,
        updated_at: sql`now()`,
      }),
    ),
)

/** Whether this is a test side. */
export const isTestSide = defineQuery('own_environment', () =>
  query.selectFrom('projects').select('environment').where('id', '=', sql<string>`app.current_project()`),
)
  .map(({ environment }) => environment === 'test')
  .single()

/** The first moment at which something is due; null where nothing is. */
async function firstDue(ctx: Context, all: readonly DueWork[]): Promise<string | null> {
  const next = await Promise.all(all.map((work) => work.next(ctx)))
  return next.filter((moment) => moment !== null).sort()[0] ?? null
}

/**
 * Works off what is due of one kind at a moment.
 * @returns the moment, or a little after it: times in the database are finer than milliseconds, and what is due within
 * the millisecond is worked off at its end
 */
async function workOff(run: DueRun, work: DueWork, moment: string): Promise<string> {
  let now = moment
  let last: string | null = null
  for (;;) {
    const step = at(run, now)
    if (!(await step.write((ctx) => isDue(ctx, work)))) return now
    const due = await step.write((ctx) => work.next(ctx))
    if (due === last) now = new Date(Date.parse(now) + 1).toISOString()
    last = due
    await work.workOff(at(run, now))
  }
}

/** Works off, each at its own moment and in the order of time, all that is due until `to`. */
export async function workOffUntil(
  run: DueRun,
  works: readonly DueWork[],
  { now: from, to }: { readonly now: string; readonly to: string },
): Promise<void> {
  let now = from
  for (;;) {
    const due = await run.write((ctx) => firstDue(ctx, works))
    if (due === null || due > to) return
    // Overdue work comes first.
    if (due > now) now = due
    for (const work of works) now = await workOff(run, work, now)
  }
}

/**
 * Moves the clock of a project: from one moment at which something is due to the next, with everything worked off at
 * its own moment, and then to the end. The result is the same for one large step and for many small ones. Work that
 * need not happen at its moment is left to jobs.
 */
export async function advanceClock(run: DueRun, all: readonly DueWork[], to: string): Promise<void> {
  const works = all.map((work) => ({ ...work, ...work.whileMoved }))
  for (const { whileMoved } of all) await whileMoved?.before(run)
  const { now } = await run.read({ now: projectNow() })
  await workOffUntil(run, works, { now, to })
  await run.write(moveClock({ to }))
  const partly = all.filter(({ whileMoved }) => whileMoved !== undefined)
  await run.write(async (ctx) => {
    for (const work of await whatIsDue(ctx, partly)) enqueueDueWork(ctx, work)
  })
}
