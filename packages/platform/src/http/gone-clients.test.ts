import { sql } from 'kysely'
import { Type } from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectionsOf } from '#platform/db/connections.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineEvent, emit } from '#platform/events/emit.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import type { Api } from './api.ts'
import { envelope } from './envelope.ts'

const happened = defineEvent({
  name: 'gone.happened',
  description: 'For tests',
  data: Type.Object({}),
  example: {},
  member: () => null,
})
const sleep = defineQuery('sleep_in_test', (v: { seconds: number }) =>
  query.selectNoFrom([sql`pg_sleep(${v.seconds})`.as('slept'), sql<number>`pg_backend_pid()`.as('pid')]),
).single()
/** The connections that served, in their order. */
const pids: number[] = []

function routes(to: Api): void {
  const schema = { tags: ['Members'], summary: 'For tests', response: { 200: envelope(Type.Object({})) } }
  const querystring = Type.Object({ seconds: Type.Number() })
  const add = (method: 'get' | 'post', path: string, onlyReads: { onlyReads?: true } = {}) =>
    to[method](
      path,
      { config: { access: { secret: 'any' }, ...onlyReads }, schema: { ...schema, querystring } },
      async (request) => {
        const { seconds } = request.query
        const onlyAsks = method === 'get' || onlyReads.onlyReads
        const { pid } = onlyAsks
          ? (await request.read({ slept: sleep({ seconds }) })).slept
          : await request.write((ctx) => {
              emit(ctx, happened, {})
              return sleep(ctx, { seconds })
            })
        pids.push(pid)
        return {}
      },
    )
  add('get', '/sleeps')
  add('post', '/writes')
  add('post', '/reads', { onlyReads: true })
}

let api: TestApi
let side: Side
const lines: string[] = []

withOwnApi(
  () => ({ extra: routes, logTo: (line) => lines.push(line), environment: { DATABASE_POOL_SIZE: '2' } }),
  async (opened) => {
    api = opened
    side = (await makeProjects(api))[0].live
  },
)

const ask = (method: string, path: string, seconds: number, signal?: AbortSignal) =>
  fetch(`${api.url}/api/v1${path}?seconds=${seconds}`, {
    method,
    headers: { authorization: `Bearer ${side.key}` },
    ...(signal && { signal }),
  })
