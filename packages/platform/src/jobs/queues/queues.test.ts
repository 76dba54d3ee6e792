import { expect, inject, onTestFinished, test } from 'vitest'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { parseConfig } from '../../parse-config.ts'
import { makeLog } from '../../telemetry/log.ts'
import { Queues } from './queues.ts'

describeWithRedis('a Redis that goes and comes back', () => {
  test('is told by the log also where nothing is signaled meanwhile', async () => {
    const redis = await startRedis()
    const said: string[] = []
    const log = makeLog('info', 'tests', { write: (line) => said.push(JSON.parse(line).msg) })
    const queues = new Queues(
      parseConfig({
        DATABASE_URL: inject('servers').postgresUrl,
        SECRET_KEY: TEST_SECRET_KEY,
        REDIS_URL: redis.url,
      }),
      log,
    )
    onTestFinished(() => queues.close())
    await queues.of('default').waitUntilReady()
    expect(said).toEqual([])
    await redis.stop()
    await expect.poll(() => said, SOON).toContain('the queue is away; what is due waits for it')
    expect(said.at(-1)).not.toMatch(/^over/)
    const back = await startRedis({ port: Number(new URL(redis.url).port) })
    onTestFinished(() => back.stop())
    await expect.poll(() => said.at(-1), SOON).toBe('over: the queue is away; what is due waits for it')
  })
})
