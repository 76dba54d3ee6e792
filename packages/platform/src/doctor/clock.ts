import { type Finding, fault, ok } from './finding.ts'

/** Seconds by which the clocks of this machine and PostgreSQL's may differ. */
const CLOCK_SECONDS = 2

/** Answers a statement: a client or a pool. */
interface Asked {
  query(sql: string): Promise<{ rows: { now: string }[] }>
}

/** Seconds by which the clock of PostgreSQL is ahead of the one of this machine. */
export async function clockOffset(database: Asked): Promise<number> {
  const before = Date.now()
  const { rows } = await database.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  )
  return (Number(rows[0]?.now) - (before + Date.now()) / 2) / 1_000
}

/** Compares the clock of this machine with the one of PostgreSQL. */
export async function examineClock(database: Asked): Promise<Finding> {
  const off = await clockOffset(database)
  if (Math.abs(off) <= CLOCK_SECONDS) return ok('clock', 'this machine and PostgreSQL agree')
  return fault(
    'clock',
    `the clock of PostgreSQL is ${Math.abs(off).toFixed(1)} s ${off > 0 ? 'ahead of' : 'behind'} the one of this machine`,
    'Let both machines take the time from NTP: signatures, tokens and schedules depend on it',
  )
}
