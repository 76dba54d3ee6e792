import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { Day } from '../calendar.ts'

/** A worker that fell silent has its day taken over after this. */
export const LEASE_MS = 5 * 60_000

/** A day that a worker rolls up; nobody else's result counts while it holds the token. */
export interface ClaimedDay {
  readonly day: Day
  readonly token: string
  /** The time zone of the existing roll-ups; null without any. */
  readonly timezone: string | null
  readonly goals: string | null
  /** They have all events up to this generation. */
  readonly rolled: number
  /** Everything up to this one has been committed, and nothing will be added to it. */
  readonly bound: number
}

const findDueDay = defineQuery(
  'due_day',
  (v: { now: Date }) => sql<{ day: Day }>`select to_char(day, 'YYYY-MM-DD') as day from analytics_days
    where due_at <= ${v.now} and (lease_until is null or lease_until <= ${v.now}) order by due_at, day limit 1`,
).first()
const lockGeneration = defineQuery(
  'lock_generation',
  () => sql`select pg_advisory_xact_lock(hashtextextended('analytics ' || app.current_project(), 0))`,
)
const endGeneration = defineQuery(
  'end_generation',
  () => sql<{ bound: number }>`insert into analytics_generations as g (generation) values (1)
    on conflict (project_id, id) do update set generation = g.generation + 1 returning generation - 1 as bound`,
).single()
const claim = defineQuery(
  'claim_day',
  (v: { day: Day; now: Date; token: string; until: Date }) => sql<
    Omit<ClaimedDay, 'token' | 'bound'>
  >`update analytics_days set token = ${v.token}, lease_until = ${v.until}
    where day in (
      -- Whoever forgets a member holds its days: nobody who stores events waits for that behind this.
      select day from analytics_days
      where day = ${v.day}::date and due_at <= ${v.now} and (lease_until is null or lease_until <= ${v.now})
      for no key update skip locked
    )
    returning to_char(day, 'YYYY-MM-DD') as day, timezone, goals, rolled_generation as rolled`,
).first()

/**
 * Takes the day that has been due for longest, and ends the generation in which events are stored. Writers of the old
 * generation have committed when it gets the lock; later writers store in the next one.
 * @returns undefined where nothing is due, or somebody else was quicker
 */
export async function claimDay(ctx: Context, now: number): Promise<ClaimedDay | undefined> {
  const found = await findDueDay(ctx, { now: new Date(now) })
  if (found === undefined) return undefined
  const token = newUuid()
  lockGeneration(ctx)
  const { bound } = await endGeneration(ctx)
  const claimed = await claim(ctx, {
    day: found.day,
    now: new Date(now),
    token,
    until: new Date(now + LEASE_MS),
  })
  return claimed && { ...claimed, token, bound }
}

interface Finished {
  readonly day: Day
  readonly token: string
  readonly bound: number
  readonly timezone: string
  readonly goals: string
  readonly now: Date
  /** How long the day's next events wait. */
  readonly pace: string
}

/**
 * Says that the roll-ups of a day have everything up to the generation that the claim ended. Answers nothing where events
 * were taken away meanwhile, or the lease has ended.
 */
export const finishDay = defineQuery(
  'finish_day',
  (v: Finished) => sql<{ day: Day }>`update analytics_days
    set rolled_generation = ${v.bound}, token = null, lease_until = null, timezone = ${v.timezone}, goals = ${v.goals},
      rolled_at = ${v.now}, pace = ${v.pace}::interval,
      due_at = case when changed_generation > ${v.bound} then ${v.now}::timestamptz + ${v.pace}::interval end
    where day = ${v.day}::date and token = ${v.token} returning day`,
).first()
