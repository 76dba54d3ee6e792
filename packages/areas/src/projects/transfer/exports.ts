import type { Pool } from 'pg'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { type By, noteAct } from '../acts.ts'
import { exportsUnavailable, exportUnderWay } from '../errors.ts'
import { projectExportId } from '../ids.ts'
import { inTransaction } from '../transaction.ts'
import type { Transferred } from './export-project.ts'
import { findOwnerWorker } from './owner-worker.ts'

/** Seals passphrases until their exports have been made. */
export const PASSPHRASES = 'passphrases of exports'
/** For which a link to an archive works, in seconds. */
const LINK_SECONDS = 3_600
/** Exports that a list shows. */
const LISTED = 50

/** An export of a whole project, as it is shown. */
export interface ProjectExport {
  readonly id: string
  readonly state: 'queued' | 'running' | 'done' | 'failed'
  readonly asked_by: string
  readonly asked_at: string
  readonly ended_at: string | null
  readonly error: string | null
  readonly report: Omit<Transferred, 'id'> | null
  readonly expires_at: string | null
  readonly url: string | null
}

interface Parts {
  /** Logs in as guildhall_operator. */
  readonly operators: Pool
  readonly objects: Pick<Objects, 'isSetUp' | 'signedGet'>
  readonly config: SecretKeys
}

/** Where the archive of an export is. @param id the stored id */
export const archiveFolder = (id: string): string => `project-exports/${id}/`
export const archiveKey = (id: string): string => `${archiveFolder(id)}archive.zip`

const ROW = 'id, name, state, asked_by, asked_at, ended_at, error, report, expires_at'

/**
 * Asks for an export of a project. A worker makes it.
 * @param projectId the public id
 * @param passphrase under which secrets are sealed in the archive
 * @throws ApiError 503 where no worker can make it; 409 while another one of the project is made
 */
export async function requestExport(
  { operators, objects, config }: Parts,
  projectId: string,
  by: By & { readonly actorId: string },
  passphrase: string,
): Promise<ProjectExport> {
  const worker = await findOwnerWorker(operators)
  if (!objects.isSetUp || worker === undefined) throw exportsUnavailable()
  const liveId = parseId('project', projectId) ?? ''
  const id = newUuid()
  const sealed = makeProjectBox(config, PASSPHRASES).seal(passphrase, id, liveId)
  return inTransaction(operators, async (client) => {
    const { rows } = await client.query<Row>(
      `insert into project_exports (id, live_id, name, sealed_passphrase, asked_by, ip)
       select $1, id, name, $3, $4, $5 from projects where id = $2
       on conflict (live_id) where ended_at is null do nothing returning ${ROW}`,
      [id, liveId, sealed, by.actorId, by.ip],
    )
    const [row] = rows
    if (row === undefined) throw exportUnderWay()
    await noteAct(client, by, {
      ...{ liveId, name: row.name, action: 'project.export' },
      after: { export_id: toId(projectExportId, id), state: 'queued' },
    })
    return shown(row, null)
  })
}

/** The exports of a project, the newest first, with links to the archives that are there. */
export async function listExports(
  { operators, objects }: Parts,
  projectId: string,
): Promise<ProjectExport[]> {
  const { rows } = await operators.query<Row>(
    `select ${ROW} from project_exports where live_id = $1 order by asked_at desc, id desc limit ${LISTED}`,
    [parseId('project', projectId)],
  )
  return Promise.all(
    rows.map(async (row) => {
      const isThere =
        row.state === 'done' && row.expires_at !== null && Date.parse(row.expires_at) > Date.now()
      return shown(row, isThere && objects.isSetUp ? await linkTo(objects, row) : null)
    }),
  )
}

interface Row extends Omit<ProjectExport, 'url' | 'report'> {
  readonly name: string
  readonly report: Transferred | null
}

const linkTo = (objects: Parts['objects'], { id, asked_at }: Row) =>
  objects.signedGet(archiveKey(id), {
    type: 'application/zip',
    disposition: `attachment; filename="project-${new Date(asked_at).toISOString().slice(0, 10)}.zip"`,
    seconds: LINK_SECONDS,
  })

function shown({ id, name: _, report, ...row }: Row, url: string | null): ProjectExport {
  if (report === null) return { ...row, id: toId(projectExportId, id), report, url }
  const { id: __, ...counts } = report
  return { ...row, id: toId(projectExportId, id), report: counts, url }
}
