import { defineSchedule, type ScheduleRun } from './define-schedule.ts'

const HOUR_MS = 3_600_000
/** Rows per statement, so that none holds many locks for long. */
const BATCH = 5_000

/** Deletes all rows of a table that the housekeeper can see: its policy there shows only rows that have expired. */
export async function deleteExpired(
  table: string,
  { housekeeping, signal, log }: ScheduleRun,
): Promise<void> {
  const statement = `delete from ${table} where ctid = any (array(select ctid from ${table} limit ${BATCH}))`
  let deleted = 0
  let last: number
  do {
    last = (await housekeeping.query(statement)).rowCount ?? 0
    deleted += last
  } while (last === BATCH && !signal.aborted)
  if (deleted > 0) log.info({ deleted }, 'deleted what is past its time')
}

/** Events are kept for 30 days. */
export const deleteOldEvents = defineSchedule({
  name: 'platform.delete-old-events',
  every: HOUR_MS,
  run: (run) => deleteExpired('events', run),
})

/** Jobs that are done or failed are kept for 7 days. */
export const deleteFinishedJobs = defineSchedule({
  name: 'platform.delete-finished-jobs',
  every: HOUR_MS,
  run: (run) => deleteExpired('jobs', run),
})

/**
 * Has PostgreSQL look at tables that have grown, so that plans are made again that connections have kept from when they were
 * empty (docs/decisions/0007). Mostly there are none, and a run is one statement of a millisecond.
 */
export const analyzeGrownTables = defineSchedule({
  name: 'platform.analyze-grown-tables',
  every: 15_000,
  run: async ({ housekeeping, log }) => {
    const { rows } = await housekeeping.query<{ name: string }>('select app.analyze_grown_tables() as name')
    if (rows.length > 0)
      log.info({ tables: rows.map(({ name }) => name) }, 'tables that have grown were analyzed')
  },
})
