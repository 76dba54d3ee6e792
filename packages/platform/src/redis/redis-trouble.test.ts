import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { sampleJob } from '#testkit/areas/sample-job.ts'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { ownTime } from '#testkit/own-time.ts'
import { type Certificates, makeCertificates, trust } from '#testkit/servers/certificates.ts'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import {
  startCluster,
  startSentinel,
  type TestCluster,
  type TestSentinel,
} from '#testkit/servers/redis-groups.ts'
import { SOON } from '#testkit/soon.ts'
import { RateLimiter } from '../http/limits/rate-limiter.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { connectRedis, type RedisClient } from './connect-redis.ts'
import { explainRedis } from './explain-redis.ts'

/** As API processes count limits. */
const LIMITING = {
  connectionName: 'limits',
  enableOfflineQueue: false,
  commandTimeout: 200,
  socketTimeout: 1_000,
  maxRetriesPerRequest: 1,
  connectTimeout: 500,
}

const clients: RedisClient[] = []
afterAll(() => {
  for (const client of clients) client.disconnect()
})

/** Counts as an API process does, and keeps what would be in the log. */
function openLimiter(url: string) {
  const reported = new Set<string>()
  const report = (error: unknown) => reported.add((explainRedis(error) as Error).message)
  const client = connectRedis(url, LIMITING, report)
  clients.push(client)
  return { client, reported, limiter: new RateLimiter(client, report) }
}
type Limiting = ReturnType<typeof openLimiter>

const count = async ({ limiter }: Limiting, id: string, points: number) =>
  (await limiter.take({ policy: 'key', id, points })).remaining

/** Requests are counted all the while, in the process where it must be. */
const untilReported = (limiting: Limiting, sentence: string | RegExp) =>
  vi.waitFor(async () => {
    await count(limiting, 'any', 1_000_000)
    expect([...limiting.reported]).toContainEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    )
  }, SOON)

/** Whether two processes count together. */
const untilShared = (url: string) =>
  vi.waitFor(async () => {
    const [one, other] = [openLimiter(url), openLimiter(url)]
    await vi.waitFor(() => Promise.all([one.client.ping(), other.client.ping()]), SOON)
    const id = String(Math.random())
    expect(await count(one, id, 10)).toBe(9)
    expect(await count(other, id, 10)).toBe(8)
  }, SOON)

describeWithRedis('by TLS', () => {
  let certificates: Certificates
  let distrust: () => void
  beforeAll(async () => {
    certificates = await makeCertificates(inject('servers').runFolder)
    distrust = trust(certificates)
  })
  afterAll(() => distrust())

  test('one Redis counts limits; a certificate that nobody trusts and a wrong port are named in a sentence', async () => {
    const server = await startRedis({ certificates })
    const plain = await startRedis()
    await untilShared(server.url)
    distrust()
    await untilReported(
      openLimiter(server.url),
      /^Redis shows a certificate that this process does not trust/,
    )
    distrust = trust(certificates)
    await untilReported(
      openLimiter(plain.url.replace('redis:', 'rediss:')),
      'REDIS_URL begins with rediss, but Redis does not answer by TLS: name its TLS port',
    )
    await server.stop()
    await plain.stop()
  })

  describe('sentinels', () => {
    let sentinel: TestSentinel
    beforeAll(async () => {
      // One that needs a second vote goes on naming a master that is gone.
      sentinel = await startSentinel({ certificates, votes: 2 })
    })
    afterAll(() => sentinel.stop())

    test('lead to their master, and are named in a sentence where they know none, or ask for a password', async () => {
      await untilShared(sentinel.url)
      await untilReported(
        openLimiter(sentinel.url.replace('/guildhall', '/other')),
        'The sentinels of REDIS_URL know no master of the name that it has',
      )
      await untilReported(
        openLimiter(`rediss+sentinel://${sentinel.host}/guildhall`),
        'Redis asks for a password that REDIS_URL does not have',
      )
      const closed = await startRedis({ settings: ['--requirepass', 'hush'] })
      await untilReported(
        openLimiter(`redis+sentinel://${new URL(closed.url).host}/guildhall`),
        'The sentinels ask for a password: add it to REDIS_URL as ?sentinel_password=',
      )
      await closed.stop()
    })

    test('that name a dead master are named in a sentence, requests are counted, and it is used once it is back', async () => {
      const limiting = openLimiter(sentinel.url)
      await vi.waitFor(() => limiting.client.ping(), SOON)
      await sentinel.master.stop()
      await untilReported(
        limiting,
        /^The sentinels of REDIS_URL name a master that does not answer: 127.0.0.1:\d+$/,
      )
      expect(await count(limiting, 'meanwhile', 10)).toBe(9)
      expect(await count(limiting, 'meanwhile', 10)).toBe(8)
      await sentinel.master.restart()
      await untilShared(sentinel.url)
    })
  })

  describe('a cluster', () => {
    let cluster: TestCluster
    let env: JobsEnvironment
    beforeAll(async () => {
      cluster = await startCluster(certificates)
      env = await startJobsEnvironment('postgres', { REDIS_URL: cluster.url })
    })
    afterAll(async () => {
      await env.close()
      await cluster.stop()
    })

    test('that loses most of its nodes is named in a sentence; requests are counted, an idle worker stops within 2 s, and work is done once it is back', async () => {
      const done: string[] = []
      const job = sampleJob('sample.majority', async (_run, note) => {
        done.push(note)
      })
      await untilShared(cluster.url)
      const limiting = openLimiter(cluster.url)
      const [worker, other] = [env.start({ jobs: [job] }), env.start({ jobs: [job] })]
      await env.data().write((ctx) => enqueue(ctx, job, { note: 'before' }))
      await vi.waitFor(() => expect(done).toEqual(['before']), SOON)
      const lost = cluster.nodes.slice(1)
      for (const node of lost) await node.stop()
      await vi.waitFor(async () => {
        for (let id = 0; id < 20; id++) await count(limiting, `${id}`, 1_000)
        expect([...limiting.reported]).toContain(
          'The Redis Cluster does not serve: most of its masters are gone, or some slots have no node',
        )
      }, SOON)
      expect(await count(limiting, 'meanwhile', 10)).toBe(9)
      expect(await count(limiting, 'meanwhile', 10)).toBe(8)
      await env.data().write((ctx) => enqueue(ctx, job, { note: 'meanwhile' }))
      expect(await ownTime(() => worker.stop())).toBeLessThan(2_000)
      for (const node of lost) await node.restart()
      await vi.waitFor(() => expect(done).toEqual(['before', 'meanwhile']), SOON)
      await other.stop()
    })
  })
})

describe('errors of Redis and its clients are reported in a sentence', () => {
  test.each([
    ['READONLY You can’t write against a read only replica.', /leads to a replica/],
    ["OOM command not allowed when used memory > 'maxmemory'.", /no memory left/],
    [
      'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN Hash slot not served',
      /^The Redis Cluster does/,
    ],
    [
      'All sentinels are unreachable. Retrying from scratch after 50ms. Last error: connect ECONNREFUSED',
      /^No sentinel/,
    ],
  ])('%s', (message, sentence) => {
    expect((explainRedis(new Error(message)) as Error).message).toMatch(sentence)
  })

  test('and what needs none is left as it is', () => {
    const error = new Error('Connection is closed.')
    expect(explainRedis(error)).toBe(error)
    expect(explainRedis('text')).toBe('text')
  })
})
