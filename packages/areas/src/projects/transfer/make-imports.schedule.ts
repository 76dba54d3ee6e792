import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { openPool } from '#platform/db/pool.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import type { Objects } from '#platform/storage/objects.ts'
import type { Transferred } from './export-project.ts'
import { importProject } from './import-project.ts'
import { archiveFolder, archiveKey, PASSPHRASES } from './imports.ts'
import { EVERY_MS, type WorkParts, whyItFailed, withOwnerLogin, workerEnded } from './owner-worker.ts'
import { withArchive } from './with-archive.ts'
import { inWorkFolder } from './work-folder.ts'

/** One whose workers end each time would end all of them. */
const ATTEMPTS = 3
/** What the faults of an import are about, for whoever uploaded the archive. */
const NAMES = { from: 'the archive', passphrase: 'the passphrase' }

interface Due {
  readonly id: string
  readonly sealed_passphrase: Buffer
  readonly asked_by: string
  readonly ip: string | null
  readonly attempts: number
}

/**
 * Reads archives of whole projects that were uploaded in the console, one at a time in the installation. An import is all or nothing, so
 * that one whose worker is killed is begun anew.
 */
export const makeImports = defineSchedule({
  name: 'projects.make-imports',
  every: EVERY_MS,
  run: async (parts) => {
    if (!parts.deps.objects.isSetUp) return
    await failUnsent(parts)
    await withOwnerLogin(parts, 'imports', async (owner) => {
      for (let due = await next(parts); due && !parts.signal.aborted; due = await next(parts))
        await make(parts, owner, due)
    })
  },
})

async function next({ housekeeping }: WorkParts): Promise<Due | undefined> {
  const { rows } = await housekeeping.query<Due>(
    `update project_imports set state = 'running', attempts = attempts + 1
     where id = (select id from project_imports where state in ('queued', 'running') order by asked_at, id limit 1)
     returning id, sealed_passphrase, asked_by, host(ip) as ip, attempts`,
  )
  return rows[0]
}

async function make(parts: WorkParts, owner: Pool, due: Due): Promise<void> {
  const { housekeeping, deps, log } = parts
  const { config, objects } = deps
  const { id } = due
  const operators = openPool(config, { role: 'operator', size: 1, onError: () => undefined })
  try {
    if (due.attempts > ATTEMPTS) throw workerEnded()
    await deps.knowsKeys
    const passphrase = makeProjectBox(config, PASSPHRASES).open(due.sealed_passphrase, id)
    const by = { actorId: due.asked_by, ip: due.ip }
    const report = await inWorkFolder(async (place) => {
      const archive = join(place, 'archive.zip')
      await download(objects, archiveKey(id), archive)
      return withArchive(archive, (folder) =>
        importProject({ owner, operators, objects, secretKeys: config, by, passphrase, folder }),
      )
    })
    await end(housekeeping, id, { error: null, report })
    log.info({ project_id: report.id, ...report }, 'a project was imported')
  } catch (error) {
    log.error({ err: error, import_id: id }, 'a project could not be imported')
    await end(housekeeping, id, { error: whyItFailed(error, NAMES), report: null })
  } finally {
    await operators.end()
  }
  await objects
    .removeBelow(archiveFolder(id))
    .catch((error) =>
      log.warn({ err: error, import_id: id }, 'the archive of an import could not be removed'),
    )
}

async function download(objects: Pick<Objects, 'get'>, key: string, path: string): Promise<void> {
  const object = await objects.get(key)
  if (object === undefined) throw new Error('the archive is not there any more')
  await pipeline(object.body, createWriteStream(path))
}

const end = (
  housekeeping: WorkParts['housekeeping'],
  id: string,
  { error, report }: { readonly error: string | null; readonly report: Transferred | null },
) =>
  housekeeping.query(
    `update project_imports set state = $2, error = $3, report = $4, ended_at = now(), sealed_passphrase = null where id = $1`,
    [id, report === null ? 'failed' : 'done', error, report === null ? null : JSON.stringify(report)],
  )

/** Whoever did not send the archive in time begins again. */
async function failUnsent({ housekeeping, deps }: WorkParts): Promise<void> {
  const { rows } = await housekeeping.query<{ id: string }>(
    "select id from project_imports where state = 'uploading' and upload_until < now() limit 100",
  )
  for (const { id } of rows) {
    await deps.objects.removeBelow(archiveFolder(id))
    await end(housekeeping, id, { error: 'the archive was not uploaded within 24 hours', report: null })
  }
}
