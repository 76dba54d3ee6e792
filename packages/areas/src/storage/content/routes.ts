import { Type } from 'typebox'
import { exportId } from '#areas/exports/ids.ts'
import { isReadableExport } from '#areas/exports/service.ts'
import { answering } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { parseId, toId } from '#platform/ids.ts'
import { linkEnded } from '../errors.ts'
import { previewOf } from '../previews/preview-of.ts'
import { getFile } from '../queries.ts'
import { ById } from '../schema.ts'
import { fileLinks } from './file-links.ts'
import { ByProjectAndId, LinkQuery } from './schema.ts'
import { serveFile } from './serve-file.ts'

const bytes = {
  description: 'The bytes of the file',
  content: { '*/*': { schema: Type.Unsafe<unknown>({ examples: ['The bytes of the file'] }) } },
}
const response = { 200: bytes, 206: bytes, 304: Type.Null() }

/** Where files are read through the API. */
export function contentRoutes(api: Api, deps: AreaDeps): void {
  getFileContentRoute(api, deps)
  getPublicFileRoute(api, deps)
  getLinkedFileRoute(api, deps)
}

function getFileContentRoute(api: Api, { objects, transfers: { downloads } }: AreaDeps): void {
  api.get(
    '/storage/files/:id/content',
    {
      config: { access: { secret: 'read:storage' } },
      schema: {
        operationId: 'getFileContent',
        summary: 'Read a file',
        description:
          'This is the `url` of a private file. It accepts `Range`, `If-Range` and `If-None-Match`. Types that a browser could execute are sent as attachments.',
        params: ById,
        response,
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { file } = await request.read({ file: getFile({ id }) })
      return serveFile(request, reply, { objects, downloads }, { file, cacheControl: 'private, no-cache' })
    },
  )
}

function getPublicFileRoute(api: Api, { objects, asSystem, transfers: { downloads } }: AreaDeps): void {
  api.get(
    '/storage/public/:project_id/:id',
    {
      config: { access: 'open' },
      schema: {
        operationId: 'getPublicFile',
        summary: 'Read a public file',
        description:
          'This is the `url` of a public file; everybody can read it. Browsers and proxies may cache it for five minutes: a file that was deleted or made private can still be seen for that time.',
        params: ByProjectAndId,
        response,
      },
    },
    async (request, reply) => {
      const { project_id, id } = request.params
      const projectId = parseId('project', project_id)
      if (projectId === undefined) throw notFound('File')
      const { file } = await asSystem(projectId, 'storage.public-file').read({ file: getFile({ id }) })
      if (file.visibility !== 'public') throw notFound('File')
      return serveFile(request, reply, { objects, downloads }, { file, cacheControl: 'public, max-age=300' })
    },
  )
}

function getLinkedFileRoute(
  api: Api,
  { config, objects, asSystem, transfers: { downloads } }: AreaDeps,
): void {
  api.get(
    '/storage/signed/:project_id/:id',
    {
      config: { access: 'open', errors: [linkEnded] },
      schema: {
        operationId: 'getLinkedFile',
        summary: 'Read a file by a signed link',
        description:
          'This is the address of a file in a CSV export, of a picture in a profile, and of a file of a post. Everybody who knows the link can read the file until the link or its export expires, or the file is deleted.',
        params: ByProjectAndId,
        querystring: LinkQuery,
        response,
      },
    },
    async (request, reply) => {
      const { expires = 0, signature = '', export: exported, preview = false } = request.query
      const size = preview ? 'preview' : 'whole'
      const { project_id, id } = request.params
      const projectId = parseId('project', project_id)
      if (projectId === undefined) throw notFound('File')
      const links = fileLinks(config, projectId, expires, exported)
      if (expires * 1_000 <= Date.now() || !links.isSigned(toId('file', id), signature, size))
        throw linkEnded()
      const from = exported === undefined ? undefined : parseId(exportId, exported)
      const { file, isThere } = await asSystem(projectId, 'storage.linked-file').read({
        file: getFile({ id }),
        isThere: from === undefined ? answering(true) : isReadableExport({ id: from }),
      })
      if (!isThere) throw linkEnded()
      const served = preview ? previewOf(file) : file
      const as = { file: served, cacheControl: 'private, no-cache' }
      return serveFile(request, reply, { objects, downloads }, as)
    },
  )
}
