import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expireExports } from '#areas/exports/expire-exports.schedule.ts'
import { removeExportObjects } from '#areas/exports/remove-objects.job.ts'
import { exportSubmissions } from '#areas/forms/exports/export-submissions.job.ts'
import { exportList } from '#areas/list-exports/export-list.job.ts'
import type { Config } from '#platform/config.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '../api.ts'
import { runSchedule } from '../areas/run-schedule.ts'
import { compileCache } from '../compile-cache.ts'
import { makeProjects, type Side } from '../factories.ts'
import { startS3, type TestS3 } from '../servers/s3.ts'

const WORKER = fileURLToPath(new URL('../../../../apps/worker/src/main.ts', import.meta.url))

/** The API with a storage, two projects in it, and workers for exports. */
export interface ExportEnvironment {
  readonly s3: TestS3
  readonly api: TestApi
  readonly side: Side
  readonly other: Side
  /** Starts a worker in this process that makes and removes exports; stopped at the end at the latest. */
  work(): { stop(): Promise<void> }
  /** Starts a worker as a process of its own, which can be killed. */
  spawnWorker(): { kill(): Promise<void> }
  /** What happens by the clock, now. */
  expire(): Promise<void>
  close(): Promise<void>
}

export async function openExports(): Promise<ExportEnvironment> {
  const s3 = await startS3()
  const api = await startApi({ environment: { ...s3.environment } })
  const [one, two] = await makeProjects(api)
  const environment = {
    ...s3.environment,
    DATABASE_URL: api.database.url,
    SECRET_KEY: api.database.secretKey,
    BASE_URL: api.config.BASE_URL,
    LOG_LEVEL: 'silent',
    LEASE_MS: '1500',
    SWEEP_MS: '200',
  }
  // Nobody is to take over from a worker of this process, however slow the machine.
  const config = parseConfig({ ...environment, LEASE_MS: '10000' })
  const closing: (() => Promise<void>)[] = []

  return {
    s3,
    api,
    side: one.live,
    other: two.live,
    work: () => {
      const worker = workOnExports(config)
      closing.push(worker.stop)
      return worker
    },
    spawnWorker: () => {
      const child = spawn(process.execPath, [WORKER, '--lanes', 'exports'], {
        env: { ...compileCache, ...environment },
        stdio: 'ignore',
      })
      const kill = () => endNow(child)
      closing.push(kill)
      return { kill }
    },
    expire: () => runSchedule(expireExports, config),
    close: async () => {
      for (const stop of closing) await stop()
      await api.close()
      await s3.close()
    },
  }
}

/** Starts a worker in this process that makes and removes exports. */
export function workOnExports(config: Config): { stop(): Promise<void> } {
  const deps = makeWorkerDeps(config)
  const jobs = [exportSubmissions, exportList, removeExportObjects]
  const background = { jobs, schedules: [], consumers: [], fanOuts: [], sweeps: [] }
  const worker = startWorker({ deps, background, lanes: ['exports', 'files'], finishMs: 2_000 })
  let stopped: Promise<void> | undefined
  return {
    stop: () => {
      stopped ??= worker.stop().then(() => deps.close())
      return stopped
    },
  }
}

async function endNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
