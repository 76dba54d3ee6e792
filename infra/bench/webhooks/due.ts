/** Far more that is due than a worker can send. */
import type pg from 'pg'
import { memberCreated } from '#areas/members/events.ts'
import { type Customers, ENDPOINTS, memberData } from './customers.ts'

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
