import type { Pool } from 'pg'
import { openPool } from '#platform/db/pool.ts'
import { toId } from '#platform/ids.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { exportProject } from './export-project.ts'
import { archiveFolder, archiveKey, PASSPHRASES } from './exports.ts'
import { EVERY_MS, type WorkParts, whyItFailed, withOwnerLogin, workerEnded } from './owner-worker.ts'
import { inWorkFolder } from './work-folder.ts'
import { zipFolder } from './zip-folder.ts'

/** One whose workers end each time would end all of them. */
const ATTEMPTS = 3
/** For which an archive is kept. */
const KEPT = '7 days'

interface Due {
  readonly id: string
  readonly live_id: string
  readonly sealed_passphrase: Buffer
  readonly asked_by: string
  readonly ip: string | null
  readonly attempts: number
}

/**
 * Makes exports of whole projects that were asked for in the console, one at a time in the installation. A worker that is killed leaves its
 * export to the next run, which begins it anew.
 */
export const makeExports = defineSchedule({
  name: 'projects.make-exports',
  every: EVERY_MS,
  run: async (parts) => {
    if (!parts.deps.objects.isSetUp) return
    await removeExpired(parts)
    await withOwnerLogin(parts, 'exports', async (owner) => {
      for (let due = await next(parts); due && !parts.signal.aborted; due = await next(parts))
        await make(parts, owner, due)
    })
  },
})

async function next({ housekeeping }: WorkParts): Promise<Due | undefined> {
  const { rows } = await housekeeping.query<Due>(
    `update project_exports set state = 'running', attempts = attempts + 1
     where id = (select id from project_exports where ended_at is null order by asked_at, id limit 1)
     returning id, live_id, sealed_passphrase, asked_by, host(ip) as ip, attempts`,
  )
  return rows[0]
}

async function make({ housekeeping, deps, log }: WorkParts, owner: Pool, due: Due): Promise<void> {
  const { config, objects } = deps
  const { id, live_id } = due
  const project_id = toId('project', live_id)
  const operators = openPool(config, { role: 'operator', size: 1, onError: () => undefined })
  try {
    if (due.attempts > ATTEMPTS) throw workerEnded()
    await deps.knowsKeys
    const passphrase = makeProjectBox(config, PASSPHRASES).open(due.sealed_passphrase, id)
    const by = { actorId: due.asked_by, ip: due.ip }
    const report = await inWorkFolder(async (folder) => {
      const parts = { owner, operators, objects, secretKeys: config, by, passphrase, folder }
      const exported = await exportProject(parts, project_id)
      await objects.put(archiveKey(id), await zipFolder(folder))
      return exported
    })
    await end(housekeeping, id, { state: 'done', error: null, report })
    log.info({ project_id, ...report }, 'a project was exported')
  } catch (error) {
    log.error({ err: error, project_id }, 'a project could not be exported')
    await objects.removeBelow(archiveFolder(id)).catch(() => undefined)
    await end(housekeeping, id, { state: 'failed', error: whyItFailed(error), report: null })
  } finally {
    await operators.end()
  }
}

interface Ended {
  readonly state: 'done' | 'failed'
  readonly error: string | null
  readonly report: object | null
}

const end = (housekeeping: WorkParts['housekeeping'], id: string, { state, error, report }: Ended) =>
  housekeeping.query(
    `update project_exports set state = $2, error = $3, report = $4, ended_at = now(), sealed_passphrase = null,
       expires_at = case when $2 = 'done' then now() + interval '${KEPT}' end
     where id = $1`,
    [id, state, error, report === null ? null : JSON.stringify(report)],
  )

/** The row stays: it tells who exported what. */
async function removeExpired({ housekeeping, deps }: WorkParts): Promise<void> {
  const { rows } = await housekeeping.query<{ id: string }>(
    `select id from project_exports where expires_at < now() and report->'removed' is null limit 100`,
  )
  for (const { id } of rows) {
    await deps.objects.removeBelow(archiveFolder(id))
    await housekeeping.query(
      `update project_exports set report = report || '{"removed": true}' where id = $1`,
      [id],
    )
  }
}
