import { setTimeout as sleep } from 'node:timers/promises'
import { invalidField } from '#platform/errors.ts'
import { inTransaction } from '../transaction.ts'
import type { Move } from './move.ts'

const POLL_MS = 50
/** A rest is made longer while it is waited for. */
const REST = '15 seconds'
/** Whoever writes is waited for. */
const WRITERS_MS = 2_000

/** What still runs did not end in time. */
export class StillRunning extends Error {
  override name = 'StillRunning'
}

/** The hold ended before the move was done. */
export class HoldIsOver extends Error {
  override name = 'HoldIsOver'
}

/** Jobs and deliveries that a worker holds. */
const RUNNING = `
  select 'job ' || name as what from jobs where project_id = any ($1) and state = 'running' and due_at > now()
  union all
  select 'delivery of ' || event_type from webhook_deliveries where project_id = any ($1) and lease_until > now()`

/** From now on no job and no delivery begins; those that run are waited for. @throws StillRunning */
export async function restProject(move: Move): Promise<void> {
  const { source, sides, row, limits } = move
  const giveUpAt = performance.now() + limits.restMs
  for (;;) {
    await source.owner.query(
      `insert into moving_projects (id, move_id, rests_until)
       select id, $2, clock_timestamp() + interval '${REST}' from unnest($1::uuid[]) as id
       on conflict (id) do update set move_id = excluded.move_id, rests_until = excluded.rests_until`,
      [sides, row.id],
    )
    const running = await whatRuns(move)
    if (running.length === 0) return
    if (performance.now() > giveUpAt)
      throw new StillRunning(
        `after ${limits.restMs / 1_000} s these still run: ${running.slice(0, 10).join(', ')}`,
      )
    await sleep(POLL_MS)
  }
}

/** What runs at this moment. */
export async function whatRuns({ source, sides }: Move): Promise<string[]> {
  const { rows } = await source.owner.query<{ what: string }>(RUNNING, [sides])
  return rows.map(({ what }) => what)
}

const LOCK = `select pg_advisory_xact_lock(hashtextextended('move of ' || $1, 0))`

/**
 * Holds all writes. It waits for transactions that have written; from its end on the database refuses every later one, in whatever
 * process. The hold ends by itself.
 * @param milliseconds for which it holds
 * @returns until when, as PostgreSQL says it
 */
export async function holdWrites(
  { source, sides }: Pick<Move, 'source' | 'sides'>,
  milliseconds: number,
): Promise<string> {
  return inTransaction(source.owner, async (client) => {
    await client.query(`set local lock_timeout = ${WRITERS_MS}`)
    await client.query(LOCK, [sides[0]])
    const { rows } = await client.query<{ until: string }>(
      `update moving_projects set held_until = statement_timestamp() + $2 * interval '1 millisecond',
         rests_until = greatest(rests_until, statement_timestamp() + $2 * interval '1 millisecond')
       where id = any ($1) returning held_until::text as until`,
      [sides, milliseconds],
    )
    return String(rows[0]?.until)
  })
}

/**
 * Makes a hold longer that has not ended. Its lock lets no writer in between the look at the clock and the commit.
 * @returns until when, as PostgreSQL says it
 * @throws HoldIsOver
 */
export async function renewHold(
  { source, sides }: Pick<Move, 'source' | 'sides'>,
  milliseconds: number,
): Promise<string> {
  return inTransaction(source.owner, async (client) => {
    await client.query(`set local lock_timeout = ${WRITERS_MS}`)
    await client.query(LOCK, [sides[0]])
    const { rows } = await client.query<{ until: string }>(
      `update moving_projects set held_until = statement_timestamp() + $2 * interval '1 millisecond',
         rests_until = greatest(rests_until, statement_timestamp() + $2 * interval '1 millisecond')
       where id = any ($1) and held_until > clock_timestamp() returning held_until::text as until`,
      [sides, milliseconds],
    )
    if (rows.length !== sides.length) throw new HoldIsOver('it ended before it was made longer')
    return String(rows[0]?.until)
  })
}

/** Ends the rest and the hold. */
export async function release({ source, sides }: Pick<Move, 'source' | 'sides'>): Promise<void> {
  await source.owner.query('delete from moving_projects where id = any ($1)', [sides])
}

/**
 * From here on the project lives in the other cell, whoever is killed: the fence stays for as long as this says so.
 * @param until of the hold, which must not have ended meanwhile
 * @throws HoldIsOver; ApiError 422 where the project was deleted meanwhile
 */
export async function fenceSource({ source, sides, row }: Move, until: string): Promise<void> {
  await inTransaction(source.owner, async (client) => {
    await client.query(LOCK, [sides[0]])
    const { rowCount } = await client.query(
      'select from moving_projects where id = $1 and held_until = $2::timestamptz and held_until > clock_timestamp()',
      [sides[0], until],
    )
    if (rowCount === 0) throw new HoldIsOver('it took longer than a project may be held')
    const { rowCount: live } = await client.query(
      'select from projects where id = $1 and deleted_at is null',
      [sides[0]],
    )
    // Its removal would go on here, and the copy would never be removed.
    if (live === 0) throw invalidField('id', 'state', 'was deleted meanwhile: restore it, and move it then')
    await client.query(
      `insert into project_locations (id, cell) select id, $2 from unnest($1::uuid[]) as id
       on conflict (id) do update set cell = excluded.cell, since = now()`,
      [sides, row.cell],
    )
    await client.query("update project_moves set switched_at = now(), step = 'switched' where id = $1", [
      row.id,
    ])
  })
}
