import { sql } from 'kysely'

// What time it is for a project, as SQL. On a test side the clock can be moved (decision 0008); on a live side it is real time.
// Which areas go by it is listed in packages/areas/catalog/clock.test.ts.

/** When the transaction began, by the project's clock: what `now()` is by the real one. */
export const now = sql<string>`(select app.project_now())`

/** This very moment by the project's clock: what `clock_timestamp()` is by the real one. */
export const thisMoment = sql<string>`((select app.project_now()) + (clock_timestamp() - now()))`

/** The day that it is in UTC, by the project's clock: what `current_date` is by the real one. */
export const today = sql<string>`((select app.project_now()) at time zone 'UTC')::date`
