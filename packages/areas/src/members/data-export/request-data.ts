import { type ExportRow, listLatest, requestExport } from '#areas/exports/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { tooManyWithin } from '#platform/errors.ts'
import { toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { getMember } from '../queries.ts'
import { exportData, type Wanted } from './export-data.job.ts'

const KIND = 'member_data'

/** Requests an archive of a member's data. @throws ApiError 404; 503 where there is no storage */
export async function requestData(ctx: Context, wanted: Wanted, objects: Objects): Promise<ExportRow> {
  await getMember(ctx, { id: wanted.member_id })
  objects.assertSetUp()
  const row = await requestExport(ctx, {
    kind: KIND,
    format: 'zip',
    params: wanted,
    permission: 'read:members',
    fileName: `${toId('member', wanted.member_id)}.zip`,
    contentType: 'application/zip',
    totalRows: null,
  })
  enqueue(ctx, exportData, { export_id: row.id })
  return row
}

/** Archives that a member may request within 24 hours. */
export const MOST_ARCHIVES = 5

/**
 * Requests an archive for the member, who gets a mail with a link to it. While one is being made, and
 * within a minute, it is that one. Lock the
 * member first.
 * @throws ApiError as requestData does; 429 RATE_LIMITED
 */
export async function requestOwnData(ctx: Context, id: string, objects: Objects): Promise<ExportRow> {
  const wanted: Wanted = { member_id: id, is_mailed: true }
  const asked = { member_id: id, kind: KIND, params: JSON.stringify(wanted) }
  const made = (await listLatest(ctx, asked)).filter(({ status }) => status !== 'failed')
  const same = made.find(({ status, is_recent }) => status === 'queued' || status === 'running' || is_recent)
  if (same !== undefined) return same
  if (made.length >= MOST_ARCHIVES) throw tooManyArchives()
  return requestData(ctx, wanted, objects)
}

const tooManyArchives = () =>
  tooManyWithin(
    `Too many archives of your data: ${MOST_ARCHIVES} within 24 hours are allowed. Try again later`,
    { requests: MOST_ARCHIVES, per_seconds: 86_400, scope: 'member' },
    3_600,
  )
