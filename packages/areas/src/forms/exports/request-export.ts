import { assertFewExports, type ExportRow, requestExport } from '#areas/exports/service.ts'
import { together } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { countSubmissions } from '../submissions/queries.ts'
import { type ExportParams, exportSubmissions } from './export-submissions.job.ts'
import { getExportedForm } from './queries.ts'
import type { NewExport } from './schema.ts'
import { CONTENT_TYPES, fileNameOf, submissionFile } from './submission-file.ts'

/**
 * Requests a file with the submissions of a form.
 * @throws ApiError 404; 429 for too many exports; 422 for what is no member's id; 503 without an object storage; 400 if the versions of the form have more fields than a table
 * can have columns
 */
export async function requestSubmissions(
  ctx: Context,
  formId: string,
  { format = 'csv', bom = false, raw = false, status = 'received', ...filter }: NewExport,
  { objects, baseUrl }: { readonly objects: Objects; readonly baseUrl: string },
): Promise<ExportRow> {
  if (filter.member_id !== undefined && parseId('member', filter.member_id) === undefined)
    throw invalidField('member_id', 'exists', 'is not a member of this project')
  const { form, total } = await together(ctx, {
    form: getExportedForm({ id: formId }),
    total: countSubmissions({ formId, status }),
  })
  await assertFewExports(ctx)
  objects.assertSetUp()
  const options = { format, bom, raw }
  submissionFile(form, options, baseUrl)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const exported: ExportParams = { ...options, form_id: formId, filter: { status, ...filter } }
  const row = await requestExport(ctx, {
    kind: 'form_submissions',
    format,
    params: exported,
    permission: 'read:forms',
    fileName: fileNameOf(form, format),
    contentType: CONTENT_TYPES[format],
    totalRows: isFiltered ? null : total,
  })
  enqueue(ctx, exportSubmissions, { export_id: row.id })
  return row
}
