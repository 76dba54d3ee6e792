import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { assertFieldsOfActions, bulkRequest, bulkResult, doEach } from '#platform/http/bulk.ts'
import { envelope, oneOf, strict } from '#platform/http/envelope.ts'
import { updateFile } from './queries.ts'
import { deleteFile } from './references.ts'
import { FileId, VISIBILITIES } from './schema.ts'

const Operation = strict(
  {
    id: FileId,
    action: oneOf(['update', 'delete'], {
      description: 'The act, which is done as by its own request',
      examples: ['update'],
    }),
    visibility: Type.Optional(oneOf(VISIBILITIES, { description: 'The new visibility; `update` needs it' })),
  },
  {
    title: 'BulkFileOperation',
    description: '`update` needs `visibility`',
    examples: [{ id: 'file_01jcq3k8f7e8qtk4m3hbw7rn2g', action: 'update', visibility: 'private' }],
  },
)
const FIELDS = { update: { needs: ['visibility'] }, delete: {} } as const

export function bulkRoutes(api: Api): void {
  changeFilesInBulkRoute(api)
}

function changeFilesInBulkRoute(api: Api): void {
  api.post(
    '/storage/files/bulk',
    {
      config: { access: { secret: 'write:storage' } },
      schema: {
        operationId: 'changeFilesInBulk',
        sdk: 'storage.files.changeInBulk',
        summary: 'Change or delete many files',
        description:
          'Up to 100 files are changed one after the other, each as by its own request. Each succeeds or fails on its own, and the answer has a result for each. If a field does not belong to its action, the whole request is refused.',
        body: bulkRequest(Operation, 'BulkFiles'),
        response: { 200: envelope(bulkResult(FileId, 'BulkFilesResult')) },
      },
    },
    async (request) => {
      const { operations } = request.body
      assertFieldsOfActions(operations, FIELDS)
      return doEach(operations, 'file', (id, { id: _, action, ...changes }) =>
        request.write(async (ctx) => {
          if (action === 'delete') await deleteFile(ctx, id)
          else await updateFile(ctx, { id, changes, ifMatch: undefined })
        }),
      )
    },
  )
}
