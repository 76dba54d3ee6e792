import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { toId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase } from '#testkit/database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { startFreezingProxy } from '#testkit/servers/freezing-proxy.ts'
import { tcpReceiver } from '#testkit/servers/receiver.ts'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'

interface Ready {
  status: string
  dependencies: Record<string, { ok: boolean; latency_ms: number }>
}

let api: TestApi
let side: Side
withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one] = await makeProjects(api)
    side = one.live
  },
)

test('/healthz says that the process runs, and of which version it is', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(await api.send('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok', version } })
  const { body } = await api.send<{ info: { version: string } }>('GET', '/openapi.json')
  expect(body.info.version).toBe(version)
})

test('/readyz says how long each dependency takes to answer', async () => {
  const { status, body } = await api.send<Ready>('GET', '/readyz')
  expect([status, body.status]).toEqual([200, 'ready'])
  expect(body.dependencies).toEqual({
    postgres: { ok: true, latency_ms: expect.any(Number) },
    change_feed: { ok: true },
  })
})

test('/readyz asks nobody twice within a second, however often it is asked', async () => {
  let queries = 0
  const count = () => {
    queries += 1
  }
  api.deps.pool.on('acquire', count)
  const answers = await Promise.all(Array.from({ length: 50 }, () => api.send<Ready>('GET', '/readyz')))
  api.deps.pool.off('acquire', count)
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(queries).toBeLessThanOrEqual(2)
})

describe('/metrics', () => {
  const metrics = async () => (await api.send<string>('GET', '/metrics')).body

  test('is answered to who asks the process itself, and to nobody behind a proxy', async () => {
    expect(await metrics()).toContain('guildhall_info')
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    expect(await api.send('GET', '/metrics', { headers })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })

  test('counts requests by the pattern of their route, never by what was asked for', async () => {
    const { id } = await side.makeMember()
    await side.admin.get(`/members/${id}`)
    await side.admin.get(`/members/none-${id}`)
    await api.send('GET', `/no/such/path/${id}`)
    const text = await metrics()
    const count = (labels: string) =>
      new RegExp(`guildhall_http_request_duration_seconds_count\\{${labels}\\} (\\d+)`).exec(text)?.[1]
    expect(count('method="GET",route="/api/v1/members/:id",status="200"')).toBe('1')
    expect(count('method="GET",route="/api/v1/members/:id",status="404"')).toBe('1')
    expect(text).not.toContain(id)
    expect(text).not.toContain('/no/such')
    expect(text).toContain('process_resident_memory_bytes')
  })

  test('asks PostgreSQL itself, so that a process without requests knows that it is away', async () => {
    expect(await metrics()).toContain('guildhall_server_up{server="postgresql"} 1')
  })

  test('says the version, what connections are in use, which projects are busy, and which limits refuse', async () => {
    await side.admin.get('/members')
    const { key } = await side.makeKey({ type: 'public' })
    const refresh = () =>
      side.as(key).post('/auth/refresh', { refresh_token: 'x' }, { from: '198.51.100.91' })
    await Promise.all(Array.from({ length: 21 }, refresh))
    const text = await metrics()
    expect(text).toMatch(/^guildhall_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    expect(text).toMatch(/^guildhall_pool_size\{pool="api"\} [1-9]/m)
    expect(text).toMatch(/^guildhall_pool_waiting\{pool="api"\} 0$/m)
    expect(text).toMatch(
      new RegExp(`^guildhall_project_requests\\{project="${toId('project', side.projectId)}"\\} [1-9]`, 'm'),
    )
    expect(text).toMatch(/^guildhall_limits_refused_total\{policy="authentication"\} [1-9]/m)
  })

  test('measures the delays of the event loop from the first time that somebody asks', async () => {
    const delay = async () => Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await metrics())?.[1])
    await vi.waitFor(async () => expect(await delay()).toBeGreaterThan(0), SOON)
  })

  test('does not grow with what strangers send', async () => {
    const before = (await metrics()).length
    for (let i = 0; i < 50; i++)
      await api.send('GET', `/strange/${i}`, { headers: { 'x-request-id': `r${i}` } })
    const after = (await metrics()).length
    expect(after - before).toBeLessThan(2_000)
  })
})

describeWithRedis('/readyz with Redis', () => {
  test('names it, and serves without it', async () => {
    const redis = await startRedis()
    const limited = await startApi({ environment: { REDIS_URL: redis.url } })
    const ask = async () => {
      const { status, body } = await limited.send<Ready>('GET', '/readyz')
      return [status, body.status, body.dependencies['redis']?.ok]
    }
    await expect.poll(ask).toEqual([200, 'ready', true])
    await redis.stop()
    await expect.poll(ask).toEqual([200, 'ready', false])
    await limited.close()
  })
})

test('/readyz answers before a probe of 3 s gives up, while everything that it asks is frozen', async () => {
  const database = await cloneDatabase()
  const proxy = await startFreezingProxy(database.url)
  const s3 = await tcpReceiver(() => undefined)
  const environment = {
    S3_ENDPOINT: `http://127.0.0.1:${s3.port}`,
    S3_BUCKET: 'guildhall',
    S3_ACCESS_KEY_ID: 'guildhall',
    S3_SECRET_ACCESS_KEY: 'guildhall',
  }
  const frozen = await startApi({ database: { ...database, url: proxy.url }, environment })
  onTestFinished(async () => {
    proxy.thaw()
    await s3.close()
    await frozen.close()
    await proxy.close()
    await database.drop()
  })
  proxy.freeze()
  // The change feed relies on its last heartbeat for a second.
  await sleep(1_000)
  const begun = performance.now()
  const answer = await fetch(`${frozen.url}/readyz`)
  const { dependencies } = (await answer.json()) as Ready
  expect(performance.now() - begun).toBeLessThan(3_000)
  expect([answer.status, dependencies]).toMatchObject([
    503,
    { postgres: { ok: false }, s3: { ok: false }, change_feed: { ok: false } },
  ])
})
