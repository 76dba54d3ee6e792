import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sampleJob } from '#testkit/areas/sample-job.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { SOON } from '#testkit/soon.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { RelayListener, RelayNotifier } from './relay-notifications.ts'

const job = sampleJob('sample.announced', async () => undefined)
let env: JobsEnvironment
let listener: RelayListener
let heard = 0

beforeAll(async () => {
  env = await startJobsEnvironment('postgres')
  listener = new RelayListener(env.config, () => heard++)
  listener.start()
  // It signals once when it listens, for what it has missed.
  await vi.waitFor(() => expect(heard).toBe(1), SOON)
})
afterAll(async () => {
  await listener.close()
  await env.close()
})
beforeEach(() => {
  heard = 0
})

const write = () => env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
const becomes = (count: number) => vi.waitFor(() => expect(heard).toBe(count), SOON)

test('relays are notified of a committed row, and neither of one that was rolled back nor of a read', async () => {
  await write()
  await becomes(1)
  const refused = env.data().write(async (ctx) => {
    enqueue(ctx, job, { note: '' })
    throw new Error('thought better of it')
  })
  await expect(refused).rejects.toThrow('thought better of it')
  await env.data().write(async () => undefined)
  await write()
  // Notifications arrive in the order of their commits.
  await becomes(2)
})

test('a thousand commits at once are announced twice: at the first, and once after the last', async () => {
  const notifier = new RelayNotifier(env.config, () => undefined)
  for (let n = 0; n < 1_000; n++) notifier.notify()
  await becomes(2)
  await new Promise((resolve) => setTimeout(resolve, 20))
  notifier.notify()
  await becomes(3)
  await notifier.close()
})

test('a listener whose connection was cut connects again, and signals for what it may have missed', async () => {
  const cut = await env.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'guildhall relay' and datname = current_database()`,
  )
  expect(cut).toHaveLength(1)
  await becomes(1)
  await write()
  await becomes(2)
})

test('nothing depends on it: without a connection a commit succeeds', async () => {
  const errors: Error[] = []
  const url = new URL(env.config.DATABASE_URL)
  url.port = '1'
  const notifier = new RelayNotifier({ ...env.config, DATABASE_URL: url.href }, (error) => errors.push(error))
  notifier.notify()
  await vi.waitFor(() => expect(errors).toHaveLength(1), SOON)
  await notifier.close()
})
