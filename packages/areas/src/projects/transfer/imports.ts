import type { Pool } from 'pg'
import { notFound } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { INSTALLATION } from '#platform/secrets/sealing-keys.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import type { Objects } from '#platform/storage/objects.ts'
import type { By } from '../acts.ts'
import { archiveMissing, importsUnavailable } from '../errors.ts'
import { projectImportId } from '../ids.ts'
import type { Transferred } from './export-project.ts'
import { findOwnerWorker } from './owner-worker.ts'

/** Seals passphrases until their imports have ended. */
export const PASSPHRASES = 'passphrases of imports'
const TYPE = 'application/zip'
/** For which an archive can be uploaded. */
const UPLOAD_SECONDS = 86_400
/** Imports that a list shows. */
const LISTED = 50

/** An import of a whole project, as it is shown. */
export interface ProjectImport {
  readonly id: string
  readonly state: 'uploading' | 'queued' | 'running' | 'done' | 'failed'
  /** Bytes of the archive. */
  readonly size: number
  readonly asked_by: string
  readonly asked_at: string
  readonly upload_until: string
  readonly ended_at: string | null
  readonly error: string | null
  /** What came, with the id of the project. */
  readonly report: Transferred | null
}

/** Where the archive is sent, by one PUT with these headers. */
export interface ArchiveUpload {
  readonly method: 'PUT'
  readonly url: string
  readonly headers: { readonly 'Content-Type': string }
}

interface Parts {
  /** Logs in as guildhall_operator. */
  readonly operators: Pool
  readonly objects: Pick<Objects, 'isSetUp' | 'signedPut' | 'sizeOf'>
  readonly config: SecretKeys
}

/** Where the archive of an import is. @param id the stored id */
export const archiveFolder = (id: string): string => `project-imports/${id}/`
export const archiveKey = (id: string): string => `${archiveFolder(id)}archive.zip`

const ROW = 'id, state, size::float8 as size, asked_by, asked_at, upload_until, ended_at, error, report'

/**
 * Begins an import: the archive is uploaded next.
 * @param input.size bytes of the archive
 * @throws ApiError 503 where no worker can read it
 */
export async function requestImport(
  { operators, objects, config }: Parts,
  input: { readonly passphrase: string; readonly size: number },
  by: By & { readonly actorId: string },
): Promise<ProjectImport & { readonly upload: ArchiveUpload }> {
  const worker = await findOwnerWorker(operators)
  if (!objects.isSetUp || worker === undefined) throw importsUnavailable()
  const id = newUuid()
  const upload = { size: input.size, type: TYPE, seconds: UPLOAD_SECONDS }
  const url = await objects.signedPut(archiveKey(id), upload)
  const sealed = makeProjectBox(config, PASSPHRASES).seal(input.passphrase, id, INSTALLATION)
  const { rows } = await operators.query<ProjectImport>(
    `insert into project_imports (id, size, sealed_passphrase, asked_by, ip, upload_until)
     values ($1, $2, $3, $4, $5, now() + $6 * interval '1 second') returning ${ROW}`,
    [id, input.size, sealed, by.actorId, by.ip, UPLOAD_SECONDS],
  )
  return { ...shown(rows[0]), upload: { method: 'PUT', url, headers: { 'Content-Type': TYPE } } }
}

/**
 * Says that the archive is there: a worker reads it. May be repeated.
 * @param id the stored id
 * @throws ApiError 404; 409 where the archive is not there, or has another size
 */
export async function completeImport({ operators, objects }: Parts, id: string): Promise<ProjectImport> {
  const { rows } = await operators.query<ProjectImport>(`select ${ROW} from project_imports where id = $1`, [
    id,
  ])
  const [found] = rows
  if (found === undefined) throw notFound('Import of a project')
  if (found.state !== 'uploading') return shown(found)
  if ((await objects.sizeOf(archiveKey(id))) !== found.size) throw archiveMissing()
  await operators.query("update project_imports set state = 'queued' where id = $1 and state = 'uploading'", [
    id,
  ])
  return shown({ ...found, state: 'queued' })
}

/** Imports of whole projects, the newest first. */
export async function listImports({ operators }: Pick<Parts, 'operators'>): Promise<ProjectImport[]> {
  const { rows } = await operators.query<ProjectImport>(
    `select ${ROW} from project_imports order by asked_at desc, id desc limit ${LISTED}`,
  )
  return rows.map(shown)
}

function shown(row: ProjectImport | undefined): ProjectImport {
  if (row === undefined) throw new Error('an import that was just made is not there')
  return { ...row, id: toId(projectImportId, row.id) }
}
