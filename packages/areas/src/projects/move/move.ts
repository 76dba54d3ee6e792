import type { Pool } from 'pg'
import type { By } from '../acts.ts'
import type { Shape } from '../transfer/tables.ts'
import type { Installation } from './installation.ts'

/** A row of project_moves. */
export interface MoveRow {
  readonly id: string
  readonly live_id: string
  readonly test_id: string
  readonly name: string
  readonly cell: string
  readonly step: string
  readonly switched_at: string | null
}

/** A move that is under way. */
export interface Move {
  readonly source: Installation
  readonly target: Installation
  readonly row: MoveRow
  /** Both sides, live first. */
  readonly sides: readonly [string, string]
  readonly shapes: readonly Shape[]
  /** Publication, slot and subscription have one name. */
  readonly replication: string
  readonly method: MoveMethod
  readonly limits: MoveLimits
  /** Who moves it. */
  readonly by: By
  /** Prints what is being done. */
  readonly say: (line: string) => void
}

/** `replication` copies while the project is written; `copy` copies its rows while writes are held. */
export type MoveMethod = 'replication' | 'copy'

/** Milliseconds. */
export interface MoveLimits {
  /** For which nothing may be written at the most, where rows are replicated. */
  readonly holdMs: number
  /** The same where rows are copied in the hold. */
  readonly pauseMs: number
  /** For which running jobs and deliveries are waited for. */
  readonly restMs: number
  /** Behind which writes the target may be when the hold begins. */
  readonly lagMs: number
}

export const DEFAULT_LIMITS: MoveLimits = { holdMs: 5_000, pauseMs: 3_600_000, restMs: 60_000, lagMs: 500 }

const ROW = 'id, live_id, test_id, name, cell, step, switched_at'

/** The move of a project that is under way. */
export async function findMove(
  pool: Pick<Pool, 'query'>,
  liveId: string,
  direction: 'out' | 'in',
): Promise<MoveRow | undefined> {
  const { rows } = await pool.query<MoveRow>(
    `select ${ROW} from project_moves where live_id = $1 and direction = $2 and ended_at is null`,
    [liveId, direction],
  )
  return rows[0]
}

/** Notes that a step is done, for whoever goes on. */
export async function noteStep({ source, row }: Move, step: string): Promise<void> {
  await source.owner.query('update project_moves set step = $2 where id = $1', [row.id, step])
}
