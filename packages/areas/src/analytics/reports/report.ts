import { type RawBuilder, sql } from 'kysely'
import { defineQuery, queryOnce } from '#platform/db/query.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
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

/** Where a report is read: a request. */
export type Reports = Pick<ProjectData, 'read'>

/** Reads something that counts raw events, with the settings of reports. @param label what it is called in logs and traces */
export async function readWithSettings<R>(data: Reports, label: string, work: RawBuilder<R>): Promise<R[]> {
  const { rows } = await data.read({ settings: prepareReport(), rows: queryOnce(label, work)() })
  return rows
}
const prepareReport = defineQuery('prepare_report', () => SETTINGS_OF_REPORTS)

/** The groups of a report that have any events. */
export const readReport = (data: Reports, request: ReportRequest): Promise<ReportRow[]> =>
  readWithSettings(data, 'report', reportSql(request))
