import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { jobsNamed, sampleJob } from '#testkit/areas/sample-job.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { SOON } from '#testkit/soon.ts'
import { loginOf } from '../../db/logins.ts'
import { enqueue } from '../enqueue.ts'

let env: JobsEnvironment

beforeAll(async () => {
  env = await startJobsEnvironment('postgres')
})
afterEach(() => env.clear())
afterAll(() => env.close())

test('a worker that PostgreSQL refuses at its start does its work once it is let in', async () => {
  const { user } = loginOf(env.config.DATABASE_URL, 'queue', env.config.SECRET_KEY)
  const letIn = () => env.sql(`alter role "${user}" login`)
  onTestFinished(async () => {
    await letIn()
  })
  await env.sql(`alter role "${user}" nologin`)
  const done: string[] = []
  const job = sampleJob('sample.refused', async (run) => {
    done.push(run.id)
  })
  env.start({ jobs: [job] })
  await env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
  // By then the relay has tried to signal somebody.
  await vi.waitFor(async () => {
    expect(await env.sql('select from outbox')).toEqual([])
    expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'queued' }])
  }, SOON)
  await letIn()
  await vi.waitFor(() => expect(done).toHaveLength(1), SOON)
})
