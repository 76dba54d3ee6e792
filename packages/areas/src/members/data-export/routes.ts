import { Export } from '#areas/exports/schema.ts'
import { toExport } from '#areas/exports/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { ById } from '../schema.ts'
import { requestData } from './request-data.ts'

export function dataExportRoutes(api: Api, { objects }: AreaDeps): void {
  api.post(
    '/members/:id/data-export',
    {
      config: { access: { secret: 'write:members' } },
      schema: {
        operationId: 'exportMemberData',
        sdk: 'members.exportData',
        summary: 'Export all data of a member',
        description:
          'One ZIP archive for a member who asks for their data. It has a README, a JSON file for each kind of record, with the field names of the API, and the files of the member. It has no passwords, keys or hashes. The archive is made in the background: `GET /exports/{id}` says how far it is and has the `url` of the file. The events `export.completed` and `export.failed` say when it has ended.',
        params: ById,
        response: { 201: envelope(Export) },
      },
    },
    async (request) => {
      const { id } = request.params
      const row = await request.write((ctx) => requestData(ctx, { member_id: id }, objects))
      return toExport(row, objects)
    },
  )
}
