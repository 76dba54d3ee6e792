import type { Pool, PoolClient } from 'pg'
import { invalidField, notFound } from '#platform/errors.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import type { By } from '../acts.ts'
import { inTransaction } from '../transaction.ts'
import { shapesOf } from '../transfer/tables.ts'
import { assertNotThere, faultsOfMove, methodOfMove, pauseOfCopy, warningsOfMove } from './checks.ts'
import type { Installation } from './installation.ts'
import { findMove, type Move, type MoveLimits, type MoveMethod, type MoveRow } from './move.ts'
import { type MoveReport, runMove, takeBack } from './move-project.ts'

export interface MoveParts {
  readonly source: Installation
  readonly target: Installation
  /** The other cell, as it is called here. */
  readonly cell: string
  /** This installation, as it is called there. */
  readonly as: string
  readonly limits: MoveLimits
  /** Who moves it. */
  readonly by: By
  readonly say: (line: string) => void
}

/** What a move would do. */
export interface MovePlan {
  readonly id: string
  readonly to: string
  readonly method: MoveMethod
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
  readonly tables: number
  readonly files: number
  readonly bytes: number
}

/** What stands in the way of a move, and how much there is to copy. It changes nothing. @throws ApiError 404 */
export async function planMove(parts: MoveParts, id: string): Promise<MovePlan> {
  const { source, target, cell } = parts
  const { sides } = await findSides(source.owner, id)
  const faults = await faultsOfMove(source, target, sides, parts)
  const shapes = await withClient(source.owner, shapesOf)
  const { method, warnings } = await announce(parts, sides)
  let [files, bytes] = [0, 0]
  if (source.objects.isSetUp)
    for (const side of sides) {
      const found = await source.objects.measure(`${side}/`)
      files += found.objects
      bytes += found.bytes
    }
  return {
    id,
    to: cell,
    method,
    faults,
    warnings,
    tables: shapes.length + 1,
    files,
    bytes,
  }
}

/**
 * Moves a project to another cell. A move that was killed goes on, or is taken back where it cannot: whoever calls it again needs not know
 * how far it came.
 * @throws ApiError 404; 422 with what stands in the way
 */
export async function moveProject(parts: MoveParts, id: string): Promise<MoveReport> {
  return withMove(parts, id, runMove)
}

/** Takes a move back that has not switched yet. @throws ApiError 404; 422 once the project lives in the other cell */
export async function abortMove(
  parts: MoveParts,
  id: string,
): Promise<{ readonly id: string; readonly outcome: string }> {
  const { liveId } = await findSides(parts.source.owner, id)
  if ((await findMove(parts.source.owner, liveId, 'out')) === undefined) throw notFound('Move under way')
  return withMove(parts, id, async (move) => {
    if (move.row.switched_at !== null)
      throw invalidField(
        'abort',
        'state',
        'comes too late: the project lives in the other cell. Run the move again to end it',
      )
    await takeBack(move)
    return { id, outcome: 'taken back' }
  })
}

/** One command at a time moves a project: the lock ends with the connection of whoever is killed. */
async function withMove<T>(parts: MoveParts, id: string, work: (move: Move) => Promise<T>): Promise<T> {
  const { source, target, limits, by, say } = parts
  const { sides, liveId, name } = await findSides(source.owner, id)
  const locking = await source.owner.connect()
  try {
    const { rows } = await locking.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('mover of ' || $1, 0)) as mine`,
      [liveId],
    )
    if (rows[0]?.mine !== true) throw invalidField('id', 'state', 'is being moved by another command')
    const row = (await findMove(source.owner, liveId, 'out')) ?? (await begin(parts, sides, name))
    if (row.cell !== parts.cell)
      throw invalidField('to', 'state', `must be ${row.cell}: a move to there is under way`)
    await arriveHere(parts, row)
    return await work({
      ...{ source, target, row, sides, limits, by, say },
      shapes: await withClient(source.owner, shapesOf),
      method: await methodOfMove(source),
      replication: `guildhall_move_${liveId.replaceAll('-', '')}`,
    })
  } finally {
    locking.release(true)
  }
}

/** How a project would move, and what is to be known of it. */
async function announce({ source, target }: MoveParts, sides: readonly string[]) {
  const method = await methodOfMove(source)
  const pause = method === 'copy' ? await pauseOfCopy(source, sides) : undefined
  return { method, warnings: warningsOfMove(source, target, pause) }
}

/** @throws ApiError 422 with what stands in the way */
async function begin(parts: MoveParts, sides: readonly [string, string], name: string): Promise<MoveRow> {
  const { source, target, cell, say } = parts
  const [fault] = await faultsOfMove(source, target, sides, parts)
  if (fault !== undefined) throw invalidField('to', 'ready', fault)
  await assertNotThere(target, sides)
  for (const warning of (await announce(parts, sides)).warnings) say(warning)
  await source.owner.query(
    `insert into project_moves (id, live_id, test_id, name, direction, cell, step) values ($1, $2, $3, $4, 'out', $5, 'begun')`,
    [newUuid(), ...sides, name, cell],
  )
  const row = await findMove(source.owner, sides[0], 'out')
  if (row === undefined) throw new Error('a move that was just begun is not there')
  return row
}

/** Before the first row is there: the project lives elsewhere, so that nothing of it is done. */
async function arriveHere({ target, as }: MoveParts, row: MoveRow): Promise<void> {
  if (row.switched_at !== null) return
  await inTransaction(target.owner, async (client) => {
    const known = await client.query('select from project_moves where id = $1 and ended_at is null', [row.id])
    if (known.rowCount) return
    const { live_id, test_id, name } = row
    // What was removed here once is not looked for again: it would be what comes now.
    await client.query('delete from project_removals where live_id = $1 and removed_at is not null', [
      live_id,
    ])
    await client.query(
      `insert into project_moves (id, live_id, test_id, name, direction, cell, step) values ($1, $2, $3, $4, 'in', $5, 'begun')
       on conflict (id) do update set ended_at = null, outcome = null, unfenced_at = null`,
      [row.id, live_id, test_id, name, as],
    )
    await client.query(
      `insert into project_locations (id, cell) select id, $2 from unnest($1::uuid[]) as id
       on conflict (id) do update set cell = excluded.cell, since = now()`,
      [[live_id, test_id], as],
    )
  })
}

/** The two sides of a project, live first. @throws ApiError 404 */
async function findSides(owner: Pool, id: string) {
  const { rows } = await owner.query<{ id: string; name: string }>(
    'select id, name from projects where live_id = $1 and deleted_at is null order by environment',
    [parseId('project', id) ?? null],
  )
  const [live, test] = rows
  if (live === undefined || test === undefined) throw notFound('Project')
  return {
    liveId: live.id,
    name: live.name,
    sides: [live.id, test.id] as const satisfies readonly [string, string],
  }
}

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}
