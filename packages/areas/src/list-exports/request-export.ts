import { assertFewExports, type ExportRow, requestExport } from '#areas/exports/service.ts'
import type { ListExport, ListFilters } from '#platform/csv/list-file.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError, invalidBody } from '#platform/errors.ts'
import { strict } from '#platform/http/envelope.ts'
import { bodyCheck } from '#platform/http/validation/validation.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { exportList } from './export-list.job.ts'
import type { ExportParams } from './lists.ts'

const checks = new Map<ListExport, ReturnType<typeof bodyCheck>>()

/** @throws ApiError 422 for filters that the list does not have, and for values that it does not take */
export function assertFilters(list: ListExport, filters: ListFilters): void {
  let check = checks.get(list)
  if (check === undefined) {
    check = bodyCheck(strict({ filters: strict(list.filters) }))
    checks.set(list, check)
  }
  check({ filters })
  try {
    if (list.prepare === undefined) list.rows(filters)
  } catch (error) {
    if (!(error instanceof ApiError) || error.details === undefined) throw error
    throw invalidBody(error.details.map((fault) => ({ ...fault, field: `filters.${fault.field}` })))
  }
}

/**
 * Requests a file with the rows of a list.
 * @param filters as the list stores them
 * @throws ApiError 429 for too many exports; 503 without an object storage
 */
export async function requestListExport(
  ctx: Context,
  list: ListExport,
  { filters, ...options }: ExportParams,
  objects: Objects,
): Promise<ExportRow> {
  await assertFewExports(ctx)
  objects.assertSetUp()
  const row = await requestExport(ctx, {
    kind: list.of,
    format: 'csv',
    params: { ...options, filters },
    permission: list.permission,
    fileName: `${list.title} ${new Date().toISOString().slice(0, 10)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    totalRows: null,
  })
  enqueue(ctx, exportList, { export_id: row.id })
  return row
}
