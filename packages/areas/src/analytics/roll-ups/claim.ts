import { sql } from 'kysely'
import { query, type Statement, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { Day } from '../calendar.ts'

/** A worker that fell silent has its day taken over after this. */
export const LEASE_MS = 5 * 60_000

/** A day that a worker rolls up; nobody else's result counts while it holds the token. */
export interface ClaimedDay {
  readonly day: Day
  readonly token: string
}

const raw = <I extends object, R>(
  label: string,
  build: (values: I) => { compile(q: typeof query): unknown },
) =>
  statement(label, (values: I) => ({ compile: () => build(values).compile(query) as never })) as Statement<
    I,
    R
  >

const due = raw<{ now: Date }, { day: Day }>(
  'due_day',
  (v) => sql`select to_char(day, 'YYYY-MM-DD') as day from analytics_days
    where due_at <= ${v.now} and (lease_until is null or lease_until <= ${v.now}) order by due_at, day limit 1`,
)
const lock = raw<{ day: Day }, object>(
  'lock_day',
  (v) => sql`select pg_advisory_xact_lock(
    hashtextextended('analytics ' || app.current_project() || ' ' || ${v.day}::date, 0))`,
)
const claim = raw<{ day: Day; now: Date; token: string; until: Date }, { day: Day }>(
  'claim_day',
  (v) => sql`update analytics_days set token = ${v.token}, lease_until = ${v.until}
    where day = ${v.day}::date and due_at <= ${v.now} and (lease_until is null or lease_until <= ${v.now})
    returning to_char(day, 'YYYY-MM-DD') as day`,
)

/**
 * Takes the day that has been due for longest. Whoever is about to add events to it has committed by then: the lock is
 * had when they have let go of theirs. What comes afterwards finds the token and takes it away.
 * @returns undefined where nothing is due, or somebody else was quicker
 */
export async function claimDay(ctx: Context, now: number): Promise<ClaimedDay | undefined> {
  const found = await ctx.tx.first(due, { now: new Date(now) })
  if (found === undefined) return undefined
  const token = newUuid()
  await ctx.tx.run(lock, { day: found.day })
  const claimed = await ctx.tx.first(claim, {
    day: found.day,
    now: new Date(now),
    token,
    until: new Date(now + LEASE_MS),
  })
  return claimed && { day: found.day, token }
}

const finish = raw<{ day: Day; token: string; timezone: string; goals: string; now: Date }, { day: Day }>(
  'finish_day',
  (v) => sql`update analytics_days
    set state = 'clean', due_at = null, token = null, lease_until = null, timezone = ${v.timezone}, goals = ${v.goals},
      rolled_at = ${v.now}
    where day = ${v.day}::date and token = ${v.token} returning day`,
)

/** Says that the roll-ups of a day are all. Answers nothing where events have come meanwhile, or the lease has ended. */
export const finishDay = (
  ctx: Context,
  claimed: ClaimedDay,
  under: { timezone: string; goals: string; now: Date },
) => ctx.tx.first(finish, { day: claimed.day, token: claimed.token, ...under })
