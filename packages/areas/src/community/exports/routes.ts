import { Readable } from 'node:stream'
import { create } from 'content-disposition'
import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf, hasPermission } from '#platform/http/caller.ts'
import { streamInSlot } from '#platform/http/send-stream.ts'
import { exportSql, lineFormat } from './export-sql.ts'
import { exportLines } from './lines.ts'

const EXAMPLE =
  '{"record":"discussion","id":"disc_01jcq3k8f7e8qtk4m3hbw7rn2f","title":"How do you plan your week?"}\n'
const ndjson = {
  description: 'The file',
  content: {
    'application/x-ndjson': { schema: Type.Unsafe<unknown>({ type: 'string', examples: [EXAMPLE] }) },
  },
}

export function exportRoutes(api: Api, { copies, objects, transfers }: AreaDeps): void {
  api.get(
    '/community/export',
    {
      config: { access: { secret: 'read:community' }, hiddenFromViewers: true },
      schema: {
        operationId: 'exportCommunity',
        summary: 'Export the community',
        description:
          'All that members have written, as of one moment: JSON lines with categories, discussions, comments, earlier versions, likes, subscriptions, moderation cases, reports, feedback, votes, and the files of posts. `record` says what a line is. Lines name each other by ids, and come after what they name; the bytes of files come last, in Base64. Members whom lines name are listed, with their addresses if the key has `read:members` too: an import into another project finds members by them. Rules, settings, mutes, appeals and notifications are not content, and neither are the weights of reports. `POST /community/imports` takes the file. If the connection breaks before the end of the answer, the file is incomplete. A project can read at most three exports at the same time.',
        response: { 200: ndjson },
      },
    },
    async (request, reply) => {
      const fileName = `Community ${new Date().toISOString().slice(0, 10)}.ndjson`
      reply.headers({
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': create(fileName, { type: 'attachment' }),
        'cache-control': 'private, no-store',
      })
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const { projectId } = callerOf(request)
      const sql = exportSql(hasPermission(request, 'read:members') || hasPermission(request, 'admin'))
      return streamInSlot(reply, transfers.exports.take(request, projectId), async () => {
        const rows = await copies.open(projectId, { sql, format: lineFormat })
        const missing = (file_id: string) =>
          request.log.warn({ file_id }, 'an object is not there to be exported')
        return Readable.from(exportLines({ rows, objects, projectId, missing }), { objectMode: false })
      })
    },
  )
}
