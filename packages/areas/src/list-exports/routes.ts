import { Export } from '#areas/exports/schema.ts'
import { toExport } from '#areas/exports/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { assertPermission } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import { LISTS } from './lists.ts'
import { assertFilters, requestListExport } from './request-export.ts'
import { NewListExport } from './schema.ts'

export function listExportRoutes(api: Api, deps: AreaDeps): void {
  createExportRoute(api, deps)
}

function createExportRoute(api: Api, { objects }: AreaDeps): void {
  api.post(
    '/exports',
    {
      config: { access: { secret: 'any' } },
      schema: {
        tags: ['Exports'],
        operationId: 'createExport',
        summary: 'Export a list',
        description:
          "Makes a CSV of orders, bills, subscriptions, feedback or events of analytics in the background. It has all rows that exist now and that the filters leave, the oldest first; a `search` finds at most 10,000. The key needs the permission of the list, and the filters are those of the list. Cells that start with `=`, `+`, `-`, `@`, a tab or a carriage return get a `'` before them unless they are numbers, so that no spreadsheet runs them as formulas. A project can request 60 exports within a minute. `GET /exports/{id}` says how far the export is and has the `url` of the file.",
        body: NewListExport,
        response: { 201: envelope(Export) },
      },
    },
    async (request) => {
      const { of, filters = {}, bom = false, raw = false } = request.body
      const list = LISTS[of]
      assertPermission(request, list.permission)
      assertFilters(list, filters)
      const stored = (await list.prepare?.(request, filters)) ?? filters
      const row = await request.write((ctx) =>
        requestListExport(ctx, list, { filters: stored, bom, raw }, objects),
      )
      return toExport(row, objects)
    },
  )
}
