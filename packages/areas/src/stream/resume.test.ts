import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { discussionUpdated } from '#areas/discussions/events.ts'
import { catalogueOf } from '#platform/area.ts'
import { asSystemOf } from '#platform/db/tenant.ts'
import { emitEach } from '#platform/events/emit.ts'
import { parseId } from '#platform/ids.ts'
import { startApi } from '#testkit/api.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { listenTo } from '#testkit/listen.ts'
import { SOON } from '#testkit/soon.ts'
import { Hub } from './hub/hub.ts'
import { OpenStream } from './hub/open-stream.ts'
import { comment, contentsOf, endpointsIn, say, startThread, ticketOf, typesOf } from './stream.fixture.ts'

let environment: DeliveryEnvironment
let one: Side
let url: string

beforeAll(async () => {
  environment = await startDeliveryEnvironment('redis')
  one = environment.one
  url = environment.api.url
  environment.startWorker()
})
afterAll(() => environment.close())

describe('whoever resumes', () => {
  test('gets each event exactly once, in the order of numbers without gaps, while many write and workers die', async () => {
    const workers = [environment.startWorker()]
    let writing = true
    const expected: string[] = []
    const seen: string[] = []
    const ids: number[] = []
    const started = Promise.withResolvers<void>()
    const reading = (async () => {
      let after: number | undefined
      for (;;) {
        const more = writing
        const listening = await listenTo(url, {
          topics: ['events:webhook.*'],
          key: one.key,
          ...(after !== undefined && { after }),
        })
        await expect.poll(() => listening.lastId(), SOON).toBeDefined()
        if (after === undefined) started.resolve()
        await (more
          ? sleep(60)
          : expect.poll(() => seen.length + listening.events.length, SOON).toBe(expected.length))
        listening.close()
        seen.push(...endpointsIn(listening))
        ids.push(...listening.events.map(({ id }) => id))
        after = listening.lastId()
        if (!more) return
      }
    })()
    await started.promise
    await Promise.all(
      Array.from({ length: 6 }, async (_, w) => {
        for (let i = 0; i < 25; i++) {
          const id = `whe_${w}_${i}`
          expected.push(id)
          await say(one, id)
        }
      }).concat(
        (async () => {
          for (let i = 0; i < 4; i++) {
            await workers.pop()?.stop()
            workers.push(environment.startWorker())
            await sleep(40)
          }
        })(),
      ),
    )
    writing = false
    await reading
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(seen.toSorted()).toEqual(expected.toSorted())
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    const gaps = await environment.sql(
      `select project_id from stream_log group by project_id having count(*) <> max(position) or count(distinct position) <> count(*)`,
    )
    expect(gaps).toEqual([])
  })

  test('is asked to read again where the events behind the number are gone, or were never there', async () => {
    await say(one, 'whe_before')
    const first = await listenTo(url, { topics: ['events'], key: one.key })
    await expect.poll(() => first.lastId(), SOON).toBeDefined()
    await say(one, 'whe_after')
    await expect.poll(() => endpointsIn(first), SOON).toContain('whe_after')
    const kept = first.events.find(({ data }) => data.data['id'] === 'whe_after')?.id ?? 0
    await environment.sql(`update stream_log set numbered_at = now() - interval '25 hours'
      where project_id = '${one.projectId}' and position <= ${kept}`)
    const late = await listenTo(url, { topics: ['events'], key: one.key, after: kept - 1 })
    await expect.poll(() => typesOf(late), SOON).toEqual(['reset'])
    const ahead = await listenTo(url, { topics: ['events'], key: one.key, after: 900_000_000 })
    await expect.poll(() => typesOf(ahead), SOON).toEqual(['reset'])
    await say(one, 'whe_new')
    await expect.poll(() => endpointsIn(ahead), SOON).toEqual(['whe_new'])
  })

  test('with garbage for a number is refused', async () => {
    for (const after of ['x', '-1', '1.5', '1e3', '9'.repeat(16), '1,2']) {
      const { status, body } = await listenTo(url, { topics: ['events'], key: one.key, after })
      expect({ after, status, code: (await body)?.code }).toEqual({
        ...{ after, status: 400, code: 'INVALID_PARAMETERS' },
      })
    }
  })
})

