import { exportId } from '#areas/exports/ids.ts'
import { requestExport } from '#areas/exports/service.ts'
import { formId } from '#areas/forms/ids.ts'
import type { Form } from '#areas/forms/schema.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { TestApi } from '../api.ts'
import type { Side } from '../factories.ts'

/** An export that was asked for, and that nobody makes. */
export async function makeExportRow(side: Side): Promise<{ id: string }> {
  const { id } = await side.write((ctx) =>
    requestExport(ctx, {
      kind: 'samples',
      format: 'csv',
      params: {},
      permission: 'read:members',
      fileName: 'samples.csv',
      contentType: 'text/csv',
      totalRows: null,
    }),
  )
  return { id: toId(exportId, id) }
}

/**
 * Puts a submission where it would be, whatever is in it.
 * @param more other columns
 * @returns its stored id
 */
export async function putSubmission(
  api: TestApi,
  side: Side,
  form: Form,
  data: object,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const row = { id: newUuid(), form_id: parseId(formId, form.id), form_version: form.version }
  const values = {
    project_id: side.projectId,
    ...row,
    data: JSON.stringify(data),
    created_at: new Date(),
    ...more,
  }
  const names = Object.keys(values)
  await api.owner.query(
    `insert into form_submissions (${names}) values (${names.map((_, i) => `$${i + 1}`)})`,
    Object.values(values),
  )
  return row.id
}
