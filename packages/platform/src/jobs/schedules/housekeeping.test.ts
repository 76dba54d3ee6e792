import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { SOON } from '#testkit/soon.ts'
import { deleteFinishedJobs, deleteOldEvents } from './housekeeping.ts'

let env: JobsEnvironment
beforeAll(async () => {
  env = await startJobsEnvironment('postgres')
})
afterAll(() => env.close())

test('events go after 30 days and finished jobs after 7, in every project; jobs that wait never do', async () => {
  for (const projectId of env.projects) {
    await env.sql(
      `insert into events (project_id, id, type, payload, occurred_at)
       select $1, gen_random_uuid(), days::text, '{}', now() - days * interval '1 day' from unnest('{1,29,31,400}'::int[]) days`,
      [projectId],
    )
    await env.sql(
      `insert into jobs (project_id, id, name, lane, payload, state, due_at, finished_at, created_at)
       select $1, gen_random_uuid(), days || ' ' || state, 'mail', '{}', state,
         case when state = 'queued' then now() + interval '1 day' end,
         case when state <> 'queued' then now() - days * interval '1 day' end,
         now() - days * interval '1 day'
       from unnest('{1,8}'::int[]) days, unnest('{done,failed,queued}'::text[]) state`,
      [projectId],
    )
  }
  const worker = env.start({ schedules: [deleteOldEvents, deleteFinishedJobs] })
  const left = (table: string, column: string) =>
    env.sql<{ name: string; count: number }>(
      `select ${column} as name, count(*)::int from ${table} group by 1 order by 1`,
    )
  await vi.waitFor(async () => {
    expect(await left('events', 'type')).toEqual([
      { name: '1', count: 2 },
      { name: '29', count: 2 },
    ])
    expect(await left('jobs', 'name')).toEqual([
      { name: '1 done', count: 2 },
      { name: '1 failed', count: 2 },
      { name: '1 queued', count: 2 },
      { name: '8 queued', count: 2 },
    ])
  }, SOON)
  await worker.stop()
})
