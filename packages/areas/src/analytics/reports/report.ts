import { sql } from 'kysely'
import { passing, query, type Statement, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type ReportRequest, type ReportRow, reportSql } from './report-sql.ts'

/** Sorting and grouping a day's events in memory is several times as quick as on disk. */
const roomy: Statement<object, object> = statement('report_memory', () => ({
  compile: () => sql<object>`select set_config('work_mem', '64MB', true)`.compile(query),
}))

/** The groups of a report that have any events. */
export function readReport(ctx: Context, request: ReportRequest) {
  ctx.tx.run(roomy, {})
  return ctx.tx.all(passing<ReportRow>('report', { compile: () => reportSql(request).compile(query) }), {})
}
