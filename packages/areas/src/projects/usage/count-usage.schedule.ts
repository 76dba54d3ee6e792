import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'

const EVERY_MS = 3_600_000
/** Days that are counted again: a mail of yesterday is sent today. */
const DAYS = 3
const PAGE = 1_000

/** The usage of a project that has moved went with it. */
const SIDES = `select id from projects where deleted_at is null and ($1::uuid is null or id > $1)
  and not exists (select from project_locations l where l.id = projects.id) order by id limit $2`
const COUNT = `
  select app.count_usage($1, day::date)
  from generate_series((now() at time zone 'UTC')::date - $2::int + 1, (now() at time zone 'UTC')::date, interval '1 day') as day`
const FORGET =
  "delete from project_usage where day < date_trunc('month', now() at time zone 'UTC') - interval '24 months'"
const FORGET_PROCESSES = "delete from request_counters where counted_at < now() - interval '30 days'"

/** Counts from rows what each side of each project has used in the last days, and forgets what is older than 24 months. */
export const countUsage = defineSchedule({
  name: 'projects.count-usage',
  every: EVERY_MS,
  run: async ({ housekeeping, log, signal }) => {
    let last: string | null = null
    for (;;) {
      const { rows }: { rows: { id: string }[] } = await housekeeping.query<{ id: string }>(SIDES, [
        last,
        PAGE,
      ])
      for (const { id } of rows) {
        if (signal.aborted) return
        await housekeeping
          .query(COUNT, [id, DAYS])
          .catch((error) =>
            log.error({ err: error, project_id: id }, 'the usage of a project could not be counted'),
          )
      }
      last = rows.at(-1)?.id ?? null
      if (last === null) break
    }
    await housekeeping.query(FORGET)
    await housekeeping.query(FORGET_PROCESSES)
  },
})
