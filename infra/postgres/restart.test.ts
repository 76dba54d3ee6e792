import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '#platform/migrate/migrate.ts'
import { startApi } from '#testkit/api.ts'
import { makeProjects } from '#testkit/factories.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { within } from '#testkit/within.ts'
import { waitForEnd } from '../processes.ts'
import { startPostgres } from './server.ts'

interface Outcome {
  at: number
  status: number
  ms: number
  email: string
}

test('the API lives through a crash of PostgreSQL: 503 at once, then it serves again and nothing answered is lost', async () => {
  const dataDir = join(inject('servers').runFolder, `restart-${randomUUID()}`)
  let server = await startPostgres({ dataDir })
  onTestFinished(() => server.stop())
  await migrate({ databaseUrl: server.url, secretKey: TEST_SECRET_KEY })
  const database = { url: server.url, secretKey: TEST_SECRET_KEY, drop: async () => {} }
  const api = await startApi({ database })
  const [{ live }] = await makeProjects(api)
  const { key, id } = await live.makeKey({ permissions: ['admin'] })

  // Members are created all the while.
  const outcomes: Outcome[] = []
  let going = true
  const create = async (lane: number) => {
    for (let i = 0; going; i++) {
      const email = `m${lane}-${i}@example.com`
      const began = performance.now()
      const { status } = await live.admin.post('/members', { email })
      outcomes.push({ at: began, status, ms: performance.now() - began, email })
      await sleep(5)
    }
  }
  const lanes = Array.from({ length: 8 }, (_, lane) => create(lane))
  await sleep(500)

  // An immediate stop: nothing is finished, no client is notified.
  process.kill(server.pid, 'SIGQUIT')
  await waitForEnd(server.pid, 10_000)
  const away = performance.now()
  const asked = () => outcomes.filter(({ at }) => at > away)
  await expect.poll(() => asked().length).toBeGreaterThan(100)
  const during = asked()
  server = await startPostgres({ dataDir })
  expect(server.url).toBe(database.url)
  await within(3_000, async () => expect((await live.admin.get('/members?limit=1')).status).toBe(200))
  await sleep(500)
  going = false
  await Promise.all(lanes)

  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([201, 503]))
  expect(during.every(({ status }) => status === 503)).toBe(true)
  // Nobody is kept waiting for a database that is not there, but for those whom a stall of the machine catches.
  const waits = during.map(({ ms }) => ms).sort((a, b) => a - b)
  expect(waits[Math.floor(waits.length * 0.8)]).toBeLessThan(1_000)

  const created = outcomes.filter(({ status }) => status === 201).map(({ email }) => email)
  const { rows } = await api.owner.query<{ email: string }>('select email from members')
  const stored = new Set(rows.map(({ email }) => email))
  expect(created.filter((email) => !stored.has(email))).toEqual([])
  const { body } = await live.admin.get<{ pagination: { total: number } }>('/members?limit=1')
  expect(body.pagination.total).toBe(stored.size)
  const events = await api.owner.query("select from events where type = 'member.created'")
  expect(events.rowCount).toBe(stored.size)

  // Changes are heard of again.
  expect((await live.as(key).get('/api-keys/self')).status).toBe(200)
  await live.admin.delete(`/api-keys/${id}`)
  await within(1_000, async () =>
    expect(refusalOf(await live.as(key).get('/api-keys/self'))).toBe('401 INVALID_TOKEN'),
  )
  await api.close()
})
