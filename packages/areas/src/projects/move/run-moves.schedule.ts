import { toId } from '#platform/ids.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import {
  EVERY_MS,
  type WorkParts,
  whyItFailed,
  withOwnerLogin,
  workerEnded,
} from '../transfer/owner-worker.ts'
import { type MovePlan, moveProject, planMove } from './begin.ts'
import { readCellEnvironment } from './cell-environments.ts'
import { openInstallation } from './installation.ts'
import { DEFAULT_LIMITS } from './move.ts'
import type { MoveReport } from './move-project.ts'

/** A move that was killed goes on from where it was, so that it may be killed more often than what is begun anew. */
const ATTEMPTS = 10
/** What the faults of a move are about. */
const NAMES = {
  here: 'this installation',
  target_environment: 'the other cell',
  to: 'the other cell',
  id: 'the project',
}

interface Due {
  readonly id: string
  readonly live_id: string
  readonly cell: string
  readonly dry_run: boolean
  readonly asked_by: string
  readonly ip: string | null
  readonly attempts: number
}

/**
 * Moves projects to other cells as administrators have asked for in the console, one at a time in the installation. One whose worker is
 * killed goes on in the next run.
 */
export const runMoves = defineSchedule({
  name: 'projects.run-moves',
  every: EVERY_MS,
  run: (parts) =>
    withOwnerLogin(parts, 'moves', async () => {
      for (let due = await next(parts); due && !parts.signal.aborted; due = await next(parts))
        await move(parts, due)
    }),
})

async function next({ housekeeping }: WorkParts): Promise<Due | undefined> {
  const { rows } = await housekeeping.query<Due>(
    `update requested_moves set state = 'running', attempts = attempts + 1
     where id = (select id from requested_moves where ended_at is null order by asked_at, id limit 1)
     returning id, live_id, cell, dry_run, asked_by, host(ip) as ip, attempts`,
  )
  return rows[0]
}

async function move({ housekeeping, deps, log }: WorkParts, due: Due): Promise<void> {
  const project_id = toId('project', due.live_id)
  const told = { project_id, cell: due.cell, dry_run: due.dry_run }
  const end = (state: 'done' | 'failed', error: string | null, report: object | null) =>
    housekeeping.query(
      'update requested_moves set state = $2, error = $3, report = $4, ended_at = now() where id = $1',
      [due.id, state, error, report === null ? null : JSON.stringify(report)],
    )
  try {
    if (due.attempts > ATTEMPTS) throw workerEnded()
    const report = await withInstallations(
      deps.config,
      due,
      async (parts): Promise<MovePlan | MoveReport> => {
        const all = { ...parts, say: (line: string) => log.info(told, line) }
        return due.dry_run ? planMove(all, project_id) : moveProject(all, project_id)
      },
    )
    await end('done', null, report)
    log.info({ ...told, ...report }, 'a move has ended')
  } catch (error) {
    log.error({ err: error, ...told }, 'a project could not be moved')
    await end('failed', whyItFailed(error, NAMES), null)
  }
}

type Parts = Omit<Parameters<typeof moveProject>[0], 'say'>

async function withInstallations<T>(
  config: WorkParts['deps']['config'],
  { cell, asked_by, ip }: Due,
  work: (parts: Parts) => Promise<T>,
): Promise<T> {
  const { CELL_NAME: as } = config
  if (as === undefined) throw new Error('CELL_NAME is not set: the other cell calls this installation by it')
  const there = await readCellEnvironment(config, cell)
  const source = await openInstallation(config, 'here')
  try {
    const target = await openInstallation(there, 'target_environment')
    try {
      const by = { actorId: asked_by, ip }
      return await work({ source, target, cell, as, by, limits: DEFAULT_LIMITS })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
