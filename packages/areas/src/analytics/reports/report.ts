import { sql } from 'kysely'
import { passing, query, type Statement, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type ReportRequest, type ReportRow, reportSql } from './report-sql.ts'

/**
 * Sorting and grouping a day's events in memory is several times as quick as on disk. Of what a report makes on its way
 * PostgreSQL has no statistics: it would take thousands of visits for one, and look for them by nested loops, or join all events of a
 * visitor with all its visits. Compiling such a plan takes longer than most reports. Roll-ups, and reports with an Idempotency-Key,
 * are written by the login that plans for indexes.
 */
export const SETTINGS_OF_REPORTS = sql<object>`select set_config('work_mem', '64MB', true),
  set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('enable_hashjoin', 'on', true), set_config('enable_seqscan', 'on', true),
  set_config('jit', 'off', true)`

const prepareReport: Statement<object, object> = statement('prepare_report', () => ({
  compile: () => SETTINGS_OF_REPORTS.compile(query),
}))

/** The groups of a report that have any events. */
export function readReport(ctx: Context, request: ReportRequest) {
  ctx.tx.run(prepareReport, {})
  return ctx.tx.all(passing<ReportRow>('report', { compile: () => reportSql(request).compile(query) }), {})
}
