import { Readable } from 'node:stream'
import { create } from 'content-disposition'
import { Type } from 'typebox'
import { Export } from '#areas/exports/schema.ts'
import { KEPT_MS, toExport } from '#areas/exports/service.ts'
import { fileLinks } from '#areas/storage/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import { streamInSlot } from '#platform/http/send-stream.ts'
import { idFromFilter } from '#platform/ids.ts'
import { ById } from '../schema.ts'
import { getExportedForm } from './queries.ts'
import { requestSubmissions } from './request-export.ts'
import { ExportQuery, NewExport } from './schema.ts'
import { CONTENT_TYPES, fileNameOf, submissionFile } from './submission-file.ts'

const readForms = { access: { secret: 'read:forms' } } as const

const CSV_EXAMPLE = 'id,created_at,member_id,Your email,ip,user_agent,referrer\r\n'
const JSON_EXAMPLE = '{"id":"sub_01jcq3k8f7e8qtk4m3hbw7rn2m","data":{"email":"ada@example.com"}}\n'
const file = {
  description: 'The file',
  content: {
    'text/csv': { schema: Type.Unsafe<unknown>({ type: 'string', examples: [CSV_EXAMPLE] }) },
    'application/x-ndjson': { schema: Type.Unsafe<unknown>({ type: 'string', examples: [JSON_EXAMPLE] }) },
  },
}

/** Exports of submissions: as the answer of a request, or made in the background. */
export function submissionExportRoutes(api: Api, deps: AreaDeps): void {
  exportFormSubmissionsRoute(api, deps)
  createFormExportRoute(api, deps)
}

function exportFormSubmissionsRoute(api: Api, { config, copies, transfers }: AreaDeps): void {
  api.get(
    '/forms/:id/submissions/export',
    {
      config: { ...readForms, hiddenFromViewers: true },
      schema: {
        operationId: 'exportFormSubmissions',
        summary: 'Export the submissions of a form at once',
        description: `The file has all submissions that match, oldest first; the filters are those of the list. If the connection breaks before the end of the answer, the file is incomplete. A project can read at most three exports at the same time.

A CSV has the columns \`id\`, \`created_at\`, \`member_id\`, one column for each field, and \`ip\`, \`user_agent\`, \`referrer\`. The name of a column is the label of the field; if two labels are equal, the id follows the label. Fields are in the order of the latest version, and fields that only older versions had come last. Several values of a field are joined by \`; \`, and a value that was not submitted is empty. A file is a link, and everybody with the link can read the file for a day. In JSON, nothing is joined or changed.`,
        params: ById,
        querystring: ExportQuery,
        response: { 200: file },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { format, bom, raw, ...filter } = request.query
      if (filter.member_id !== undefined) idFromFilter('member', 'member_id', filter.member_id)
      const { form } = await request.read({ form: getExportedForm({ id }) })
      const { head, sql, ...file } = submissionFile(form, { format, bom, raw }, config.BASE_URL)
      reply.headers({
        'content-type': CONTENT_TYPES[format],
        'content-disposition': create(fileNameOf(form, format), { type: 'attachment' }),
        'cache-control': 'private, no-store',
      })
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const { projectId } = callerOf(request)
      const links = fileLinks(config, projectId, Math.floor((Date.now() + KEPT_MS) / 1_000))
      return streamInSlot(reply, transfers.exports.take(request, projectId), () =>
        copies.open(projectId, { sql: sql({ formId: id, filter, links }), format: file.format, head }),
      )
    },
  )
}

function createFormExportRoute(api: Api, { config, objects }: AreaDeps): void {
  api.post(
    '/forms/:id/exports',
    {
      config: readForms,
      schema: {
        operationId: 'createFormExport',
        summary: 'Export the submissions of a form in the background',
        description:
          'For exports that take longer than a client can wait; a project can request 60 within a minute. The file is the same; it has the submissions that exist now, and its links to files work as long as the export. `GET /exports/{id}` says how far the export is and has the `url` of the file. The events `export.completed` and `export.failed` say when it has ended.',
        params: ById,
        body: NewExport,
        response: { 201: envelope(Export) },
      },
    },
    async (request) => {
      const { id } = request.params
      const row = await request.write((ctx) =>
        requestSubmissions(ctx, id, request.body, { objects, baseUrl: config.BASE_URL }),
      )
      return toExport(row, objects)
    },
  )
}
