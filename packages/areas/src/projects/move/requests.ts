import type { Pool } from 'pg'
import { invalidField } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { type By, noteAct } from '../acts.ts'
import { movesUnavailable, moveUnderWay } from '../errors.ts'
import { requestedMoveId } from '../ids.ts'
import { inTransaction } from '../transaction.ts'
import { findOwnerWorker } from '../transfer/owner-worker.ts'

/** Moves that a list shows. */
const LISTED = 50

/** What stands in the way of a move, and how much there is to copy. */
export interface PlanOfMove {
  readonly method: 'replication' | 'copy'
  readonly faults: string[]
  readonly warnings: string[]
  readonly tables: number
  readonly files: number
  readonly bytes: number
}

/** What a move has done. */
export interface ReportOfMove {
  readonly method: 'replication' | 'copy'
  /** Milliseconds for which nothing could be written. */
  readonly hold_ms: number
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly bytes: number
}

/** A move to another cell that was asked for in the console, as it is shown. */
export interface RequestedMove {
  readonly id: string
  readonly to: string
  readonly dry_run: boolean
  readonly state: 'queued' | 'running' | 'done' | 'failed'
  readonly asked_by: string
  readonly asked_at: string
  readonly ended_at: string | null
  readonly error: string | null
  readonly plan: PlanOfMove | null
  readonly report: ReportOfMove | null
}

/** Another cell, and whether a worker has what it needs to move projects there. */
export interface CellForMoves {
  readonly name: string
  readonly url: string
  readonly is_ready: boolean
}

type Row = Omit<RequestedMove, 'plan' | 'report'> & { readonly report: (PlanOfMove & ReportOfMove) | null }

const ROW = 'id, cell as to, dry_run, state, asked_by, asked_at, ended_at, error, report'

/**
 * Asks for a move of a project to another cell, or only for what it would do. A worker does it.
 * @param projectId the public id
 * @throws ApiError 503 where no worker can move projects; 422 for a cell that it has no environment of; 409 while another move is under way
 */
export async function requestMove(
  operators: Pool,
  projectId: string,
  { to, dryRun }: { readonly to: string; readonly dryRun: boolean },
  by: By & { readonly actorId: string },
): Promise<RequestedMove> {
  const worker = await findOwnerWorker(operators)
  if (worker === undefined || worker.cells.length === 0) throw movesUnavailable()
  if (!worker.cells.includes(to))
    throw invalidField(
      'to',
      'enum',
      `must be a cell whose environment the workers have in CELL_ENVIRONMENTS: ${worker.cells.join(', ')}`,
    )
  const liveId = parseId('project', projectId) ?? ''
  return inTransaction(operators, async (client) => {
    const { rows } = await client.query<Row & { name: string }>(
      `insert into requested_moves (id, live_id, name, cell, dry_run, asked_by, ip)
       select $1, id, name, $3, $4, $5, $6 from projects where id = $2
       on conflict (live_id) where ended_at is null do nothing returning ${ROW}, name`,
      [newUuid(), liveId, to, dryRun, by.actorId, by.ip],
    )
    const [row] = rows
    if (row === undefined) throw moveUnderWay()
    const { name, ...move } = row
    if (!dryRun)
      await noteAct(client, by, {
        ...{ liveId, name, action: 'project.move' },
        after: { move_id: toId(requestedMoveId, row.id), cell: to, state: 'queued' },
      })
    return shown(move)
  })
}

/** The moves of a project that were asked for, the newest first. @param projectId the public id */
export async function listMoves(operators: Pool, projectId: string): Promise<RequestedMove[]> {
  const { rows } = await operators.query<Row>(
    `select ${ROW} from requested_moves where live_id = $1 order by asked_at desc, id desc limit ${LISTED}`,
    [parseId('project', projectId)],
  )
  return rows.map(shown)
}

/** The other cells, by name. */
export async function cellsForMoves(operators: Pool): Promise<CellForMoves[]> {
  const worker = await findOwnerWorker(operators)
  const { rows } = await operators.query<CellForMoves>(
    'select name, url, name = any ($1) as is_ready from cells order by name',
    [worker?.cells ?? []],
  )
  return rows
}

function shown({ report, ...row }: Row): RequestedMove {
  const shared = { ...row, id: toId(requestedMoveId, row.id) }
  if (report === null) return { ...shared, plan: null, report: null }
  const { method, tables, files, bytes } = report
  if (row.dry_run) {
    const { faults, warnings } = report
    return { ...shared, plan: { method, faults, warnings, tables, files, bytes }, report: null }
  }
  const { hold_ms, rows } = report
  return { ...shared, plan: null, report: { method, hold_ms, tables, rows, files, bytes } }
}
