import { cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { registerEndpoint } from '#testkit/areas/webhooks.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { COMMAND } from '../acts.ts'
import { deleteProject } from '../deletion.ts'
import { removeDeleted } from '../removal/remove-deleted.schedule.ts'
import { listProjects } from '../service.ts'
import { linesOf } from './archive-lines.ts'
import { exportProject, type TransferParts } from './export-project.ts'
import { importProject } from './import-project.ts'
import type { Manifest } from './manifest.ts'
import {
  type Installation,
  newFolder,
  OWNER,
  sidesOf,
  startInstallation,
  sumsOf,
  type ZipEntry,
  zipOf,
} from './transfer.fixture.ts'
import { withArchive } from './with-archive.ts'

vi.setConfig({ testTimeout: 120_000 })

let here: Installation
let there: Installation
let one: TestProject
let folder: string

beforeAll(async () => {
  ;[here, there] = [await startInstallation(), await startInstallation()]
})
afterAll(async () => {
  await here?.close()
  await there?.close()
})

/** An archive of a project with members, a webhook with a secret and a file. */
beforeEach(async () => {
  ;[one] = await makeProjects(here.api)
  await one.live.makeMember()
  await registerEndpoint(one.live, { url: 'https://example.com/hooks' })
  expect((await uploadFile(one.live, fileOf('hello', 'a.txt', 'text/plain'))).status).toBe(201)
  folder = await newFolder()
  await exportProject(here.partsIn(folder), one.project.id)
})

const bringIn = () => importProject(there.partsIn(folder))
const filesThere = async () =>
  (await there.s3.keys()).filter((key) => sidesOf(one).some((side) => key.includes(side)))

/** Imports it, and expects to be refused, with nothing left. @returns the rule and the text of the fault */
async function refused(): Promise<string> {
  const before = await filesThere()
  const error = await bringIn().catch((error) => error)
  const [fault] = error.details ?? [{ rule: error.name, message: error.message }]
  expect(await sumsOf(there.api, sidesOf(one))).toEqual({})
  expect(await filesThere()).toEqual(before)
  return `${fault.rule} ${fault.message}`
}

/** Refuses the archive with a file that was changed, and puts it back. */
async function refusedWith(file: string, change: (text: string) => string): Promise<string> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, change(text))
  const fault = await refused()
  await writeFile(path, text)
  return fault
}

const withManifest = (change: (manifest: Manifest) => unknown) =>
  refusedWith('manifest.json', (text) => JSON.stringify(change(JSON.parse(text))))

test('a manifest that no export has written is refused, and says so', async () => {
  const none = 'readable has a manifest.json that no export has written'
  for (const change of [
    () => null,
    () => [],
    (manifest: Manifest) => ({ ...manifest, tables: null }),
    (manifest: Manifest) => ({ ...manifest, tables: { live: 5 } }),
    (manifest: Manifest) => ({ ...manifest, tables: { live: { members: { rows: '1', sha256: 'x' } } } }),
    (manifest: Manifest) => ({ ...manifest, files: { sha256: 'x' } }),
    (manifest: Manifest) => ({ ...manifest, projects: [null, null] }),
    (manifest: Manifest) => ({ ...manifest, version: '1' }),
    (manifest: Manifest) => ({ ...manifest, salt: 5 }),
  ])
    expect(await withManifest(change)).toBe(none)
  expect(await refusedWith('manifest.json', (text) => text.padEnd(5 * 2 ** 20))).toBe(none)
  expect(await withManifest((manifest) => ({ ...manifest, version: 2, projects: 'elsewhere' }))).toBe(
    'version must be an export of version 1',
  )
  const withSides = (more: object) =>
    withManifest((manifest) => ({
      ...manifest,
      projects: manifest.projects.map((side) => ({ ...side, ...more })),
    }))
  expect(await withSides({ deleted_at: '2026-01-01T00:00:00Z' })).toContain('was not deleted')
  expect(await withSides({ no_such_column: 1 })).toMatch(/^readable has a row that no export has written/)
  expect(await withSides({ tier: 'unlimited' })).toMatch(/^readable has a row that no export has written/)
  expect(await withSides({ id: one.live.projectId })).toContain('one project')
})

