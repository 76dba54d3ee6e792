import { afterAll, beforeAll, expect, test } from 'vitest'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { forgetIdempotencyKeys } from './delete-expired-keys.schedule.ts'

let env: JobsEnvironment
beforeAll(async () => {
  env = await startJobsEnvironment('postgres')
})
afterAll(() => env.close())

test('keys are forgotten after 24 hours, in every project, and not before', async () => {
  const ages = ["interval '23 hours 59 minutes'", "interval '24 hours 1 minute'", "interval '30 days'"]
  for (const project of env.projects)
    for (const age of ages)
      await env.sql(
        `insert into idempotency_keys (project_id, scope, key, fingerprint, token, status, created_at)
         values ($1, 'secret_key', $2, '', gen_random_uuid(), 201, now() - ${age})`,
        [project, age],
      )
  await runSchedule(forgetIdempotencyKeys, env.config)
  const left = await env.sql<{ key: string; projects: number }>(
    'select key, count(distinct project_id)::int as projects from idempotency_keys group by key',
  )
  expect(left).toEqual([{ key: ages[0], projects: 2 }])
})
