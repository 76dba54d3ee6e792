import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { openPool } from '#platform/db/pool.ts'
import { RequestCounts } from '#platform/keys/request-counts.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { startApiProcess } from '#testkit/environments/api-process.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { countUsage } from './count-usage.schedule.ts'
import { usageOf } from './usage.ts'

let api: TestApi
withOwnApi(
  () => ({}),
  (opened) => {
    api = opened
  },
)

const newProject = async () => (await makeProjects(api))[0]
const usage = ({ project }: TestProject) => usageOf(api.operators, project.id)
const requests = async (project: TestProject) => (await usage(project))[0]?.live.requests ?? 0
const month = () => new Date().toISOString().slice(0, 7)

test('requests are counted once, by environment, those of two processes together', async () => {
  const project = await newProject()
  const second = await startApi({ database: api.database })
  const ask = (through: TestApi, key: string) => through.send('GET', '/api/v1/api-keys/self', { key })
  for (let n = 0; n < 5; n++) await ask(api, project.live.key)
  for (let n = 0; n < 3; n++) await ask(second, project.live.key)
  await ask(second, project.test.key)
  // Nobody's request.
  await api.send('GET', '/api/v1/api-keys/self')
  // A process that ends has added everything.
  await second.close()
  await api.deps.requestCounts.flush()
  expect(await usage(project)).toEqual([
    {
      month: month(),
      live: expect.objectContaining({ requests: 8 }),
      test: expect.objectContaining({ requests: 1 }),
    },
  ])
})

test('a count whose answer was lost is sent again, and changes nothing; what came meanwhile is counted, too', async () => {
  const project = await newProject()
  const pool = openPool(api.config, { role: 'keys', size: 1, onError: () => {} })
  let isLost = true
  const flaky = {
    query: async (...args: Parameters<Pool['query']>) => {
      const result = await pool.query(...args)
      if (isLost) throw new Error('the answer is lost')
      return result
    },
  } as unknown as Pool
  const counts = new RequestCounts(flaky, makeLog('silent', 'api'))
  for (let n = 0; n < 4; n++) counts.add(project.live.projectId)
  await counts.flush()
  expect(await requests(project)).toBe(4)
  for (let n = 0; n < 2; n++) counts.add(project.live.projectId)
  await counts.flush()
  expect(await requests(project)).toBe(4)
  isLost = false
  await counts.close()
  expect(await requests(project)).toBe(6)
  await pool.end()
})

test('a process that is killed loses the requests of its last seconds, and none is counted twice', async () => {
  const project = await newProject()
  const process = await startApiProcess(api.database)
  const ask = () =>
    fetch(`${process.url}/api/v1/api-keys/self`, { headers: { authorization: `Bearer ${project.live.key}` } })
  for (let n = 0; n < 10; n++) await ask()
  // Within its next write.
  await expect.poll(() => requests(project), SOON).toBe(10)
  await ask()
  await process.stop('SIGKILL')
  const again = await startApiProcess(api.database)
  await fetch(`${again.url}/api/v1/api-keys/self`, {
    headers: { authorization: `Bearer ${project.live.key}` },
  })
  await again.stop()
  expect(await requests(project)).toBe(11)
})

test('all else is counted from rows, however often, and is kept when the rows are gone', async () => {
  const project = await newProject()
  const { live } = project
  const { projectId } = live
  const { token } = await live.signIn()
  await live.signIn()
  await api.send('GET', '/api/v1/user/profile', { key: token })
  await api.owner.query(
    `insert into webhook_stats (project_id, endpoint_id, hour, delivered, durations)
     select $1, gen_random_uuid(), date_trunc('hour', now()), 3, '{0}' from generate_series(1, 2)`,
    [projectId],
  )
  await api.owner.query("insert into storage_usage (project_id, kind, bytes) values ($1, 'files', 500)", [
    projectId,
  ])
  await api.owner.query('delete from events where project_id = $1', [projectId])
  await api.owner.query(
    `insert into events (project_id, id, type, payload) select $1, app.uuid_v7(), 'member.created', '{}' from generate_series(1, 7)`,
    [projectId],
  )
  const run = () => runSchedule(countUsage, api.config)
  await run()
  await run()
  const counted = { active_members: 2, storage_bytes: 500, mails: 0, deliveries: 6, events: 7 }
  expect((await usage(project))[0]?.live).toMatchObject(counted)
  for (const table of ['events', 'webhook_stats', 'sessions'])
    await api.owner.query(`delete from ${table} where project_id = $1`, [projectId])
  await api.owner.query('update storage_usage set bytes = 100 where project_id = $1', [projectId])
  await run()
  expect((await usage(project))[0]?.live).toMatchObject(counted)
  expect((await usage(project))[0]?.test).toMatchObject({ active_members: 0, deliveries: 0 })
})

test('the days before an import have no usage, not even members who were active afterwards', async () => {
  const project = await newProject()
  const { projectId } = project.live
  await project.live.signIn()
  await api.owner.query(
    "update sessions set created_at = created_at - interval '3 days' where project_id = $1",
    [projectId],
  )
  await api.owner.query(
    `insert into project_acts (id, live_id, name, action, created_at)
     select app.uuid_v7(), $1, 'Brought', 'project.import', (now() at time zone 'UTC')::date at time zone 'UTC'`,
    [projectId],
  )
  await runSchedule(countUsage, api.config)
  const { rows } = await api.owner.query(
    `select (now() at time zone 'UTC')::date - day as days_ago, active_members::int from project_usage
     where side = $1 and active_members + events > 0`,
    [projectId],
  )
  expect(rows).toEqual([{ days_ago: 0, active_members: 1 }])
})

test('months are kept for two years', async () => {
  const project = await newProject()
  await api.owner.query(
    `insert into project_usage (side, day, requests)
     select $1, (date_trunc('month', now() at time zone 'UTC') - n * interval '1 month')::date, n from generate_series(1, 30) as n`,
    [project.live.projectId],
  )
  await runSchedule(countUsage, api.config)
  const months = await usage(project)
  expect(months.at(-1)?.live.requests).toBe(24)
  expect(months).toHaveLength(25)
  await expect(usageOf(api.operators, 'proj_none')).rejects.toMatchObject({ status: 404 })
})
