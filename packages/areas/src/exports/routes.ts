import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { assertPermission, keyOf } from '#platform/http/caller.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import type { Permission } from '#platform/keys/permissions.ts'
import { getExport, listExports } from './queries.ts'
import { ById, Export, ExportData, ListQuery } from './schema.ts'
import { toExport } from './service.ts'

export function exportRoutes(api: Api, deps: AreaDeps): void {
  listExportsRoute(api)
  getExportRoute(api, deps)
}

function listExportsRoute(api: Api): void {
  api.get(
    '/exports',
    {
      config: { access: { secret: 'any' }, hiddenFromViewers: true },
      schema: {
        operationId: 'listExports',
        summary: 'List exports',
        description:
          'The newest export comes first. The list has the exports that the permissions of the key allow. `GET /exports/{id}` has the `url` of the file.',
        querystring: ListQuery,
        response: { 200: listEnvelope(ExportData) },
      },
    },
    async (request) => {
      const permissions = request.operator ? ['admin'] : [...keyOf(request).permissions]
      const { exports } = await request.read({ exports: listExports({ ...request.query, permissions }) })
      return exports
    },
  )
}

function getExportRoute(api: Api, { objects }: AreaDeps): void {
  api.get(
    '/exports/:id',
    {
      config: { access: { secret: 'any' }, hiddenFromViewers: true },
      schema: {
        operationId: 'getExport',
        summary: 'Get an export',
        description:
          'The answer says how many rows are done and, when the export is `completed`, has the `url` of the file. The `url` works for an hour and is new in every answer. The key needs the permission with which the export was created. The file is deleted after a day. The events `export.completed` and `export.failed` say when an export has ended.',
        params: ById,
        response: { 200: envelope(Export) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { row } = await request.read({ row: getExport({ id }) })
      assertPermission(request, row.permission as Permission)
      return toExport(row, objects)
    },
  )
}
