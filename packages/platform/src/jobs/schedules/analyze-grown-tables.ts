import { defineSchedule } from './define-schedule.ts'

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
