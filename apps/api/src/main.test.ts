import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { compileCache } from '#testkit/compile-cache.ts'
import { onServer } from '#testkit/database.ts'
import { startApiProcess } from '#testkit/environments/api-process.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { SOON } from '#testkit/soon.ts'

// The API as a process: how it starts, refuses to start, and stops.

let api: TestApi
let side: Side

beforeAll(async () => {
  api = await startApi()
  const [one] = await makeProjects(api)
  side = one.live
})
afterAll(() => api.close())

/** Runs the process until it ends by itself. */
async function run(environment: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  const child = spawn(process.execPath, [`${import.meta.dirname}/main.ts`], {
    env: { ...compileCache, ...environment },
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stderr }
}

const needed = () => ({
  DATABASE_URL: api.database.url,
  SECRET_KEY: api.database.secretKey,
  LOG_LEVEL: 'silent',
})

describe('a start that cannot succeed ends with one clear sentence and exit code 1', () => {
  test('where variables are missing or wrong', async () => {
    expect(await run({})).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL is not set: .*\nSECRET_KEY is not set: .*\n$/),
    })
    expect(await run({ ...needed(), TRUST_PROXY: 'everybody' })).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^TRUST_PROXY is "everybody": expected .*\n$/),
    })
  })

  test.each([
    ['no BASE_URL', { BASE_URL: '' }, /^BASE_URL is not set: /],
    ['http to another machine', { BASE_URL: 'http://api.example.com' }, /^BASE_URL is "http:/],
    ['a SECRET_KEY of one letter', { SECRET_KEY: 'a'.repeat(32) }, /^SECRET_KEY is malformed: /],
    ['NODE_ENV=prod', { NODE_ENV: 'prod' }, /^NODE_ENV is "prod": /],
    ['all private networks', { ALLOW_PRIVATE_NETWORKS: 'true' }, /^ALLOW_PRIVATE_NETWORKS is "true": /],
    ['everybody as a proxy', { TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY is "0.0.0.0\/0": /],
    ['caught mails', { MAILBOX_DIR: '/tmp' }, /^MAILBOX_DIR is "\/tmp": /],
  ])('where a setting is not safe in production: %s', async (_, environment, sentence) => {
    const safe = { ...needed(), NODE_ENV: 'production', BASE_URL: 'https://api.example.com' }
    const { code, stderr } = await run({ ...safe, ...environment })
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('where the database of countries is missing or broken', async () => {
    const refusal = async (path: string) => {
      const { code, stderr } = await run({ ...needed(), GEOIP_DATABASE: path })
      return { code, stderr: stderr.replace(path, 'PATH') }
    }
    expect(await refusal('/nowhere/countries.mmdb')).toEqual({
      code: 1,
      stderr: 'GEOIP_DATABASE is "PATH": expected the path of an MMDB file, but it cannot be read (ENOENT)\n',
    })
    expect(await refusal(import.meta.filename)).toEqual({
      code: 1,
      stderr:
        'GEOIP_DATABASE is "PATH": expected the path of an MMDB file, but its content is not a database of that format\n',
    })
  })

  test('where the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { code, stderr } = await run({ ...needed(), PORT: String(port) })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The port is already in use: .*\n$/)])
    server.close()
  })

  test('where the host is not this machine’s', async () => {
    const { code, stderr } = await run({ ...needed(), HOST: '192.0.2.1', PORT: '0' })
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The API cannot listen on HOST and PORT: .*\n$/),
    ])
  })
})

describe('a process that is asked to stop', () => {
  test.for(['SIGTERM', 'SIGINT'] as const)(
    'by %s finishes the requests in flight and ends with 0',
    async (signal) => {
      const process = await startApiProcess(api.database)
      // Ten requests that wait for a row that somebody else holds.
      const { id } = await side.makeMember()
      const holder = await api.owner.connect()
      await holder.query('begin')
      await holder.query('select from members for update')
      onTestFinished(() => holder.release(true))
      const answers = Array.from({ length: 10 }, (_, i) =>
        fetch(`${process.url}/api/v1/members/${id}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${side.key}`, 'content-type': 'application/json' },
          // With the status, each waits by itself; without, they would share their way to the row.
          body: JSON.stringify({ status: 'active', metadata: { [`k${i}`]: i } }),
        }),
      )
      // Asked on another connection: inside a transaction the answer would stay the same.
      const waiting = async () =>
        (
          await api.owner.query(
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        ).rowCount
      // A project has eight of the ten connections of a process; two requests wait for one of them.
      await expect.poll(waiting, SOON).toBe(8)
      const stopped = process.stop(signal)
      await holder.query('commit')
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(200))
      expect(await stopped).toBe(0)
      const { body } = await side.admin.get<{ data: { metadata: object } }>(`/members/${id}`)
      expect(Object.keys(body.data.metadata)).toHaveLength(10)
      await expect(fetch(`${process.url}/healthz`)).rejects.toThrow()
    },
  )

  test('writes down when keys were used', async () => {
    const process = await startApiProcess(api.database)
    const { key, id } = await side.makeKey()
    await fetch(`${process.url}/api/v1/api-keys/self`, { headers: { authorization: `Bearer ${key}` } })
    expect(await process.stop()).toBe(0)
    const { body } = await side.admin.get<{ data: { id: string; last_used_at: string | null }[] }>(
      '/api-keys',
    )
    expect(body.data.find((record) => record.id === id)?.last_used_at).toEqual(expect.any(String))
  })
})

test('a process starts while the database is away, says so, and serves once it is back', async () => {
  const database = new URL(api.database.url).pathname.slice(1)
  const allow = (yes: boolean) =>
    onServer(inject('servers').postgresUrl, `alter database ${database} allow_connections ${yes}`)
  const port = await freePort()
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    )
  await allow(false)
  const started = startApiProcess(api.database, { PORT: String(port) })
  try {
    await expect.poll(ready).toBe(503)
  } finally {
    await allow(true)
  }
  const process = await started
  expect(await ready()).toBe(200)
  const { status } = await fetch(`${process.url}/api/v1/members`, {
    headers: { authorization: `Bearer ${side.key}` },
  })
  expect(status).toBe(200)
  expect(await process.stop()).toBe(0)
})
