import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { finishFile } from '#areas/storage/cleanup/finish-file.job.ts'
import { reconcileFiles } from '#areas/storage/cleanup/reconcile-files.schedule.ts'
import { removeObjects } from '#areas/storage/cleanup/remove-objects.job.ts'
import { makePreview } from '#areas/storage/previews/make-preview.job.ts'
import { insertFile, sealFile, setPicture } from '#areas/storage/queries.ts'
import type { StoredFile } from '#areas/storage/schema.ts'
import { isPicture } from '#areas/storage/service.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Job } from '#platform/jobs/define-job.ts'
import { type RunningWorker, startWorker } from '#platform/jobs/worker.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { type Answer, type RequestOptions, startApi, type TestApi } from '../../api.ts'
import { makeProjects, type Side } from '../../factories.ts'
import { startS3, type TestS3 } from '../../servers/s3.ts'
import { withOpened } from '../../with-api.ts'
import { runSchedule } from '../run-schedule.ts'

const MEASURES = { width: 1, height: 1, preview_width: 1, preview_height: 1, preview_bytes: 1 }

/**
 * A file that everybody may read, but for its bytes: there are none, so that no storage is needed.
 * @param more its owner (the stored id of a member) and its type, for instance
 */
export async function makeFileRow(
  side: Side,
  more: { owner_id?: string; content_type?: string } = {},
): Promise<{ id: string }> {
  const id = newUuid()
  const file = {
    id,
    name: 'file.txt',
    size: 1,
    content_type: 'text/plain',
    visibility: 'public',
    owner_id: null,
    ...more,
  }
  const checksum_sha256 = randomBytes(32).toString('hex')
  await side.write((ctx) => {
    insertFile(ctx, { ...file, upload_expires_at: null, due_at: new Date() })
    sealFile(ctx, { ...file, checksum_sha256, object_id: newUuid(), due_at: null, purpose: null })
    // As if its preview was made: nobody reads the bytes then.
    if (isPicture(file.content_type)) setPicture(ctx, { id, ...MEASURES })
  })
  return { id: toId('file', id) }
}

/** A file as a browser has it. */
export const fileOf = (content: string | Buffer, name = 'a.txt', type = 'text/plain'): File =>
  new File([new Uint8Array(Buffer.from(content))], name, { type })

/** A form as a browser sends it: what `RequestOptions` take. */
export async function formOf(fields: Record<string, string | File>): Promise<RequestOptions> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const body = new Response(form)
  return {
    raw: Buffer.from(await body.arrayBuffer()),
    headers: { 'content-type': body.headers.get('content-type') ?? '' },
  }
}

/** Uploads a file through the API, with a side's key. */
export async function uploadFile<T = { data: StoredFile }>(
  side: Side,
  file: File,
  fields: Record<string, string> = {},
): Promise<Answer<T>> {
  return side.admin.post<T>('/storage/files', undefined, await formOf({ ...fields, file }))
}

/** The API with a storage, and two projects in it. */
export interface StorageEnvironment {
  readonly s3: TestS3
  readonly api: TestApi
  /** The live side of the one project, its test side, and the live side of the other. */
  readonly side: Side
  readonly others: readonly [Side, Side]
  /** Uploads a file that must be taken. */
  stored(file: File, fields?: Record<string, string>): Promise<StoredFile>
  /** Asks for the bytes of a file at its URL, with the side's key unless stated otherwise. */
  read(file: Pick<StoredFile, 'url'>, init?: RequestInit): Promise<Response>
  /** Rows of a query of the owner's, across all projects. */
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
  /** Starts a worker that does the jobs of this area, and others that are given. */
  work(others?: readonly Job[]): RunningWorker
  /** What happens by the clock, now. */
  reconcile(): Promise<void>
  close(): Promise<void>
}

/**
 * Gives a test file an API with a storage.
 * @param environment variables of the API besides those of the storage
 */
export const withStorage = (
  prepare: (env: StorageEnvironment) => unknown,
  environment: Record<string, string> = {},
): void => withOpened(() => openStorage(environment), prepare)

/** For a test that makes its environment first; it closes what it opened. */
export async function openStorage(environment: Record<string, string>): Promise<StorageEnvironment> {
  const s3 = await startS3()
  const api = await startApi({ environment: { ...s3.environment, ...environment } })
  const [one, other] = await makeProjects(api)
  const side = one.live
  const owner = new pg.Pool({ connectionString: api.database.url, max: 2 })
  const closing: (() => Promise<void>)[] = []

  const workerConfig = parseConfig({
    ...s3.environment,
    DATABASE_URL: api.database.url,
    SECRET_KEY: api.database.secretKey,
    LOG_LEVEL: 'silent',
    LEASE_MS: '10000',
    SWEEP_MS: '200',
  })

  const work = (others: readonly Job[] = []): RunningWorker => {
    const deps = makeWorkerDeps(workerConfig)
    const jobs = [removeObjects, finishFile, makePreview, ...others]
    const lanes = ['files', 'pictures', 'default'] as const
    const background = { jobs, schedules: [], consumers: [], fanOuts: [], sweeps: [] }
    const worker = startWorker({ deps, background, lanes, finishMs: 2_000 })
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= worker.stop().then(() => deps.close())
      return stopped
    }
    closing.push(stop)
    return { stop }
  }

  const reconcile = () => runSchedule(reconcileFiles, workerConfig)

  return {
    s3,
    api,
    side,
    others: [one.test, other.live],
    stored: async (file, fields) => {
      const { status, body } = await uploadFile(side, file, fields)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.data
    },
    read: ({ url }, init = { headers: { authorization: `Bearer ${side.key}` } }) =>
      fetch((url ?? '').replace(api.config.BASE_URL, api.url), init),
    sql: async <R extends object>(text: string, values: unknown[] = []) =>
      (await owner.query<R>(text, values)).rows,
    work,
    reconcile,
    close: async () => {
      for (const stop of closing) await stop()
      await owner.end()
      await api.close()
      await s3.close()
    },
  }
}
