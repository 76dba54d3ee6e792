import { type Finding, fault, ok } from './finding.ts'

/** Seconds by which the clocks of this machine and PostgreSQL's may differ. */
const CLOCK_SECONDS = 2

/** Answers a statement: a client or a pool. */
interface Asked {
  query(sql: string): Promise<{ rows: { now: string }[] }>
}

/** Compares the clock of this machine with the one of PostgreSQL. */
export async function examineClock(database: Asked): Promise<Finding> {
  const before = Date.now()
  const { rows } = await database.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  )
  const off = (Number(rows[0]?.now) - (before + Date.now()) / 2) / 1_000
  if (Math.abs(off) <= CLOCK_SECONDS) return ok('clock', 'this machine and PostgreSQL agree')
  return fault(
    'clock',
    `the clock of PostgreSQL is ${Math.abs(off).toFixed(1)} s ${off > 0 ? 'ahead of' : 'behind'} the one of this machine`,
    'Let both machines take the time from NTP: signatures, tokens and schedules depend on it',
  )
}
