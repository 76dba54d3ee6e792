import { Readable } from 'node:stream'
import { create } from 'content-disposition'
import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { literalSql } from '#platform/csv/literal-sql.ts'
import { reversiblyGuarded } from '#platform/csv/reversible-guard.ts'
import { csvLine, csvRows } from '#platform/csv/row-writer.ts'
import { query } from '#platform/db/statement.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { streamInSlot } from '#platform/http/send-stream.ts'
import { getImport, type ImportRow } from './queries.ts'
import { ById } from './schema.ts'

const REASON = 'reason'
const csv = {
  description: 'The file',
  content: {
    'text/csv': {
      schema: Type.Unsafe<unknown>({
        type: 'string',
        examples: [
          'email,full_name,reason\r\nada,Ada,email must be an email address of at most 254 characters\r\n',
        ],
      }),
    },
  },
}

/** Routes that return faulty rows, so that customers can correct them. */
export function faultRoutes(api: Api, { copies, transfers }: AreaDeps): void {
  api.get(
    '/members/imports/:id/faults',
    {
      config: { access: { secret: 'read:members' } },
      schema: {
        operationId: 'getMemberImportFaults',
        summary: 'Get the faulty rows of an import',
        description:
          'A CSV with the columns of the imported file and the column `reason`. Correct the rows and import the file again: `reason` is ignored. The file is kept for a week.',
        params: ById,
        response: { 200: csv },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { row } = await request.read({ row: getImport({ id }) })
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': create('Faulty members.csv', { type: 'attachment' }),
        'cache-control': 'private, no-store',
      })
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const { projectId } = callerOf(request)
      return streamInSlot(reply, transfers.exports.take(request, projectId), () =>
        copies.open(projectId, faultsCsv(row)),
      )
    },
  )
}

/** The faulty rows with their reasons; a column of reasons that the file had is replaced. */
function faultsCsv({ id, columns }: ImportRow) {
  const kept = columns.map((name, i) => ({ name, i })).filter(({ name }) => name !== REASON)
  const cells = query
    .selectFrom('member_import_faults')
    .select('row')
    .select(kept.map(({ i }) => sql<string>`coalesce(cells[${sql.lit(i + 1)}], '')`.as(`c${i}`)))
    .select(reasons.as(REASON))
    .where('import_id', '=', id)
  const guarded = [...kept.map(({ i }) => `c${i}`), REASON].map((name) =>
    reversiblyGuarded(sql.ref(name)).as(name),
  )
  return {
    sql: literalSql(query.selectFrom(cells.as('f')).select(guarded).orderBy('f.row')),
    format: csvRows([]),
    head: csvLine([...kept.map(({ name }) => name), REASON]),
  }
}

/** All that is wrong with a row, in words. */
const reasons: RawBuilder<string> = sql`(
  select string_agg(ltrim(fault ->> 'field' || ' ' || (fault ->> 'message')), '; ' order by place)
  from jsonb_array_elements(faults) with ordinality as f (fault, place))`
