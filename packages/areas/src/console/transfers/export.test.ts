import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { COMMAND } from '#areas/projects/acts.ts'
import { importProject } from '#areas/projects/transfer/import-project.ts'
import { makeExports } from '#areas/projects/transfer/make-exports.schedule.ts'
import type { Config } from '#platform/config.ts'
import { Objects } from '#platform/storage/objects.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const PASSPHRASE = 'a passphrase of the tests'

interface Exported {
  readonly data: {
    readonly id: string
    readonly state: string
    readonly error: string | null
    readonly report: { rows: number; files: number } | null
    readonly url: string | null
  }
}

let s3: TestS3
let otherS3: TestS3
let here: TestApi
let there: TestApi
let folder: string
let moving: TestProject
let chief: TestOperator

beforeAll(async () => {
  ;[s3, otherS3] = [await startS3(), await startS3()]
  here = await startApi({ environment: s3.environment })
  there = await startApi({ environment: otherS3.environment })
  folder = await mkdtemp(join(tmpdir(), 'guildhall-export-test-'))
  ;[moving] = await makeProjects(here)
  chief = await makeOperator(here, { administrator: true })
})
afterAll(async () => {
  await here?.close()
  await there?.close()
  await s3?.close()
  await otherS3?.close()
  await rm(folder, { recursive: true, force: true })
})

const path = (verb: string) => `/projects/${moving.project.id}/${verb}`
const ask = (operator = chief, body: object = { passphrase: PASSPHRASE }) =>
  operator.call<Exported>('POST', path('export'), body)
/** A worker with the login of the owner, for one run of the schedule. */
const work = (more: Partial<Config> = {}) =>
  runSchedule(makeExports, { ...here.config, DATABASE_OWNER_URL: here.database.url, ...more })
const exportsOf = async () =>
  (await chief.call<{ data: Exported['data'][] }>('GET', path('exports'))).body.data

test('administrators alone export, and where no worker has the login of the owner the answer says what to set', async () => {
  const owner = await makeOperator(here)
  await setRole(here, moving.live.projectId, owner.id, 'owner')
  expect(refusalOf(await ask(owner))).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(refusalOf(await owner.call('GET', path('exports')))).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(refusalOf(await ask(chief, { passphrase: 'short' }))).toBe('422 VALIDATION_ERROR')
  await runSchedule(makeExports, here.config)
  const refused = await ask()
  expect(refusalOf(refused)).toBe('503 EXPORTS_UNAVAILABLE')
  expect(JSON.stringify(refused.body)).toContain('DATABASE_OWNER_URL')
  expect(await exportsOf()).toEqual([])
})

test('a project leaves as an archive that another installation reads, and the acts say who exported it', async () => {
  for (let n = 0; n < 3; n++) await uploadFile(moving.live, fileOf(`file ${n}`))
  await moving.live.admin.post('/members', { email: 'somebody@example.com', full_name: 'Zoë 株式会社' })
  await work()
  const { status, body } = await ask()
  expect([status, body.data.state, body.data.url]).toEqual([201, 'queued', null])
  expect(refusalOf(await ask())).toBe('409 EXPORT_UNDER_WAY')
  await work()
  const [made] = await exportsOf()
  expect(made).toMatchObject({ id: body.data.id, state: 'done', error: null, report: { files: 3 } })
  const archive = join(folder, 'archive.zip')
  const answer = await fetch(made?.url ?? '')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="project-.*\.zip"$/)
  await writeFile(archive, Buffer.from(await answer.arrayBuffer()))
  const unpacked = join(folder, 'unpacked')
  expect(spawnSync('python3', ['-m', 'zipfile', '-e', archive, unpacked]).status).toBe(0)
  expect(await readFile(join(unpacked, 'manifest.json'), 'utf8')).not.toContain(PASSPHRASE)

  const objects = new Objects(there.config, makeLog('silent', 'worker'))
  try {
    const imported = await importProject({
      ...{ owner: there.owner, operators: there.operators, objects, by: COMMAND, folder: unpacked },
      ...{ secretKeys: { SECRET_KEY: there.database.secretKey }, passphrase: PASSPHRASE },
    })
    expect(imported).toMatchObject({ id: moving.project.id, ...made?.report })
  } finally {
    objects.close()
  }
  const members = 'select email from members where project_id = $1 order by email'
  const of = async (api: TestApi) => (await api.owner.query(members, [moving.live.projectId])).rows
  expect(await of(there)).toEqual(await of(here))

  const { rows: acts } = await here.owner.query(
    `select actor_id, after->>'state' as state, (after->>'files')::int as files from project_acts
     where live_id = $1 and action = 'project.export' order by id`,
    [moving.live.projectId],
  )
  expect(acts).toEqual([
    { actor_id: chief.publicId, state: 'queued', files: null },
    { actor_id: chief.publicId, state: null, files: 3 },
  ])
  const { rows } = await here.owner.query('select sealed_passphrase from project_exports')
  expect(rows).toEqual([{ sealed_passphrase: null }])
})

test('one whose worker was killed is made by the next run, one that cannot be made says why, and an archive ends after 7 days', async () => {
  const { body } = await ask()
  await here.owner.query("update project_exports set state = 'running', attempts = 1 where ended_at is null")
  await work()
  expect((await exportsOf())[0]).toMatchObject({ id: body.data.id, state: 'done' })

  await ask()
  await here.owner.query('update project_exports set attempts = 3 where ended_at is null')
  await work()
  expect((await exportsOf())[0]).toMatchObject({
    ...{ state: 'failed', url: null, report: null },
    error: expect.stringContaining('its worker ended each time'),
  })

  await here.owner.query(
    "update project_exports set expires_at = now() - interval '1 second' where state = 'done'",
  )
  const objects = new Objects(here.config, makeLog('silent', 'worker'))
  try {
    const kept = async () => (await objects.measure('project-exports/')).objects
    expect(await kept()).toBe(2)
    await work()
    expect(await kept()).toBe(0)
  } finally {
    objects.close()
  }
  expect((await exportsOf()).map(({ state, url }) => [state, url])).toEqual([
    ['failed', null],
    ['done', null],
    ['done', null],
  ])
})
