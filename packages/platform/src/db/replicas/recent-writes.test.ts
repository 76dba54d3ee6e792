import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import { RecentWrites } from './recent-writes.ts'

const NEVER = Number.NEGATIVE_INFINITY
const ALWAYS = Number.POSITIVE_INFINITY
const silent = () => undefined

test('a process knows who has written through it, and when at the latest', async () => {
  const writes = new RecentWrites(undefined, 10_000, silent)
  expect(await writes.lastOf(['one'])).toBe(NEVER)
  const before = performance.now()
  await writes.note(['one', 'other'])
  expect(await writes.lastOf(['one'])).toBeGreaterThanOrEqual(before)
  expect(await writes.lastOf(['one'])).toBeLessThanOrEqual(performance.now())
  expect(await writes.lastOf(['third', 'other'])).toBeGreaterThanOrEqual(before)
  expect(await writes.lastOf(['third'])).toBe(NEVER)
})

describeWithRedis('processes that share a Redis', () => {
  const open = async (keptMs = 10_000) => {
    const redis = await startRedis()
    const clients = [0, 1].map(() => new Redis(redis.url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 }))
    for (const client of clients) client.on('error', silent)
    onTestFinished(async () => {
      for (const client of clients) client.disconnect()
      await redis.stop()
    })
    return { redis, processes: clients.map((client) => new RecentWrites(client, keptMs, silent)) }
  }

  test('a write is known to another process from the moment at which it sees it, once', async () => {
    const [one, other] = (await open()).processes as [RecentWrites, RecentWrites]
    await one.note(['key'])
    const before = performance.now()
    const found = await other.lastOf(['key', 'nobody'])
    expect(found).toBeGreaterThanOrEqual(before)
    expect(await other.lastOf(['key'])).toBe(found)
    await one.note(['key'])
    expect(await other.lastOf(['key'])).toBeGreaterThan(found)
  })

  test('a write counts for as long as a replica may be behind', async () => {
    const { redis, processes } = await open(60_000)
    await processes[0]?.note(['key'])
    const client = new Redis(redis.url)
    const left = await client.pttl('wrote:key')
    client.disconnect()
    expect(left).toBeGreaterThan(30_000)
    expect(left).toBeLessThanOrEqual(60_000)
  })

  test('while Redis is away, nobody is said to have written nothing', async () => {
    const { redis, processes } = await open()
    expect(await processes[0]?.lastOf(['key'])).toBe(NEVER)
    await redis.stop()
    expect(await processes[0]?.lastOf(['key'])).toBe(ALWAYS)
  })
})