/** The connections that are running the statement. */
const running = async () => {
  const { rows } = await api.owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where query like '%pg_sleep%' and state = 'active'
     and pid <> pg_backend_pid() and datname = current_database()`,
  )
  return rows.map(({ pid }) => pid)
}
/** Asks, and goes when PostgreSQL has begun. @returns the connection that was used */
async function askAndGo(method: string, path: string, seconds: number): Promise<number> {
  const others = await running()
  const client = new AbortController()
  const asked = ask(method, path, seconds, client.signal)
  let own: number | undefined
  await vi.waitFor(async () => {
    own = (await running()).find((pid) => !others.includes(pid))
    expect(own).toBeDefined()
  }, SOON)
  client.abort()
  await expect(asked).rejects.toThrow()
  return own ?? 0
}

test.each([
  ['GET', '/sleeps'],
  ['POST', '/reads'],
])(
  'a statement of %s %s is cancelled when its client has gone, and its connection serves nobody else',
  (method, path) =>
    // The neighbour is at work for a second.
    withoutStall(300, async () => {
      const neighbour = ask('GET', '/sleeps', 1)
      await vi.waitFor(async () => expect(await running()).toHaveLength(1), SOON)
      const cancelled = await askAndGo(method, path, 60)
      await vi.waitFor(async () => expect(await running()).not.toContain(cancelled), SOON)
      expect((await neighbour).status).toBe(200)
      pids.length = 0
      const after = await Promise.all([ask('GET', '/sleeps', 0.1), ask('GET', '/sleeps', 0.1)])
      expect(after.map(({ status }) => status)).toEqual([200, 200])
      expect(pids).toHaveLength(2)
      expect(pids).not.toContain(cancelled)
    }),
)

test('a request that writes is finished although its client has gone', async () => {
  await askAndGo('POST', '/writes', 0.5)
  await vi.waitFor(async () => {
    const { rowCount } = await api.owner.query("select from events where type = 'gone.happened'")
    expect(rowCount).toBe(1)
  }, SOON)
})

test.each([
  ['GET', '/sleeps', 60],
  ['POST', '/writes', 0.5],
])('%s %s of a client that has gone is logged once and measured, with 499', async (method, path, seconds) => {
  const measured = async () => {
    const { values } = await api.deps.metrics.requests.get()
    return values
      .filter(
        ({ labels, metricName }) =>
          labels['status'] === 499 && labels['route'] === `/api/v1${path}` && metricName?.endsWith('_count'),
      )
      .reduce((sum, { value }) => sum + value, 0)
  }
  const before = await measured()
  lines.length = 0
  await askAndGo(method, path, seconds)
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  await expect.poll(logged, SOON).toEqual([
    expect.objectContaining({
      ...{ method, route: `/api/v1${path}`, status: 499, aborted: true },
      ...{ ms: expect.any(Number), key_id: expect.stringMatching(/^key_/) },
    }),
  ])
  expect(await measured()).toBe(before + 1)
  // What writes is finished for nobody, and answered to nobody.
  await expect.poll(running, SOON).toEqual([])
  expect(logged()).toHaveLength(1)
})

test('a request whose client goes while its key is looked up is logged, too', async () => {
  const { key } = await side.makeKey({ permissions: ['admin'] })
  const owner = await api.owner.connect()
  onTestFinished(() => owner.release(true))
  await owner.query('begin; lock table api_keys in access exclusive mode')
  lines.length = 0
  const client = new AbortController()
  const asked = fetch(`${api.url}/api/v1/members`, {
    headers: { authorization: `Bearer ${key}` },
    signal: client.signal,
  })
  await vi.waitFor(async () => {
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    expect((await api.owner.query(waiting)).rowCount).toBeGreaterThan(0)
  }, SOON)
  client.abort()
  await expect(asked).rejects.toThrow()
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  await expect
    .poll(logged, SOON)
    .toEqual([expect.objectContaining({ route: '/api/v1/members', status: 499, aborted: true })])
})

test('a request that waits for a connection while its client goes asks PostgreSQL nothing', () =>
  withoutStall(300, async () => {
    const busy = [ask('GET', '/sleeps', 1), ask('GET', '/sleeps', 1)]
    await vi.waitFor(async () => expect(await running()).toHaveLength(2), SOON)
    pids.length = 0
    const client = new AbortController()
    const gone = ask('GET', '/sleeps', 0, client.signal)
    await vi.waitFor(() => expect(connectionsOf(api.deps.pool).waitingCount).toBe(1), SOON)
    client.abort()
    await expect(gone).rejects.toThrow()
    await Promise.all(busy)
    expect((await ask('GET', '/sleeps', 0)).status).toBe(200)
    // The two that were busy, and the last one.
    expect(pids).toHaveLength(3)
  }))

test('of many requests in one turn, those of clients that stay are answered, and none is done twice', async () => {
  const members = await Promise.all(Array.from({ length: 24 }, () => side.makeMember()))
  const [{ n: before }] = await count("type = 'member.updated'")
  const asked = await Promise.allSettled(
    members.map(async ({ id }, n) => {
      const client = new AbortController()
      const answer = fetch(`${api.url}/api/v1/members/${id}`, {
        method: n % 2 ? 'PATCH' : 'GET',
        headers: { authorization: `Bearer ${side.key}`, 'content-type': 'application/json' },
        ...(n % 2 && { body: JSON.stringify({ metadata: { n } }) }),
        signal: client.signal,
      })
      // Every third client goes as soon as it has sent its request.
      if (n % 3 === 0) setImmediate(() => client.abort())
      const { data } = (await (await answer).json()) as { data: { id: string } }
      return data.id
    }),
  )
  for (const [n, { id }] of members.entries())
    if (n % 3 !== 0) expect(asked[n]).toEqual({ status: 'fulfilled', value: id })
  const [{ n: events }] = await count("type = 'member.updated'")
  const [{ n: times }] = await count(
    "type = 'member.updated' group by payload ->> 'id' order by count(*) desc limit 1",
  )
  expect(times).toBe(1)
  // Eight of the twelve that write have a client that stays.
  expect(events - before).toBeGreaterThanOrEqual(8)
})

async function count(where: string): Promise<[{ n: number }]> {
  const { rows } = await api.owner.query(`select count(*)::int as n from events where ${where}`)
  return rows as [{ n: number }]
}
