import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { jobsNamed, sampleJob } from '#testkit/areas/sample-job.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { ownTime } from '#testkit/own-time.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import {
  startCluster,
  startSentinel,
  type TestCluster,
  type TestSentinel,
} from '#testkit/servers/redis-groups.ts'
import { SOON } from '#testkit/soon.ts'
import { RateLimiter } from '../http/limits/rate-limiter.ts'
import { newUuid } from '../ids.ts'
import { connectRedis, type RedisClient } from '../redis/connect-redis.ts'
import { explainRedis } from '../redis/explain-redis.ts'
import { enqueue } from './enqueue.ts'
import { defineKeyedConsumer } from './queues/work-signal.ts'

const done: string[] = []
const job = sampleJob('sample.groups', async (_run, note) => {
  done.push(note)
})

/** As API processes count limits, but a Redis that waits for a processor has longer to answer. */
const limiting = {
  enableOfflineQueue: false,
  commandTimeout: 5_000,
  socketTimeout: 10_000,
  maxRetriesPerRequest: 1,
}
const clients: RedisClient[] = []
async function openLimiter(url: string, errors: unknown[] = []): Promise<RateLimiter> {
  const client = connectRedis(url, { ...limiting, connectionName: 'limits' }, (error) => errors.push(error))
  clients.push(client)
  await vi.waitFor(() => client.ping(), SOON)
  return new RateLimiter(client, (error) => errors.push(error))
}
afterAll(() => {
  for (const client of clients) client.disconnect()
})

/** Runs a job, and tells how long the worker then takes to stop. */
async function work(env: JobsEnvironment, note: string): Promise<number> {
  const worker = env.start({ jobs: [job] })
  await env.data().write((ctx) => enqueue(ctx, job, { note }))
  await vi.waitFor(() => expect(done).toContain(note), SOON)
  return ownTime(() => worker.stop())
}

/** Of `times` at once, by one process or two, as many are allowed as there are points. */
async function expectExact(limiters: readonly RateLimiter[], points: number, times: number): Promise<void> {
  const id = newUuid()
  const answers = await Promise.all(
    Array.from({ length: times }, (_, n) =>
      (limiters[n % limiters.length] as RateLimiter).take({ policy: 'key', id, points }),
    ),
  )
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(points)
}

describeWithRedis('on a Redis Cluster', () => {
  let cluster: TestCluster
  let env: JobsEnvironment
  beforeAll(async () => {
    cluster = await startCluster()
    env = await startJobsEnvironment('postgres', { REDIS_URL: cluster.url })
  })
  afterAll(async () => {
    await env.close()
    await cluster.stop()
  })

  test('lanes are spread over its nodes, a job runs, and an idle worker stops within 2 s', async () => {
    expect(await work(env, 'all nodes')).toBeLessThan(2_000)
    const keys = await Promise.all(
      cluster.nodes.map(async ({ url }) => {
        const node = new Redis(url)
        const found = await node.keys('*')
        node.disconnect()
        return found.length
      }),
    )
    expect(keys.filter((count) => count > 0).length).toBeGreaterThan(1)
  })

  test('limits are exact over two processes', async () => {
    const errors: unknown[] = []
    const limiters = [await openLimiter(cluster.url, errors), await openLimiter(cluster.url, errors)]
    for (let id = 0; id < 5; id++) await expectExact(limiters, 12, 40)
    expect(errors).toEqual([])
  })

  test('with a node gone requests are counted, an idle worker stops within 2 s, and nothing is lost', async () => {
    const limiters = [await openLimiter(cluster.url)]
    const gone = cluster.nodes[1]
    const worker = env.start({ jobs: [job] })
    await gone?.stop()
    for (let id = 0; id < 4; id++) await expectExact(limiters, 5, 8)
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'a node gone' }))
    expect(await ownTime(() => worker.stop())).toBeLessThan(2_000)
    await gone?.restart()
    const next = env.start({ jobs: [job] })
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'the node is back' }))
    await vi.waitFor(async () => {
      const rows = await jobsNamed(env, job.name)
      expect(rows.map(({ note }) => note)).toContain('the node is back')
      expect(rows.every(({ state }) => state === 'done')).toBe(true)
    }, SOON)
    await next.stop()
  })

  test('one node of it alone is reported as too few', async () => {
    const errors: unknown[] = []
    const limiter = await openLimiter(cluster.nodes[0]?.url ?? '', errors)
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await limiter.take({ policy: 'key', id, points: 5 })
    expect(errors.map((error) => String(explainRedis(error)))).toContain(
      'Error: REDIS_URL names one node of a Redis Cluster: name several of its nodes, separated by commas',
    )
  })
})

