import { requestExport } from '#areas/exports/service.ts'
import { toId } from '#platform/ids.ts'
import type { Side } from './factories.ts'

/** An export that was asked for, and that nobody makes. */
export async function makeExportRow(side: Side): Promise<{ id: string }> {
  const { id } = await side.inProject((ctx) =>
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
  return { id: toId('export', id) }
}
