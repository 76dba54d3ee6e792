import type { AreaDeps } from '#platform/deps.ts'
import { authorizeKey } from '#platform/http/access.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { keyOf } from '#platform/http/server/authenticate.ts'
import { idFromPath } from '#platform/ids.ts'
import { exportId } from './ids.ts'
import { getExport } from './queries.ts'
import { permissionOf } from './rows.ts'
import { ById, Export } from './schema.ts'
import { toExport } from './service.ts'

export function exportRoutes(api: Api, { objects }: AreaDeps): void {
  api.get(
    '/exports/:id',
    {
      config: { access: { secret: 'any' } },
      schema: {
        tags: ['Exports'],
        operationId: 'getExport',
        summary: 'Get an export',
        description:
          'How far it is and, once it is `completed`, where its bytes are: at a `url` that works for an hour, and is new with every answer. Needs the permission that asking for it took. Bytes are deleted after a day. `export.completed` and `export.failed` tell without asking.',
        params: ById,
        response: { 200: envelope(Export) },
      },
    },
    async (request) => {
      const id = idFromPath(exportId, request.params.id)
      const row = await request.inProject((ctx) => getExport(ctx, id))
      authorizeKey({ secret: permissionOf(row) }, keyOf(request))
      return ok(await toExport(row, objects))
    },
  )
}
