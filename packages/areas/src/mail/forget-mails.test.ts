import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { forgetMails } from './forget-mails.schedule.ts'

let env: JobsEnvironment
beforeAll(async () => {
  env = await startJobsEnvironment('postgres')
})
afterAll(() => env.close())

const insert = (name: string, state: 'queued' | 'sent', age: string) =>
  Promise.all(
    env.projects.map((project) =>
      env.sql(
        `insert into mails (project_id, id, mail, to_address, to_name, state, sealed_values, finished_at, created_at)
         select $1, gen_random_uuid(), 'magic_link', 'ada@example.com', $2, $3,
           case when $3 = 'queued' then 'sealed'::bytea end, case when $3 = 'sent' then now() end, now() - $4::interval`,
        [project, name, state, age],
      ),
    ),
  )

test('what is queued for three days is given up with its secrets, what is 30 days old goes, in every project', async () => {
  await insert('young and queued', 'queued', '2 days 23 hours')
  await insert('old and queued', 'queued', '3 days 1 hour')
  await insert('sent', 'sent', '29 days 23 hours')
  await insert('sent long ago', 'sent', '30 days 1 hour')
  await insert('queued for ever', 'queued', '40 days')
  await runSchedule(forgetMails, env.config)
  const left = await env.sql(
    `select to_name as name, state, error, sealed_values is null as forgotten, count(*)::int as projects
     from mails group by 1, 2, 3, 4 order by 1`,
  )
  expect(left).toEqual([
    { name: 'old and queued', state: 'failed', error: 'abandoned', forgotten: true, projects: 2 },
    { name: 'sent', state: 'sent', error: null, forgotten: true, projects: 2 },
    { name: 'young and queued', state: 'queued', error: null, forgotten: false, projects: 2 },
  ])
})
