import type { FileOptions, ListExport, ListFilters } from '#areas/exports/lists/service.ts'
import { assertFewExports, type ExportRow, requestExport } from '#areas/exports/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { exportList } from './export-list.job.ts'

/** The stored parameters of an export. */
export interface ExportParams extends FileOptions {
  readonly filters: ListFilters
}

/** @throws ApiError 422 for filters that the list does not have, and values that it does not take */
export function assertFilters({ of, filters: known }: ListExport, filters: ListFilters): void {
  const faults = Object.entries(filters).flatMap(([name, value]): FieldFault[] => {
    const field = `filters.${name}`
    const schema = known[name] as { enum?: readonly unknown[] } | undefined
    if (schema === undefined) return [{ field, rule: 'unknown', message: `is not a filter of ${of}` }]
    if (schema.enum !== undefined && !schema.enum.includes(value))
      return [{ field, rule: 'enum', message: `must be one of ${schema.enum.join(', ')}` }]
    if (name === 'member_id' && parseId('member', String(value)) === undefined)
      return [{ field, rule: 'id', message: 'is not an id of the right kind' }]
    return []
  })
  if (faults.length > 0) throw invalidBody(faults)
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