describeWithRedis('with a sentinel', () => {
  let sentinel: TestSentinel
  let env: JobsEnvironment
  beforeAll(async () => {
    sentinel = await startSentinel()
    env = await startJobsEnvironment('postgres', { REDIS_URL: sentinel.url })
  })
  afterAll(async () => {
    await env.close()
    await sentinel.stop()
  })

  test('jobs run and limits count, also after the master has gone and a replica has taken its place', async () => {
    await work(env, 'the first master')
    const limiter = await openLimiter(sentinel.url)
    await expectExact([limiter], 5, 8)
    await sentinel.master.stop()
    await expectExact([limiter], 5, 8)
    await work(env, 'the second master')
    await expectExact([await openLimiter(sentinel.url)], 5, 8)
  })
})

describeWithRedis('a Redis that is away', () => {
  test('when a worker starts is waited for: the worker works once it is there', async () => {
    const port = await freePort()
    const env = await startJobsEnvironment('postgres', { REDIS_URL: `redis://127.0.0.1:${port}` })
    const worker = env.start({ jobs: [job] })
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'before Redis' }))
    await vi.waitFor(async () => expect(await jobsNamed(env, job.name)).toHaveLength(1), SOON)
    const redis = await startRedis({ port })
    await vi.waitFor(() => expect(done).toContain('before Redis'), SOON)
    await worker.stop()
    await env.close()
    await redis.stop()
  })

  test('when a worker starts holds up no run that a relay begins in its own process', async () => {
    const port = await freePort()
    const env = await startJobsEnvironment('postgres', { REDIS_URL: `redis://127.0.0.1:${port}` })
    const keys: string[] = []
    const consumer = defineKeyedConsumer({
      name: 'sample',
      runsDirectly: true,
      start: () => ({ run: async ({ key }) => void keys.push(key), close: async () => undefined }),
    })
    const fanOut = {
      signals: "select 'webhooks' as lane, 'sample' as consumer, project_id, id::text as key from emitted",
    }
    const worker = env.start({ jobs: [job], consumers: [consumer], fanOuts: [fanOut] })
    // This one has to be signaled by the queue.
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'waits for Redis' }))
    await vi.waitFor(async () => expect(await env.sql('select from outbox')).toEqual([]), SOON)
    const events = [newUuid(), newUuid(), newUuid()]
    for (const id of events) {
      await env.sql(
        `insert into outbox (project_id, id, kind, name) values ($1, $2, 'event', 'sample.happened')`,
        [env.projects[0], id],
      )
      await vi.waitFor(() => expect(keys).toContain(id), SOON)
    }
    await worker.stop()
    await env.close()
  })
})

describeWithRedis('a Redis that asks for a password', () => {
  test('that it was not given is named in a sentence, and requests are counted', async () => {
    const redis = await startRedis({ settings: ['--requirepass', 'hush'] })
    const errors: unknown[] = []
    const client = connectRedis(redis.url, { ...limiting, connectionName: 'limits' }, (error) =>
      errors.push(error),
    )
    clients.push(client)
    const limiter = new RateLimiter(client, (error) => errors.push(error))
    await vi.waitFor(async () => {
      await limiter.take({ policy: 'key', id: 'x', points: 1_000 })
      expect(errors.map((error) => String(explainRedis(error)))).toContain(
        'Error: Redis asks for a password that REDIS_URL does not have',
      )
    }, SOON)
    client.disconnect()
    await redis.stop()
  })
})
