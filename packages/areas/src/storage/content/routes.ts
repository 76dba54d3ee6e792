import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { idFromPath, parseId } from '#platform/ids.ts'
import { getFile } from '../queries.ts'
import { ById, ByProjectAndId } from '../schema.ts'
import { serveFile } from './serve-file.ts'

const tags = ['Storage']

const bytes = {
  description: 'The bytes of the file',
  content: { '*/*': { schema: Type.Unsafe<unknown>({ examples: ['The bytes of the file'] }) } },
}
const response = { 200: bytes, 206: bytes, 304: Type.Null() }

/** Where files are read through the API. */
export function contentRoutes(api: Api, { objects, asSystem, transfers: { downloads } }: AreaDeps): void {
  api.get(
    '/storage/files/:id/content',
    {
      config: { access: { secret: 'read:storage' } },
      schema: {
        tags,
        operationId: 'getFileContent',
        summary: 'Read a file',
        description:
          'This is the `url` of a private file. It accepts `Range`, `If-Range` and `If-None-Match`. Types that a browser could execute are sent as attachments.',
        params: ById,
        response,
      },
    },
    async (request, reply) => {
      const id = idFromPath('file', request.params.id)
      const { file } = await request.read({ file: getFile({ id }) })
      return serveFile(request, reply, { objects, downloads }, { file, cacheControl: 'private, no-cache' })
    },
  )

  api.get(
    '/storage/public/:project_id/:id',
    {
      config: { access: 'open' },
      schema: {
        tags,
        operationId: 'getPublicFile',
        summary: 'Read a public file',
        description:
          'This is the `url` of a public file; everybody can read it. Browsers and proxies may cache it for five minutes: a file that was deleted or made private can still be seen for that time.',
        params: ByProjectAndId,
        response,
      },
    },
    async (request, reply) => {
      const projectId = parseId('project', request.params.project_id)
      const id = idFromPath('file', request.params.id)
      if (projectId === undefined) throw notFound('File')
      const { file } = await asSystem(projectId, 'storage.public-file').read({ file: getFile({ id }) })
      if (file.visibility !== 'public') throw notFound('File')
      return serveFile(request, reply, { objects, downloads }, { file, cacheControl: 'public, max-age=300' })
    },
  )
}
