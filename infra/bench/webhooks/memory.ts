/** What a worker takes in memory while far more is due than it can send. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { memberCreated } from '#areas/members/events.ts'
import { residentMiB } from '../http/questions.ts'
import type { Server } from '../rig.ts'
import { type Customers, ENDPOINTS, memberData } from './customers.ts'

const SAMPLE_MS = 200

/** Events and their due deliveries of one project, as the relay would have left them. */
const LOAD = `
  with made as (
    insert into events (project_id, id, type, payload, occurred_at)
    select $1, uuidv7(), $2, $3::json, now() from generate_series(1, $4::int)
    returning id, occurred_at
  )
  insert into webhook_deliveries (project_id, endpoint_id, event_id, event_type, due_at)
  select $1, e.id, m.id, $2, m.occurred_at from made m, webhook_endpoints e where e.project_id = $1`

/** Makes so many deliveries due, as the owner of the tables. */
export async function loadDue(owner: pg.Client, customers: Customers, count: number): Promise<void> {
  const payload = JSON.stringify(memberData(0))
  for (const projectId of customers.projects) {
    await owner.query("select set_config('app.project_id', $1, false)", [projectId])
    await owner.query(LOAD, [projectId, memberCreated.name, payload, Math.ceil(count / ENDPOINTS)])
  }
  await owner.query('vacuum (analyze) webhook_deliveries')
}

/** The most that a worker took, in MiB, in so many seconds of its work. */
export async function peakMiB(worker: Server, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1_000
  let peak = 0
  while (performance.now() < end) {
    peak = Math.max(peak, await residentMiB(worker))
    await sleep(SAMPLE_MS)
  }
  return peak
}

/** Deliveries that are still due. */
export async function countDue(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    'select count(*)::int as count from webhook_deliveries where due_at is not null',
  )
  return rows[0]?.count ?? Number.NaN
}
