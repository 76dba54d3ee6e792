import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { newCellSecret } from '#platform/cells/cell-secret.ts'
import { addCell } from '#platform/cells/manage-cells.ts'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase, databaseUrl, dropDatabase, onServer, type TestDatabase } from '#testkit/database.ts'
import { type ApiProcess, startApiProcess } from '#testkit/environments/api-process.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { listenTo } from '#testkit/listen.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'
import { within } from '#testkit/within.ts'

// What is too large to be kept in memory, or does not end: through a process of its own, whose memory can be measured.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const MEBIBYTE = 2 ** 20

let databases: TestDatabase[]
let s3: TestS3
let here: TestApi
let there: TestApi
/** The API of the cell in which the project no longer lives. */
let old: ApiProcess
let moved: TestProject
let stopWorker: (() => Promise<void>) | undefined

beforeAll(async () => {
  s3 = await startS3()
  const { environment } = s3
  const first = await cloneDatabase()
  const before = await startApi({ database: first, environment })
  ;[moved] = await makeProjects(before)
  await before.close()
  const name = `${new URL(first.url).pathname.slice(1)}_there`
  const url = databaseUrl(first.url, name)
  await within(10_000, () =>
    onServer(
      databaseUrl(first.url, 'postgres'),
      `create database ${name} template ${new URL(first.url).pathname.slice(1)}`,
    ),
  )
  await migrate({ databaseUrl: url, secretKey: first.secretKey })
  databases = [first, { ...first, url }]
  here = await startApi({ database: first, environment })
  there = await startApi({ database: { ...first, url }, environment })
  const secret = newCellSecret()
  await addCell(here.owner, here.config, { name: 'there', url: there.url, secret, allowHttp: true })
  await addCell(there.owner, there.config, { name: 'here', url: here.url, secret, allowHttp: true })
  await here.owner.query("insert into project_locations (id, cell) select unnest($1::uuid[]), 'there'", [
    [moved.live.projectId, moved.test.projectId],
  ])
  old = await startApiProcess(first, environment)
  const deps = makeWorkerDeps(there.config, makeLog('silent', 'worker'))
  const worker = startWorker({ deps, areas, lanes: LANES, finishMs: 5_000 })
  stopWorker = async () => {
    await worker.stop()
    await deps.close()
  }
})
afterAll(async () => {
  await stopWorker?.()
  await old?.stop()
  await here?.close()
  await there?.close()
  for (const { url } of databases ?? []) await dropDatabase(url)
  await s3?.close()
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${old.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${moved.live.key}`, ...(init.headers as Record<string, string>) },
  })
/** The most memory that a process has had, in MiB. */
const peakOf = async ({ pid }: ApiProcess) =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
/** Files whose bytes are there. */
const files = async () =>
  (
    await there.owner.query('select from files where project_id = $1 and object_id is not null', [
      moved.live.projectId,
    ])
  ).rowCount

test('an upload of 100 MiB and its parts pass through the old address, and are never kept there as a whole', async () => {
  const bytes = randomBytes(100 * MEBIBYTE)
  // What a first request loads is not counted.
  expect((await ask('/storage/files')).status).toBe(200)
  const before = await peakOf(old)
  const form = new FormData()
  form.append('file', new File([bytes], 'large.bin', { type: 'application/octet-stream' }))
  const uploaded = await ask('/storage/files', { method: 'POST', body: form })
  expect(uploaded.status).toBe(201)
  const { data } = (await uploaded.json()) as { data: { id: string; checksum_sha256: string; size: number } }
  expect(data).toMatchObject({
    size: bytes.length,
    checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  const part = await ask(`/storage/files/${data.id}/content`, {
    headers: { range: `bytes=${50 * MEBIBYTE}-${50 * MEBIBYTE + 9}` },
  })
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes ${50 * MEBIBYTE}-${50 * MEBIBYTE + 9}/${bytes.length}`,
  ])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(50 * MEBIBYTE, 50 * MEBIBYTE + 10))
  const whole = await ask(`/storage/files/${data.id}/content`)
  const hash = createHash('sha256')
  for await (const chunk of whole.body ?? []) hash.update(chunk)
  expect(hash.digest('hex')).toBe(data.checksum_sha256)
  expect((await peakOf(old)) - before).toBeLessThan(90)
})

test('an upload that its client breaks off is broken off in the other cell, and leaves no file', async () => {
  const before = await files()
  const { port } = new URL(old.url)
  const boundary = 'the-boundary'
  const sent = httpRequest({
    ...{ port, method: 'POST', path: '/api/v1/storage/files' },
    headers: {
      authorization: `Bearer ${moved.live.key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(20 * MEBIBYTE),
    },
  })
  sent.on('error', () => undefined)
  const head = 'content-disposition: form-data; name="file"; filename="half.bin"\r\ncontent-type: text/plain'
  sent.write(`--${boundary}\r\n${head}\r\n\r\n`)
  await new Promise((resolve) => sent.write(randomBytes(10 * MEBIBYTE), resolve))
  sent.destroy()
  const aborted = async () =>
    /^guildhall_forwarded_requests_total\{cell="there",outcome="aborted"\} (\d+)/m.exec(
      await (await fetch(`${old.url}/metrics`)).text(),
    )?.[1]
  await expect.poll(aborted, SOON).toBe('1')
  expect(await files()).toBe(before)
  expect((await ask('/storage/files')).status).toBe(200)
})

test('a stream that is opened anew at the old address goes on behind the last event', async () => {
  const write = (name: string) =>
    there.send('POST', '/api/v1/members', {
      ...{ key: moved.live.key, body: { email: `${name}@example.com` } },
    })
  const first = await listenTo(old.url, { topics: ['events'], key: moved.live.key })
  await write('first')
  await expect.poll(() => first.events.length, SOON).toBeGreaterThan(0)
  const after = first.lastId()
  first.close()
  await write('second')
  await write('third')
  const second = await listenTo(old.url, {
    ...{ topics: ['events'], key: moved.live.key },
    ...(after !== undefined && { after }),
  })
  const emails = () =>
    second.events
      .filter(({ data }) => data.type === 'member.created')
      .map(({ data }) => JSON.stringify(data.data).match(/(\w+)@example\.com/)?.[1])
  await expect.poll(emails, SOON).toEqual(['second', 'third'])
})
