import { vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { importId } from '#areas/members/ids.ts'
import { beginImport, markArrived } from '#areas/members/imports/queries.ts'
import type { MemberImport } from '#areas/members/imports/schema.ts'
import { backgroundOf } from '#platform/area.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { type RunningWorker, startWorker } from '#platform/jobs/worker.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import type { Answer, TestApi } from '../api.ts'
import type { Side } from '../factories.ts'
import type { TestS3 } from '../servers/s3.ts'
import { fileOf, formOf } from './storage/files.ts'

/** An import whose file has come, and that nobody deals with: there is no file, so that no storage is needed. */
export async function makeImportRow(side: Side): Promise<{ id: string }> {
  const id = newUuid()
  await side.write((ctx) => {
    beginImport(ctx, { id })
    markArrived(ctx, { id, columns: ['email'], total_rows: 1, dry_run: false })
  })
  return { id: toId(importId, id) }
}

/** What a worker of its own needs to join in. */
export const workerEnvironment = (api: TestApi, s3: TestS3): Record<string, string> => ({
  ...s3.environment,
  DATABASE_URL: api.database.url,
  SECRET_KEY: api.database.secretKey,
  LOG_LEVEL: 'silent',
  LEASE_MS: '1500',
  SWEEP_MS: '200',
})

/** A worker in this process that does every job of the areas on these lanes. */
export function startJobs(api: TestApi, s3: TestS3): RunningWorker {
  // Nobody is to take over from it, however slow the machine.
  const deps = makeWorkerDeps(parseConfig({ ...workerEnvironment(api, s3), LEASE_MS: '10000' }))
  const worker = startWorker({
    deps,
    areas,
    background: { ...backgroundOf(areas), schedules: [], consumers: [], fanOuts: [], sweeps: [] },
    lanes: ['exports', 'files', 'pictures'],
    finishMs: 2_000,
  })
  return {
    stop: async () => {
      await worker.stop()
      await deps.close()
    },
  }
}

type Sent<T> = Promise<Answer<T>>

/** Sends a CSV of members. */
export async function sendCsv<T = { data: MemberImport }>(
  side: Side,
  csv: string | Buffer,
  fields: Record<string, string> = {},
): Sent<T> {
  const file = fileOf(csv, 'members.csv', 'text/csv')
  return side.admin.post<T>('/members/imports', undefined, await formOf({ ...fields, file }))
}

/** The import when its job is done. @throws Error where it is not in time */
export async function finishedImport(side: Side, id: string, seconds = 90): Promise<MemberImport> {
  return vi.waitFor(
    async () => {
      const { body } = await side.admin.get<{ data: MemberImport }>(`/members/imports/${id}`)
      if (body.data.finished_at === null) throw new Error(`still ${JSON.stringify(body.data)}`)
      return body.data
    },
    { timeout: seconds * 1_000, interval: 50 },
  )
}

/** Sends a CSV that must be taken, and waits for what becomes of it. */
export async function importCsv(
  side: Side,
  csv: string | Buffer,
  fields: Record<string, string> = {},
): Promise<MemberImport> {
  const { status, body } = await sendCsv(side, csv, fields)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return finishedImport(side, body.data.id)
}
