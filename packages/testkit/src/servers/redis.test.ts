import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { describeWithRedis, startRedis } from './redis.ts'

describeWithRedis('a Redis of its own', () => {
  test('it is empty, keeps what it is given, and comes back empty on the same port', async () => {
    const first = await startRedis()
    const client = new Redis(first.url)
    expect(await client.dbsize()).toBe(0)
    await client.set('a', '1')
    expect(await client.get('a')).toBe('1')
    client.disconnect()
    await first.stop()

    const second = await startRedis({ port: Number(new URL(first.url).port) })
    const again = new Redis(second.url)
    expect(await again.dbsize()).toBe(0)
    again.disconnect()
    await second.stop()
  })
})
