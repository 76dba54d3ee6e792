import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { comment, startThread } from '#areas/stream/stream.fixture.ts'
import { newUuid } from '#platform/ids.ts'
import { Objects } from '#platform/storage/objects.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { makeRow } from '#testkit/catalog/any-row.ts'
import { fingerprint, isTenanted, readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { requestsLogged } from '#testkit/requests-logged.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'
import { within } from '#testkit/within.ts'
import { COMMAND } from '../acts.ts'
import { deleteProject, restoreProject } from '../deletion.ts'
import { listProjects, tenantOf } from '../service.ts'
import { archiveKey } from '../transfer/exports.ts'
import { removeDeleted } from './remove-deleted.schedule.ts'
import { inOrder } from './table-order.ts'

// Tables are filled one by one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let s3: TestS3
let api: TestApi

beforeAll(async () => {
  s3 = await startS3()
  api = await startApi({ environment: s3.environment })
})
afterAll(async () => {
  await api.close()
  await s3.close()
})

const newProjects = () => makeProjects(api)
const remove = ({ project }: TestProject, graceMs = 0) =>
  deleteProject(api.operators, project.id, COMMAND, { name: project.name, graceMs })
const restore = ({ project }: TestProject) => restoreProject(api.operators, project.id, COMMAND)
const runJob = () => runSchedule(removeDeleted, api.config)
/** The job waits for every transaction of the server that is older, also of other databases. */
const finishRemoval = ({ project }: TestProject) =>
  vi.waitFor(async () => {
    await runJob()
    expect((await listProjects(api.operators)).map(({ id }) => id)).not.toContain(project.id)
  }, SOON)
const sidesOf = ({ live, test: other }: TestProject) => [live.projectId, other.projectId]
const answer = async (key: string) => {
  const { status, body } = await api.send<{ reason?: string }>('GET', '/api/v1/api-keys/self', { key })
  return body.reason ?? status
}

/** How many rows each table has of some sides; tables without any are left out. */
async function rowsOf(sides: readonly string[]): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: api.database.url })
  await client.connect()
  try {
    const found: Record<string, number> = {}
    for (const { name } of tenantTables(await readTables(client))) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${client.escapeIdentifier(name)} where project_id = any ($1)`,
        [sides],
      )
      const count = rows[0]?.count ?? 0
      if (count > 0) found[name] = count
    }
    return found
  } finally {
    await client.end()
  }
}

/** A row in every table of both sides, a thread with answers, and a file. No row of it comes later. */
async function fill({ live, test: other }: TestProject): Promise<void> {
  const client = new pg.Client({ connectionString: api.database.url })
  await client.connect()
  try {
    const tables = await readTables(client)
    for (const { projectId } of [live, other]) {
      const made = new Map<string, Record<string, unknown>>()
      await client.query("select set_config('app.project_id', $1, false)", [projectId])
      for (const { name } of tenantTables(tables)) await makeRow(client, tables, name, projectId, made)
    }
  } finally {
    await client.end()
  }
  const thread = await startThread(live)
  const first = await comment(live, thread, 'One')
  const author_id = await live.member()
  for (let n = 0; n < 5; n++)
    await live.admin.post(`/discussions/${thread}/comments`, {
      content: `Answer ${n}`,
      parent_id: first,
      author_id,
    })
  await live.admin.post(`/discussions/${thread}/best-answer`, { comment_id: first })
  const { status } = await uploadFile(live, fileOf('hello', 'a.txt', 'text/plain'))
  expect(status).toBe(201)
  await requestsLogged(api)
}

const certificateOf = async ({ live }: TestProject) =>
  (
    await api.owner.query<{
      after: { rows: Record<string, number>; files: number; bytes: number; removed_at: string }
    }>("select after from project_acts where live_id = $1 and action = 'project.remove'", [live.projectId])
  ).rows.map(({ after }) => after)

test('the removal of a deleted project leaves no row of any table and no file; the certificate has all of them, and another project is untouched', async () => {
  const [one, other] = await newProjects()
  await fill(one)
  await fill(other)
  const { token } = await one.live.signIn()
  const theirs = await fingerprint(api.database, sidesOf(other))
  const filesOfOther = async () =>
    (await s3.keys()).filter((key) => sidesOf(other).some((side) => key.startsWith(side)))
  const files = await filesOfOther()
  const before = await rowsOf(sidesOf(one))
  const tables = await api.owner.connect().then(async (client) => {
    try {
      return tenantTables(await readTables(client as unknown as pg.Client)).filter(isTenanted).length
    } finally {
      client.release()
    }
  })
  expect(Object.keys(before)).toHaveLength(tables)
  await remove(one)
  await finishRemoval(one)
  expect(await rowsOf(sidesOf(one))).toEqual({})
  expect((await s3.keys()).filter((key) => sidesOf(one).some((side) => key.startsWith(side)))).toEqual([])
  const [certificate, ...more] = await certificateOf(one)
  expect(more).toEqual([])
  expect(certificate?.rows).toEqual(before)
  expect(certificate).toMatchObject({ files: 1, bytes: 5, removed_at: expect.any(String) })
  expect(await fingerprint(api.database, sidesOf(other))).toBe(theirs)
  expect(await filesOfOther()).toEqual(files)
  expect([await answer(one.live.key), await answer(token)]).toEqual(['unknown_key', 'session_ended'])
  // Again, there is nothing to do.
  await runJob()
  expect(await certificateOf(one)).toHaveLength(1)
})

test('archives of exports are removed with their project, and those of others stay', async () => {
  const [one, other] = await newProjects()
  const objects = new Objects(api.config, makeLog('silent', 'worker'))
  const archiveOf = async ({ live }: TestProject) => {
    const id = newUuid()
    await api.owner.query(
      `insert into project_exports (id, live_id, name, state, asked_by, ended_at, expires_at, report)
       values ($1, $2, 'One', 'done', 'op_1', now(), now() + interval '7 days', '{}')`,
      [id, live.projectId],
    )
    await objects.put(
      archiveKey(id),
      (async function* () {
        yield Buffer.from('an archive')
      })(),
    )
    return archiveKey(id)
  }
  try {
    const [archive, kept] = [await archiveOf(one), await archiveOf(other)]
    await remove(one)
    await finishRemoval(one)
    const keys = await s3.keys()
    expect([keys.includes(archive), keys.includes(kept)]).toEqual([false, true])
    expect(await certificateOf(one)).toMatchObject([{ files: 1, bytes: 10 }])
  } finally {
    objects.close()
  }
})

test('a removal that is killed at any moment goes on, and its certificate has what there was at the begin', async () => {
  const [one] = await newProjects()
  await fill(one)
  const before = await rowsOf(sidesOf(one))
  await remove(one)
  const fixture = fileURLToPath(new URL('./remove.fixture.ts', import.meta.url))
  const env = {
    DATABASE_URL: api.database.url,
    SECRET_KEY: api.database.secretKey,
    ...s3.environment,
    LOG_LEVEL: 'silent',
  }
  for (const steps of [1, 6, 25]) {
    const child = spawn(process.execPath, [fixture, `${steps}`], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(await certificateOf(one)).toEqual([])
    expect(Object.keys(await rowsOf(sidesOf(one)))).not.toEqual([])
  }
  await finishRemoval(one)
  expect(await rowsOf(sidesOf(one))).toEqual({})
  expect((await certificateOf(one)).map(({ rows }) => rows)).toEqual([before])
})

test('keys and tokens end at once; within the grace nothing is removed, and a restored project is as it was', async () => {
  const [one] = await newProjects()
  const { token } = await one.live.signIn()
  expect([await answer(one.live.key), await answer(token)]).toEqual([200, 403])
  const before = await fingerprint(api.database, sidesOf(one))
  const deleted = await remove(one, 60_000)
  await within(1_000, async () =>
    expect([await answer(one.live.key), await answer(one.test.key), await answer(token)]).toEqual([
      'revoked',
      'revoked',
      'session_ended',
    ]),
  )
  await runJob()
  expect(await fingerprint(api.database, sidesOf(one))).toBe(before)
  expect(Date.parse(deleted.remove_after) - Date.parse(deleted.deleted_at)).toBe(60_000)
  await restore(one)
  await within(1_000, async () => expect(await answer(one.live.key)).toBe(200))
  await expect(restore(one)).rejects.toMatchObject({ status: 404 })
})

test('a project that is deleted twice at once is deleted once; another name deletes nothing', async () => {
  const [one] = await newProjects()
  const wrong = deleteProject(api.operators, one.project.id, COMMAND, { name: 'one' })
  await expect(wrong).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'name' }] })
  const [first, second] = await Promise.all([remove(one, 60_000), remove(one, 60_000)])
  expect(first).toEqual(second)
  const { rows } = await api.owner.query('select action from project_acts where live_id = $1', [
    one.live.projectId,
  ])
  expect(rows).toEqual([{ action: 'project.delete' }])
})

test('of a restoration and a removal that begin at the same moment one wins, and the other does nothing', async () => {
  const outcomes = new Set<string>()
  for (let n = 0; n < 4; n++) {
    const [one] = await newProjects()
    await remove(one)
    const before = await rowsOf(sidesOf(one))
    const begin = () =>
      api.owner.query<{ begun: boolean }>('select app.begin_removal($1) as begun', [one.live.projectId])
    const [restored, begun] = await Promise.allSettled([
      restore(one),
      n % 2 ? begin() : Promise.resolve().then(begin),
    ])
    if (restored.status === 'fulfilled') {
      expect(begun).toMatchObject({ value: { rows: [{ begun: false }] } })
      await runJob()
      expect(await rowsOf(sidesOf(one))).toEqual(before)
    } else {
      expect(restored.reason).toMatchObject({ status: 409, code: 'REMOVAL_BEGUN' })
      await runJob()
      expect(await rowsOf(sidesOf(one))).toEqual({})
    }
    outcomes.add(restored.status)
  }
  expect(outcomes.size).toBeGreaterThan(0)
})

test('a key that is made while its project is being deleted does not work, and is removed with it', async () => {
  const [one] = await newProjects()
  const { id } = one.project
  await remove(one)
  await expect(tenantOf(api.operators, id, 'live')).rejects.toMatchObject({ status: 404 })
  const { key } = await one.live.makeKey({ permissions: ['admin'] })
  expect(await answer(key)).toBe('revoked')
  // It waits for every transaction of the server that is older.
  await vi.waitFor(async () => {
    await requestsLogged(api)
    await runJob()
    expect(await answer(key)).toBe('unknown_key')
  }, SOON)
  expect(await rowsOf(sidesOf(one))).toEqual({})
})

test('a removal ends after the transactions that began before it: what they write is removed, too', async () => {
  const [one] = await newProjects()
  const writer = await api.owner.connect()
  try {
    await writer.query('begin')
    await writer.query('select pg_current_xact_id()')
    await remove(one)
    await runJob()
    expect(await certificateOf(one)).toEqual([])
    await writer.query(
      `insert into events (project_id, id, type, payload, occurred_at)
       values ($1, app.uuid_v7(), 'member.created', '{}', now())`,
      [one.live.projectId],
    )
    await writer.query('commit')
  } finally {
    writer.release()
  }
  await expect
    .poll(async () => {
      await runJob()
      return (await certificateOf(one)).length
    }, SOON)
    .toBe(1)
  expect(await rowsOf(sidesOf(one))).toEqual({})
  // A job that ended after the removal has left something.
  await api.owner.query(
    `insert into events (project_id, id, type, payload, occurred_at)
     values ($1, app.uuid_v7(), 'member.created', '{}', now())`,
    [one.live.projectId],
  )
  await api.owner.query(
    "update project_removals set removed_at = removed_at - interval '2 hours' where live_id = $1",
    [one.live.projectId],
  )
  await runJob()
  expect(await rowsOf(sidesOf(one))).toEqual({})
  expect(await certificateOf(one)).toHaveLength(1)
})

test('tables come before those that they refer to, also where some refer to each other', () => {
  const names = ['a', 'b', 'c', 'd']
  const refers = (pairs: string[]) => pairs.map((pair) => ({ child: pair[0] ?? '', parent: pair[1] ?? '' }))
  expect(inOrder(names, refers(['ab', 'bc', 'dc']))).toEqual(['a', 'd', 'b', 'c'])
  expect(inOrder(names, refers(['ab', 'ba', 'ca', 'da', 'cd']))).toEqual(['c', 'd', 'a', 'b'])
})

test('the command says what it will do, and wants the name or --yes where nobody can be asked', async () => {
  const [one] = await newProjects()
  const main = fileURLToPath(new URL('../../../../../apps/cli/src/main.ts', import.meta.url))
  const env = { DATABASE_URL: api.database.url, SECRET_KEY: api.database.secretKey }
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) =>
      execFile(process.execPath, [main, 'project', ...args, '--json'], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : 1, stdout, stderr }),
      ).stdin?.end(),
    )
  const { id } = one.project
  const refused = await run('delete', id)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('which cannot be undone')
  expect(await run('delete', id, '--name', 'Two')).toMatchObject({ code: 1 })
  expect(JSON.parse((await run('delete', id, '--yes', '--after', '2h')).stdout)).toMatchObject({ id })
  expect(JSON.parse((await run('restore', id)).stdout)).toEqual({ id })
  expect(JSON.parse((await run('suspend', id, '--reason', 'Unpaid')).stdout)).toMatchObject({ id })
  const { projects } = JSON.parse((await run('list')).stdout) as { projects: { id: string; state: string }[] }
  expect(projects.find((each) => each.id === id)?.state).toBe('suspended')
})
