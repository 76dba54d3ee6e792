import { Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { RecentWrites } from './recent-writes.ts'

const silent = Object.assign(() => undefined, { over: () => undefined })

test('a process knows who has written through it, and nobody else', async () => {
  const writes = new RecentWrites(undefined, 60_000, silent)
  expect(await writes.haveWritten(['one'])).toBe(false)
  await writes.note(['one', 'other'])
  expect(await writes.haveWritten(['one'])).toBe(true)
  expect(await writes.haveWritten(['third', 'other'])).toBe(true)
  expect(await writes.haveWritten(['third'])).toBe(false)
})

test('a write counts for as long as a replica may be behind, from the last one on', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const writes = new RecentWrites(undefined, 1_000, silent)
  await writes.note(['one'])
  vi.advanceTimersByTime(999)
  expect(await writes.haveWritten(['one'])).toBe(true)
  await writes.note(['one'])
  vi.advanceTimersByTime(999)
  expect(await writes.haveWritten(['one'])).toBe(true)
  vi.advanceTimersByTime(2)
  expect(await writes.haveWritten(['one'])).toBe(false)
})

describeWithRedis('processes that share a Redis', () => {
  const open = async (keptMs = 60_000) => {
    const redis = await startRedis()
    const clients = [0, 1].map(() => new Redis(redis.url, { maxRetriesPerRequest: 1, commandTimeout: 2_000 }))
    for (const client of clients) client.on('error', silent)
    onTestFinished(async () => {
      for (const client of clients) client.disconnect()
      await redis.stop()
    })
    const [one, other] = clients.map((client) => new RecentWrites(client, keptMs, silent))
    return { redis, one: one as RecentWrites, other: other as RecentWrites }
  }

  test('a write is known to another process as soon as it is noted', async () => {
    const { one, other } = await open()
    await one.note(['key'])
    expect(await other.haveWritten(['nobody', 'key'])).toBe(true)
    expect(await other.haveWritten(['nobody'])).toBe(false)
  })

  test('a write is forgotten by another process when no replica may be so far behind', async () => {
    const { one, other } = await open(500)
    await one.note(['key'])
    await vi.waitFor(async () => expect(await other.haveWritten(['key'])).toBe(false), SOON)
  })

  test('while Redis is away, everybody counts as somebody who has written', async () => {
    const { redis, one } = await open()
    expect(await one.haveWritten(['key'])).toBe(false)
    await redis.stop()
    expect(await one.haveWritten(['key'])).toBe(true)
  })
})
