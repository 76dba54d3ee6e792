import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { type ApiProcess, startApiProcess } from '#testkit/environments/api-process.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'

// A change to a key or its project is seen within a second by every process, also by one whose connection for changes
// was cut a moment before.

let api: TestApi
let process: ApiProcess
let side: Side

beforeAll(async () => {
  api = await startApi()
  process = await startApiProcess(api.database)
  const [one] = await makeProjects(api)
  side = one.live
})
afterAll(async () => {
  await process.stop()
  await api.close()
})

/** What the other process answers to a key. */
const status = async (key: string, headers: Record<string, string> = {}) =>
  (
    await fetch(`${process.url}/api/v1/api-keys/self`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
  ).status

/** Asks until the change is seen. No request that begins more than a second after it may miss it, even if all stood still. */
async function expectWithinASecond<T>(ask: () => Promise<T>, wanted: T) {
  const changedAt = performance.now()
  for (;;) {
    const begunAt = performance.now()
    const seen = await ask()
    if (seen === wanted) return
    expect(begunAt - changedAt, `milliseconds after which it was still ${seen}`).toBeLessThan(1_000)
    await sleep(25)
  }
}

/** A key that the other process has in its memory. */
async function knownKey(request: Parameters<Side['makeKey']>[0] = {}) {
  const made = await side.makeKey(request)
  expect(await status(made.key)).toBe(200)
  return made
}

describe('another process', () => {
  test('knows a new key at once', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => side.makeKey()))
    expect(await Promise.all(made.map(({ key }) => status(key)))).toEqual(made.map(() => 200))
  })

  test('refuses a revoked key within a second', async () => {
    const { id, key } = await knownKey()
    await side.admin.delete(`/api-keys/${id}`)
    await expectWithinASecond(() => status(key), 401)
  })

  test('refuses a rotated key within a second', async () => {
    const { id, key } = await knownKey()
    await side.admin.post(`/api-keys/${id}/rotate`, { grace_seconds: 0 })
    await expectWithinASecond(() => status(key), 401)
  })

  test('sees within a second what a project’s tier and origins have become', async () => {
    const { key } = await knownKey()
    const limit = async () =>
      (
        await fetch(`${process.url}/api/v1/api-keys/self`, { headers: { authorization: `Bearer ${key}` } })
      ).headers.get('x-ratelimit-limit')
    expect(await limit()).toBe('1000000')
    await api.owner.query('update projects set rate_limit = 77 where id = $1', [side.projectId])
    await expectWithinASecond(limit, '77')
    await api.owner.query("update projects set rate_limit = null, tier = 'business' where id = $1", [
      side.projectId,
    ])
    await expectWithinASecond(limit, '1000')
    const origin = { origin: 'https://elsewhere.example' }
    expect(await status(key, origin)).toBe(200)
    await api.owner.query("update projects set allowed_origins = '{https://here.example}' where id = $1", [
      side.projectId,
    ])
    await expectWithinASecond(() => status(key, origin), 403)
    await api.owner.query("update projects set allowed_origins = '{}' where id = $1", [side.projectId])
    await expectWithinASecond(() => status(key, origin), 200)
  })
})

describe('with the connections for changes cut', () => {
  const LISTENERS =
    "pg_stat_activity where datname = current_database() and application_name = 'guildhall changes'"
  const cut = () => api.owner.query(`select pg_terminate_backend(pid) from ${LISTENERS}`)
  const listeners = async () => (await api.owner.query(`select from ${LISTENERS}`)).rowCount
  /** Waits until both processes hear of changes. They connect again while somebody asks them. */
  const allListen = () =>
    vi.waitFor(async () => {
      await Promise.all([status(side.key), side.admin.get('/api-keys/self')])
      expect(await listeners()).toBe(2)
    }, SOON)

  test('a key revoked right after is refused within a second', async () => {
    for (let i = 0; i < 3; i++) {
      await allListen()
      const { id, key } = await knownKey()
      await cut()
      await side.admin.delete(`/api-keys/${id}`)
      await expectWithinASecond(() => status(key), 401)
      expect(await status(side.key)).toBe(200)
    }
  })

  test('a key revoked at the same moment is refused within a second', async () => {
    for (let i = 0; i < 3; i++) {
      await allListen()
      const { id, key } = await knownKey()
      await Promise.all([side.admin.delete(`/api-keys/${id}`), cut()])
      await expectWithinASecond(() => status(key), 401)
    }
  })

  test('a key revoked while nobody can listen is refused within a second', async () => {
    await allListen()
    const { id, key } = await knownKey()
    const { rows } = await api.owner.query<{ login: string }>(`select usename as login from ${LISTENERS}`)
    const login = rows[0]?.login
    // Nobody new gets in; the connections that look keys up stay.
    await api.owner.query(`alter role "${login}" connection limit 0`)
    try {
      await cut()
      await side.admin.delete(`/api-keys/${id}`)
      await expectWithinASecond(() => status(key), 401)
      expect(await status(side.key)).toBe(200)
    } finally {
      await api.owner.query(`alter role "${login}" connection limit -1`)
    }
    await allListen()
    expect(await status(side.key)).toBe(200)
  })
})