describe('many streams', () => {
  test('of one member are refused above the limit, and taken again when one is closed', async () => {
    const { token } = await one.signIn()
    const open = () => listenTo(url, { topics: ['notifications'], key: token })
    const all = await Promise.all(Array.from({ length: 10 }, open))
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const refused = await open()
    expect(refused.status).toBe(429)
    expect(await refused.body).toMatchObject({
      code: 'RATE_LIMITED',
      limit: { requests: 10, scope: 'member' },
    })
    all[0]?.close()
    await expect.poll(async () => (await open()).status, SOON).toBe(200)
  })

  test('of a client that never reads are cut, and the client resumes without a gap', async () => {
    const thread = await startThread(one, { content: 'x'.repeat(45_000) })
    const key = (await one.signIn()).token
    const stuck = await listenTo(url, { topics: [`discussion:${thread}`], key })
    await expect.poll(() => stuck.lastId(), SOON).toBeDefined()
    const after = stuck.lastId() ?? 0
    const author_id = await one.member()
    stuck.pause()
    const beside = await listenTo(url, { topics: [`discussion:${thread}`], key })
    // More than the buffers of the system take.
    for (let said = 20; said <= 160; said += 20) {
      await one.write((ctx) =>
        emitEach(ctx, discussionUpdated, Array(20).fill({ id: thread, author_id } as never)),
      )
      await expect.poll(() => beside.events.length, SOON).toBe(said)
    }
    stuck.resume()
    await expect.poll(() => stuck.isOver(), SOON).toBe(true)
    expect(stuck.events.length).toBeLessThan(160)
    const resumed = await listenTo(url, { topics: [`discussion:${thread}`], key, after })
    await expect
      .poll(() => resumed.events.map(({ id }) => id), SOON)
      .toEqual(beside.events.map(({ id }) => id))
  })
})

test('two API processes with a Redis tell the same, and one that stops ends its streams', async () => {
  const second = await startApi({ environment: environment.environment, database: environment.api.database })
  const thread = await startThread(one)
  const { token } = await one.signIn()
  const [here, there] = [
    await listenTo(url, { topics: [`discussion:${thread}`], key: token }),
    await listenTo(second.url, { topics: [`discussion:${thread}`], key: token }),
  ]
  await comment(one, thread, 'To both.')
  await expect.poll(() => contentsOf(here), SOON).toEqual(['To both.'])
  await expect.poll(() => contentsOf(there), SOON).toEqual(['To both.'])
  await second.close()
  await expect
    .poll(() => there.events.at(-1), SOON)
    .toMatchObject({ event: 'end', data: { reason: 'shutting_down' } })
  const resumed = await listenTo(url, {
    topics: [`discussion:${thread}`],
    key: token,
    after: there.lastId() ?? 0,
  })
  await comment(one, thread, 'To one.')
  await expect.poll(() => contentsOf(resumed), SOON).toEqual(['To one.'])
})

test('a request that was injected gets a stream that ends, and metrics count the open ones', async () => {
  const { token } = await one.signIn()
  const { status, headers, body } = await one.as(token).get<string>('/stream?topics=notifications')
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('text/event-stream')
  expect(body).toMatch(/^retry: \d+\nid: \d+\n\n/)
  const open = async () =>
    Number(/^guildhall_open_streams (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])
  const before = await open()
  await listenTo(url, { topics: ['notifications'], key: token })
  await expect.poll(open, SOON).toBe(before + 1)
})

test('a ticket is in no line of the log', async () => {
  const lines: string[] = []
  const logging = await startApi({
    ...{ environment: environment.environment, database: environment.api.database },
    logTo: (line) => lines.push(line),
  })
  const { token } = await one.signIn()
  const ticket = await ticketOf(one, token, ['notifications'])
  const listening = await listenTo(logging.url, { ticket })
  expect(listening.status).toBe(200)
  expect((await listenTo(logging.url, { ticket })).status).toBe(401)
  // The line of a request is written at its end.
  await logging.close()
  await expect
    .poll(() => lines.filter((line) => line.includes('/api/v1/stream')).length, SOON)
    .toBeGreaterThanOrEqual(2)
  expect(lines.join('\n')).not.toContain(ticket)
})

test('a silent stream gets a comment with the number from which it could resume', async () => {
  const { deps } = environment.api
  const parts = { ...deps, catalogue: catalogueOf(areas), asSystem: asSystemOf(deps.pool) }
  const hub = new Hub(parts, { beatMs: 100 })
  const memberId = parseId('member', await one.member()) ?? ''
  const server = createServer((_request, raw) => {
    raw.writeHead(200, { 'content-type': 'text/event-stream' })
    const stream = new OpenStream(raw, {
      listener: { projectId: one.projectId, memberId, sessionId: null, keyId: null, operator: null },
      ...{ topics: { topics: [], patterns: [] }, position: 7, onOver: (over) => hub.delete(over) },
    })
    hub.add(stream, { texts: [], mark: '', changes: hub.changes })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const silent = await listenTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {})
  await expect.poll(() => silent.comments(), SOON).toBeGreaterThan(1)
  expect(silent.lastId()).toBe(7)
  hub.close()
  await expect.poll(() => silent.isOver(), SOON).toBe(true)
  server.close()
})
