import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ZipFile } from 'yazl'
import { makeExports } from '#areas/projects/transfer/make-exports.schedule.ts'
import { makeImports } from '#areas/projects/transfer/make-imports.schedule.ts'
import { unzipFile } from '#areas/projects/transfer/unzip-file.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeOperator, type TestOperator } from '#testkit/areas/console.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const PASSPHRASE = 'a passphrase of the tests'

interface Imported {
  readonly id: string
  readonly state: string
  readonly error: string | null
  readonly report: { readonly id: string; readonly rows: number; readonly files: number } | null
  readonly upload?: { readonly url: string; readonly headers: Record<string, string> }
}
interface One {
  readonly data: Imported
}

let servers: TestS3[]
let here: TestApi
let there: TestApi
let moving: TestProject
let chief: TestOperator
let archive: Buffer

/** The archive of a project with a member and files, as the console of the first installation makes it. */
beforeAll(async () => {
  servers = [await startS3(), await startS3()]
  here = await startApi({ environment: servers[0]?.environment ?? {} })
  there = await startApi({ environment: servers[1]?.environment ?? {} })
  ;[moving] = await makeProjects(here)
  for (let n = 0; n < 2; n++) await uploadFile(moving.live, fileOf(`file ${n}`))
  await moving.live.admin.post('/members', { email: 'somebody@example.com', full_name: 'Zoë 株式会社' })
  const operator = await makeOperator(here, { administrator: true })
  await work(here, makeExports)
  const path = `/projects/${moving.project.id}`
  expect((await operator.call('POST', `${path}/export`, { passphrase: PASSPHRASE })).status).toBe(201)
  await work(here, makeExports)
  const { body } = await operator.call<{ data: { url: string }[] }>('GET', `${path}/exports`)
  archive = Buffer.from(await (await fetch(body.data[0]?.url ?? '')).arrayBuffer())
  chief = await makeOperator(there, { administrator: true })
})
afterAll(async () => {
  await here?.close()
  await there?.close()
  for (const server of servers ?? []) await server.close()
})

/** A worker with the login of the owner, for one run of a schedule. */
const work = (api: TestApi, schedule = makeImports) =>
  runSchedule(schedule, { ...api.config, DATABASE_OWNER_URL: api.database.url })

const begin = (size: number, passphrase = PASSPHRASE, operator = chief) =>
  operator.call<One>('POST', '/projects/imports', { passphrase, size })
const complete = (id: string) => chief.call<One>('POST', `/projects/imports/${id}/complete`)
const listed = async () => (await chief.call<{ data: Imported[] }>('GET', '/projects/imports')).body.data

/** Uploads an archive, completes its import, and lets a worker read it. */
async function bringIn(bytes: Buffer, passphrase = PASSPHRASE): Promise<Imported | undefined> {
  const { body } = await begin(bytes.length, passphrase)
  const { url = '', headers } = body.data.upload ?? {}
  expect(
    (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: headers ?? {} })).status,
  ).toBe(200)
  expect((await complete(body.data.id)).body.data.state).toBe('queued')
  await work(there)
  return (await listed()).find(({ id }) => id === body.data.id)
}

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}

test('administrators alone import, and where no worker has the login of the owner the answer says what to set', async () => {
  const other = await makeOperator(there)
  for (const answer of [
    await begin(1, PASSPHRASE, other),
    await other.call('GET', '/projects/imports'),
    await other.call('POST', '/projects/imports/pimp_01jcq3k8f7e8qtk4m3hbw7rn2c/complete'),
  ])
    expect(refusalOf(answer)).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(refusalOf(await begin(0))).toBe('422 VALIDATION_ERROR')
  expect(refusalOf(await begin(6 * 1024 ** 3))).toBe('422 VALIDATION_ERROR')
  await runSchedule(makeImports, there.config)
  const refused = await begin(1)
  expect(refusalOf(refused)).toBe('503 IMPORTS_UNAVAILABLE')
  expect(JSON.stringify(refused.body)).toContain('DATABASE_OWNER_URL')
  expect(refusalOf(await complete('pimp_01jcq3k8f7e8qtk4m3hbw7rn2c'))).toBe('404 NOT_FOUND')
  expect(await listed()).toEqual([])
  await work(there)
})

