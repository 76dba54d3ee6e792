import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startApi } from '#testkit/api.ts'

/** GET over an agent's connections: the status, and whether the connection is kept. */
const fetchOver = (agent: Agent, url: string) =>
  new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve([response.statusCode, response.headers.connection]))
    }).on('error', reject)
  })

test('closing answers every request that was sent before it, and waits for no unused connection', async () => {
  const api = await startApi({
    environment: { DRAIN_MS: '200' },
    extra: (routes) => {
      routes.get('/slow', { config: { access: 'open' }, schema: { hide: true } }, async () => {
        await sleep(300)
        return {}
      })
    },
  })
  const agent = new Agent({ keepAlive: true })
  const unused = connect(Number(new URL(api.url).port), '127.0.0.1')
  const isUnusedClosed = new Promise((resolve) => unused.once('close', resolve))
  await fetchOver(agent, `${api.url}/healthz`)

  const slow = Array.from({ length: 20 }, () => fetchOver(agent, `${api.url}/api/v1/slow`))
  // Sent, but not read yet: closing begins in the same turn of the event loop.
  const began = Date.now()
  const closed = api.close()
  expect(await Promise.all(slow)).toEqual(Array(20).fill([200, 'close']))
  await Promise.all([closed, isUnusedClosed])
  // Less than the 10 s after which an unused connection ends by itself.
  expect(Date.now() - began).toBeLessThan(9_000)
})

test('/readyz says that it closes before the connections end', async () => {
  const api = await startApi({ environment: { DRAIN_MS: '200' } })
  const agent = new Agent({ keepAlive: true })
  await fetchOver(agent, `${api.url}/readyz`)
  const closed = api.close()
  expect(await fetchOver(agent, `${api.url}/readyz`)).toEqual([503, 'close'])
  await closed
})

test('closing answers what was sent before it, also where the process stands still for longer than its pause', async () => {
  const api = await startApi({ environment: { DRAIN_MS: '50' } })
  const agent = new Agent({ keepAlive: true })
  const connected = connect(Number(new URL(api.url).port), '127.0.0.1')
  await once(connected, 'connect')
  const answer = once(connected, 'data')
  connected.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
  const fetched = fetchOver(agent, `${api.url}/readyz`)
  const closed = api.close()
  // Waits until the pause has begun.
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect(String(await answer)).toMatch(/^HTTP\/1.1 503 /)
  expect(await fetched).toEqual([503, 'close'])
  await closed
})
