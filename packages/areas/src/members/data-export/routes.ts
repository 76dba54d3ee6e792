import { Export } from '#areas/exports/schema.ts'
import { requestExport, toExport } from '#areas/exports/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { toId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Objects } from '#platform/storage/objects.ts'
import { getMember } from '../queries.ts'
import { ById } from '../schema.ts'
import { exportDataJob, type Wanted } from './export-data.job.ts'

export function dataExportRoutes(api: Api, { objects }: AreaDeps): void {
  api.post(
    '/members/:id/data-export',
    {
      config: { access: { secret: 'write:members' } },
      schema: {
        tags: ['Members'],
        operationId: 'exportMemberData',
        summary: 'Export all data of a member',
        description:
          'One ZIP archive for a member who asks for their data. It has a README, a JSON file for each kind of record, with the field names of the API, and the files of the member. It has no passwords, keys or hashes. The archive is made in the background: `GET /exports/{id}` says how far it is and has the `url` of the file. The events `export.completed` and `export.failed` say when it has ended.',
        params: ById,
        response: { 201: envelope(Export) },
      },
    },
    async (request) => {
      const { id } = request.params
      const row = await request.write((ctx) => requestData(ctx, id, objects))
      return toExport(row, objects)
    },
  )
}

async function requestData(ctx: Context, id: string, objects: Objects) {
  await getMember(ctx, { id })
  objects.assertSetUp()
  const wanted: Wanted = { member_id: id }
  const row = await requestExport(ctx, {
    kind: 'member_data',
    format: 'zip',
    params: wanted,
    permission: 'read:members',
    fileName: `${toId('member', id)}.zip`,
    contentType: 'application/zip',
    totalRows: null,
  })
  enqueue(ctx, exportDataJob, { export_id: row.id })
  return row
}