test('files of an archive that are missing, cut off, or of something else are refused, and say so', async () => {
  const members = 'live/members.ndjson'
  expect(await refusedWith(members, () => 'null\n')).toMatch(/^(same|readable) /)
  expect(await refusedWith(members, () => '[1, 2]\n')).toMatch(/^(same|readable) /)
  expect(await refusedWith(members, (text) => text.slice(0, -20))).toMatch(/^readable /)
  expect(await refusedWith('live/webhook_endpoints.ndjson', () => 'null\n')).toBe(
    'readable has a line in live/webhook_endpoints.ndjson that no export has written',
  )
  expect(
    await refusedWith('live/webhook_endpoints.ndjson', (text) =>
      text.replace(/"secret":"[^"]{8}/, '"secret":"AAAAAAAA'),
    ),
  ).toMatch(/^sealed has a secret that was changed: webhook_endpoints.secret /)
  await rename(join(folder, members), join(folder, 'kept'))
  expect(await refused()).toBe(`file lacks the file ${members}`)
  await rename(join(folder, 'kept'), join(folder, members))

  const list = 'files.ndjson'
  for (const key of [
    `${one.live.projectId}/../${here.s3.environment['S3_BUCKET']}`,
    'another/file',
    5,
    `${one.live.projectId}/a b`,
  ])
    expect(await refusedWith(list, () => `${JSON.stringify({ key, sha256: 'x' })}\n`)).toBe(
      `file has a file of another project: ${key}`,
    )
  expect(await refusedWith(list, () => '{\n')).toBe(
    'readable has a line in files.ndjson that no export has written',
  )
  expect(await refusedWith(list, () => '')).toBe('file has another list of files than its manifest says')
  await bringIn()
})

test('a line without an end is not read into the memory', async () => {
  await writeFile(join(folder, 'long.ndjson'), 'x'.repeat(3 * 2 ** 20))
  const read = async () => {
    for await (const _ of linesOf(folder, 'long.ndjson', 2 ** 20));
  }
  await expect(read()).rejects.toMatchObject({ details: [{ rule: 'readable' }] })
})

test('an import puts no file where another installation has files of the project, and removes none of them', async () => {
  const third = await startInstallation(here.s3)
  try {
    const before = await here.s3.keys()
    await expect(importProject(third.partsIn(folder))).rejects.toMatchObject({
      details: [{ rule: 'unique', message: expect.stringContaining('another installation') }],
    })
    expect(await here.s3.keys()).toEqual(before)
    expect(await sumsOf(third.api, sidesOf(one))).toEqual({})
  } finally {
    await third.close()
  }
})

test('what a killed import has put is replaced by the next one', async () => {
  const key = `project-imports/files-of-${one.live.projectId}/mark`
  const { objects } = there.partsIn(folder)
  const put = (at: string) =>
    objects.put(
      at,
      (async function* () {
        yield Buffer.from('half')
      })(),
    )
  await put(`${one.live.projectId}/files/of-before`)
  expect(await refused()).toMatch(/^unique /)
  await put(key)
  await bringIn()
  expect(await filesThere()).not.toContain(key)
})

type Storage = TransferParts['objects']

const withMethods = (objects: Storage, methods: Partial<Storage>): Storage => ({
  ...{ isSetUp: true, list: objects.list.bind(objects), get: objects.get.bind(objects) },
  ...{ sizeOf: objects.sizeOf.bind(objects), put: objects.put.bind(objects) },
  removeBelow: objects.removeBelow.bind(objects),
  ...methods,
})

test('an import that fails removes what it has put before another one of the same project goes on', async () => {
  const right = await newFolder()
  await cp(folder, right, { recursive: true })
  const list = join(folder, 'files.ndjson')
  await writeFile(list, (await readFile(list, 'utf8')).replace(/[0-9a-f]{64}/, '0'.repeat(64)))
  const { objects, ...parts } = there.partsIn(folder)
  let second: Promise<unknown> | undefined
  const slow = withMethods(objects, {
    put: (...args: Parameters<typeof objects.put>) => {
      second ??= importProject(there.partsIn(right))
      return objects.put(...args)
    },
    removeBelow: async (prefix: string) => {
      await Promise.race([second, setTimeout(1_000)])
      await objects.removeBelow(prefix)
    },
  })
  await expect(importProject({ ...parts, objects: slow })).rejects.toMatchObject({
    details: [{ rule: 'file' }],
  })
  await second
  expect(await filesThere()).toHaveLength(1)
})

test('an import whose connection broke removes nothing of the next one', async () => {
  const { objects, ...parts } = there.partsIn(folder)
  let second: Promise<unknown> | undefined
  const next = async () => {
    await there.api.owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and state = 'idle in transaction'",
      [OWNER],
    )
    await importProject(there.partsIn(folder))
  }
  const put = async (key: string, content: Parameters<typeof objects.put>[1]) => {
    if (key.startsWith(one.live.projectId)) {
      second ??= next()
      await second
    }
    return objects.put(key, content)
  }
  await expect(importProject({ ...parts, objects: withMethods(objects, { put }) })).rejects.toThrow()
  expect(second).toBeDefined()
  expect(await sumsOf(there.api, sidesOf(one))).not.toEqual({})
  expect(await filesThere()).toHaveLength(1)
})