test('what is no archive of a project, or has another passphrase, says why and leaves nothing', async () => {
  const manifest = JSON.stringify({ version: 1, projects: 5, tables: {}, files: {} })
  const reasons: unknown[] = []
  for (const bytes of [
    Buffer.from('this is no ZIP'),
    archive.subarray(0, archive.length - 100),
    await zipOf({ 'readme.txt': 'x' }),
    await zipOf({ 'manifest.json': '{' }),
    await zipOf({ 'manifest.json': manifest }),
  ])
    reasons.push((await bringIn(bytes))?.error)
  reasons.push((await bringIn(archive, 'another passphrase'))?.error)
  expect(reasons).toEqual([
    expect.stringMatching(/^the archive is no ZIP that can be unpacked: /),
    expect.stringMatching(/^the archive is no ZIP that can be unpacked: /),
    'the archive has no manifest.json: the export is not whole',
    'the archive has a manifest.json that no export has written',
    'the archive has a manifest.json that no export has written',
    'the passphrase is not the one of this export',
  ])
  expect((await listed()).every(({ state, report }) => state === 'failed' && report === null)).toBe(true)
  const { rows } = await there.owner.query('select from projects where id = $1', [moving.live.projectId])
  expect(rows).toEqual([])
  expect(await servers[1]?.keys()).toEqual([])
})

test('names that lead out of the folder are refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-unzip-test-'))
  try {
    const path = join(folder, 'archive.zip')
    // The library that writes archives refuses such names, too: the bytes are changed.
    const bytes = await zipOf({ 'aa/outside.txt': 'x' })
    await writeFile(
      path,
      Buffer.from(bytes.toString('latin1').replaceAll('aa/outside', '../outside'), 'latin1'),
    )
    await expect(unzipFile(path, folder)).rejects.toThrow(
      /no ZIP that can be unpacked: invalid relative path/,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a project comes with its ids, suspended, and belongs to whoever imported it', async () => {
  const { body } = await begin(archive.length)
  expect(refusalOf(await complete(body.data.id))).toBe('409 ARCHIVE_MISSING')
  const imported = await bringIn(archive)
  expect(imported).toMatchObject({
    ...{ state: 'done', error: null },
    report: { id: moving.project.id, files: 2 },
  })
  const path = `/projects/${moving.project.id}`
  const { body: shown } = await chief.call<{ data: object }>('GET', path)
  expect(shown.data).toMatchObject({ id: moving.project.id, state: 'suspended', role: 'owner' })
  expect((await chief.call('POST', `${path}/resume`)).status).toBe(200)
  const members = 'select email from members where project_id = $1 order by email'
  const of = async (api: TestApi) => (await api.owner.query(members, [moving.live.projectId])).rows
  expect(await of(there)).toEqual(await of(here))
  await expect
    .poll(async () => (await there.send('GET', '/api/v1/members', { key: moving.live.key })).status)
    .toBe(200)

  const { rows: acts } = await there.owner.query(
    "select actor_id from project_acts where live_id = $1 and action = 'project.import'",
    [moving.live.projectId],
  )
  expect(acts).toEqual([{ actor_id: chief.publicId }])
  expect((await servers[1]?.keys())?.filter((key) => key.startsWith('project-imports/'))).toEqual([])
  const { rows: sealed } = await there.owner.query(
    'select from project_imports where ended_at is not null and sealed_passphrase is not null',
  )
  expect(sealed).toEqual([])

  expect((await bringIn(archive))?.error).toBe(
    'the archive has a project, or a part of one, that is in this installation already',
  )
  const { rows: kept } = await there.owner.query(members, [moving.live.projectId])
  expect(kept).toEqual(await of(here))
})

test('one whose worker ended each time fails, and so does one whose archive never came', async () => {
  const { body } = await begin(5)
  await there.owner.query(
    'delete from project_imports where id <> all (select id from project_imports order by asked_at desc limit 1)',
  )
  await there.owner.query("update project_imports set upload_until = now() - interval '1 second'")
  await work(there)
  expect(await listed()).toMatchObject([
    { id: body.data.id, state: 'failed', error: 'the archive was not uploaded within 24 hours' },
  ])
  const second = await begin(5)
  await there.owner.query("update project_imports set state = 'running', attempts = 3 where ended_at is null")
  await work(there)
  expect(await listed()).toMatchObject([
    {
      id: second.body.data.id,
      state: 'failed',
      error: expect.stringContaining('its worker ended each time'),
    },
    {},
  ])
})
