import { IS_HELD } from '../../db/resting.ts'
import type { Context } from '../../db/tenant.ts'
import { toId } from '../../ids.ts'
import { inSpan } from '../../telemetry/trace-context.ts'
import type { AreaWorkerDeps, WorkerDeps } from '../../worker-deps.ts'
import type { Queues } from '../queues/queues.ts'
import type { Schedule, ScheduleRun } from './define-schedule.ts'

/** The name of a schedule's runs in the queue. */
export const SCHEDULE = 'schedule'

const PROJECTS_PER_PAGE = 1_000
/** A run that is late by this much was lost together with the queue's data. */
const OVERDUE_MS = 60_000

interface Parts {
  readonly deps: WorkerDeps
  /** What schedules of areas are given. */
  readonly areaDeps: AreaWorkerDeps
  readonly schedules: readonly Schedule[]
  readonly queues: Queues
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal
}

/** Has each schedule run by the clock, once per cluster: BullMQ's job schedulers hold the times. */
export class Scheduler {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Makes the times that are missing: of new schedules, and of all after Redis was emptied. Times of schedules that are
   * gone stay, and their runs do nothing: another release may still know them.
   * @param changed whether to put right also those that are there but differ; asked for once, when a process starts, so
   *   that two releases do not correct each other for as long as both run
   */
  async ensure({ changed }: { changed: boolean }): Promise<void> {
    const { schedules, queues } = this.#parts
    const queue = queues.of('schedule')
    for (const { name, every } of schedules) {
      const known = await queue.getJobScheduler(name)
      const same = typeof every === 'number' ? known?.every === every : known?.pattern === every
      const alive = (known?.next ?? 0) > Date.now() - OVERDUE_MS
      if (alive && (same || !changed)) continue
      // BullMQ keeps the offset of the first interval: a run that starts late would set the next one by it, up to an old
      // interval away.
      if (known !== undefined && !same) await queue.removeJobScheduler(name)
      const repeat = typeof every === 'number' ? { every } : { pattern: every, tz: 'UTC' }
      await queue.upsertJobScheduler(name, repeat, { name: SCHEDULE, data: { projectId: '', key: name } })
    }
  }

  /** Runs a schedule now. One that this release does not know is left alone. */
  async run(name: string): Promise<void> {
    const { deps, areaDeps, schedules, stopping } = this.#parts
    const schedule = schedules.find((each) => each.name === name)
    if (schedule === undefined || (await this.#isHeld())) return
    const log = deps.log.child({ schedule: name })
    const started = performance.now()
    try {
      const run: ScheduleRun = {
        signal: stopping,
        deps: areaDeps,
        housekeeping: deps.housekeeping,
        auditing: deps.auditing,
        log,
        inEachProject: (work) => this.#inEachProject(name, log, work),
      }
      await inSpan(null, name, {}, () => schedule.run(run))
      deps.metrics.attempts.inc({ work: name, outcome: 'done' })
      log.info({ ms: performance.now() - started }, 'schedule done')
    } catch (error) {
      deps.metrics.attempts.inc({ work: name, outcome: 'failed' })
      log.error({ err: error }, 'schedule failed; it runs again at its next time')
    }
  }

  /** A restored copy does nothing by the clock: some schedules remove files, which may be those of the original. */
  async #isHeld(): Promise<boolean> {
    const { rows } = await this.#parts.deps.housekeeping.query<{ held: boolean }>(`select ${IS_HELD} as held`)
    return rows[0]?.held === true
  }

  async #inEachProject(
    name: string,
    log: WorkerDeps['log'],
    work: (ctx: Context) => PromiseLike<unknown>,
  ): Promise<void> {
    const { deps, areaDeps, stopping } = this.#parts
    let last: readonly string[] = []
    for (;;) {
      const { rows } = await deps.housekeeping.query<{ id: string }>(
        `select id from projects where suspended_at is null and deleted_at is null
           ${last.length === 0 ? '' : 'and id > $2'} order by id limit $1`,
        [PROJECTS_PER_PAGE, ...last],
      )
      for (const { id } of rows) {
        if (stopping.aborted) return
        try {
          await areaDeps.asSystem(id, name).write(work)
        } catch (error) {
          log.error({ err: error, project_id: toId('project', id) }, 'a schedule failed in a project')
        }
      }
      const end = rows.at(-1)
      if (end === undefined) return
      last = [end.id]
    }
  }
}
