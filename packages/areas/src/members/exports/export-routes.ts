import { Readable } from 'node:stream'
import { create } from 'content-disposition'
import { Type } from 'typebox'
import { BYTE_ORDER_MARK } from '#platform/csv/row-writer.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { streamInSlot } from '#platform/http/send-stream.ts'
import { ExportQuery } from '../list/schema.ts'
import { EXPORT_HEAD, exportFormat, exportSql } from './export-sql.ts'

const ROW =
  'mem_01jcq3k8f7e8qtk4m3hbw7rn2d,2026-11-21T09:00:00.000Z,ada@example.com,Ada Lovelace,,member,active,free,{},,,2026-11-21T09:00:00.000Z\r\n'
const csv = {
  description: 'The file',
  content: {
    'text/csv': { schema: Type.Unsafe<unknown>({ type: 'string', examples: [EXPORT_HEAD + ROW] }) },
  },
}

/** Routes that export members as a file. */
export function exportRoutes(api: Api, { copies, transfers }: AreaDeps): void {
  api.get(
    '/members/export',
    {
      config: { access: { secret: 'read:members' }, hiddenFromViewers: true },
      schema: {
        operationId: 'exportMembers',
        summary: 'Export members',
        description:
          "All members as a CSV in UTF-8, in the order of their creation; the filters are those of the list. The file can be imported as it is, also into another project that has plans with the same slugs. If a name or an address starts like a formula of a spreadsheet, a `'` is put before it; the import removes it. If the connection breaks before the end of the answer, the file is incomplete. A project can read at most three exports at the same time.",
        querystring: ExportQuery,
        response: { 200: csv },
      },
    },
    async (request, reply) => {
      const { bom, ...filter } = request.query
      const fileName = `Members ${new Date().toISOString().slice(0, 10)}.csv`
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': create(fileName, { type: 'attachment' }),
        'cache-control': 'private, no-store',
      })
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const { projectId } = callerOf(request)
      return streamInSlot(reply, transfers.exports.take(request, projectId), () =>
        copies.open(projectId, {
          sql: exportSql(filter),
          format: exportFormat,
          head: (bom ? BYTE_ORDER_MARK : '') + EXPORT_HEAD,
        }),
      )
    },
  )
}