test('the files of an import whose commit was not answered stay', async () => {
  const { owner, ...parts } = there.partsIn(folder)
  const connect = async () => {
    const client = await owner.connect()
    const query = async (text: string, ...values: unknown[][]) => {
      const result = await client.query(text, ...values)
      if (text === 'commit') throw new Error('the connection is lost')
      return result
    }
    return { query, release: () => client.release() }
  }
  const lossy = { connect } as unknown as Pool
  await expect(importProject({ ...parts, owner: lossy })).rejects.toThrow('the connection is lost')
  expect(await sumsOf(there.api, sidesOf(one))).not.toEqual({})
  expect(await filesThere()).toEqual([expect.stringMatching(`^${one.live.projectId}/`)])
})

test('a project that was removed here comes back from its archive, and no removal takes it again', async () => {
  await bringIn()
  const remove = () =>
    deleteProject(there.api.operators, one.project.id, COMMAND, { name: one.project.name, graceMs: 0 })
  const isThere = async () =>
    (await listProjects(there.api.operators)).some(({ id }) => id === one.project.id)
  const work = () => runSchedule(removeDeleted, there.api.config)
  await remove()
  await vi.waitFor(async () => {
    await work()
    expect(await isThere()).toBe(false)
  }, SOON)
  await there.api.owner.query("update project_removals set removed_at = removed_at - interval '61 minutes'")
  await bringIn()
  const rows = await sumsOf(there.api, sidesOf(one))
  await work()
  expect(await sumsOf(there.api, sidesOf(one))).toEqual(rows)
  expect(await filesThere()).not.toEqual([])
  // It can be deleted like any other.
  await remove()
  await vi.waitFor(async () => {
    await work()
    expect(await isThere()).toBe(false)
  }, SOON)
  expect(await filesThere()).toEqual([])
})

test('a project that moved to another cell is not imported beside it', async () => {
  const { owner } = there.api
  await owner.query("insert into cells (name, url, secret) values ('eu-2', 'https://eu-2.example', '\\x00')")
  await owner.query("insert into project_locations (id, cell) values ($1, 'eu-2')", [one.live.projectId])
  expect(await refused()).toMatch(/^unique has a project that moved from here to eu-2/)
  await owner.query('delete from project_locations')
  await bringIn()
})

/** The files of the archive, as entries of a ZIP below a folder. */
async function entriesBelow(prefix: string): Promise<ZipEntry[]> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const list = await readFile(join(folder, 'files.ndjson'), 'utf8')
  const names = [
    ...['manifest.json', 'files.ndjson'],
    ...Object.entries(manifest.tables).flatMap(([side, tables]) =>
      Object.keys(tables).map((table) => `${side}/${table}.ndjson`),
    ),
    ...list
      .trimEnd()
      .split('\n')
      .map((line) => `files/${JSON.parse(line).key}`),
  ]
  return Promise.all(
    names.map(async (name): Promise<ZipEntry> => [prefix + name, await readFile(join(folder, name), 'utf8')]),
  )
}

test('a project comes in as a folder, as a ZIP, and as a ZIP of a folder, and what is no part of an export is left out', async () => {
  const other: ZipEntry[] = [
    ['__MACOSX/._manifest.json', 'x'],
    ['.DS_Store', 'x'],
  ]
  for (const path of [
    await zipOf([...(await entriesBelow('')), ...other]),
    await zipOf([...other, ...(await entriesBelow('my export/'))]),
  ]) {
    const done = await withArchive(path, (folder) => importProject(there.partsIn(folder)))
    expect(done).toMatchObject({ id: one.project.id, files: 1 })
    await vi.waitFor(async () => {
      await deleteProject(there.api.operators, one.project.id, COMMAND, {
        name: one.project.name,
        graceMs: 0,
      }).catch(() => undefined)
      await runSchedule(removeDeleted, there.api.config)
      expect(await sumsOf(there.api, sidesOf(one))).toEqual({})
      expect((await listProjects(there.api.operators)).map(({ id }) => id)).not.toContain(one.project.id)
    }, SOON)
  }
  expect(await withArchive(folder, (folder) => importProject(there.partsIn(folder)))).toMatchObject({
    id: one.project.id,
  })
  await expect(withArchive(join(folder, 'nothing'), async () => 1)).rejects.toMatchObject({
    details: [{ rule: 'exists' }],
  })
})
