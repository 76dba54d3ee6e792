import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { endMoves } from '#areas/projects/move/end-moves.schedule.ts'
import { newCellSecret } from '#platform/cells/cell-secret.ts'
import { addCell } from '#platform/cells/manage-cells.ts'
import { examine } from '#platform/doctor/doctor.ts'
import { parseId } from '#platform/ids.ts'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { newWrappedKey } from '#platform/keys/project-keys.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { registerEndpoint } from '#testkit/areas/webhooks.ts'
import { databaseUrl, onServer } from '#testkit/database.ts'
import { type Mailbox, openMailbox } from '#testkit/environments/delivery-environment.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { type Postgres, startPostgres } from '../../postgres/server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

/** Of each cell. */
const SECRET_KEYS: Readonly<Record<string, string>> = {
  here: TEST_SECRET_KEY,
  there: 'the secret key of the other cell, 32 characters',
}
const MAIN = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))
const SERVER = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ wal_level: 'logical', max_logical_replication_workers: '8', max_sync_workers_per_subscription: '4' },
}

interface Cell {
  readonly server: Postgres
  readonly s3: TestS3
  readonly api: TestApi
  readonly environment: Readonly<Record<string, string>>
}

let folder: string
let receiver: Mailbox
let here: Cell
let there: Cell
let moving: TestProject
let staying: TestProject
const workers: (() => Promise<void>)[] = []

async function startCell(name: string): Promise<Cell> {
  const [server, s3] = await Promise.all([
    startPostgres({ dataDir: join(folder, name), settings: SERVER }),
    startS3(),
  ])
  // Stopped with the run, however that ends.
  await writeFile(join(inject('servers').runFolder, `move-${name}.pid`), String(server.pid))
  const url = databaseUrl(server.url, name)
  const secretKey = SECRET_KEYS[name] ?? ''
  await onServer(databaseUrl(server.url, 'postgres'), `create database ${name}`)
  await migrate({ databaseUrl: url, secretKey })
  const environment = {
    ...s3.environment,
    BASE_URL: `http://${name}.example`,
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    SWEEP_MS: '200',
  }
  const api = await startApi({
    environment,
    database: { url, secretKey, drop: async () => undefined },
  })
  return { server, s3, api, environment: { ...environment, DATABASE_URL: url, SECRET_KEY: secretKey } }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-move-'))
  ;[here, there, receiver] = await Promise.all([startCell('here'), startCell('there'), openMailbox()])
  const secret = newCellSecret()
  await addCell(here.api.owner, here.api.config, {
    name: 'there',
    url: there.api.url,
    secret,
    allowHttp: true,
  })
  await addCell(there.api.owner, there.api.config, {
    name: 'here',
    url: here.api.url,
    secret,
    allowHttp: true,
  })
  ;[moving, staying] = await makeProjects(here.api)
  for (const { live, test: other } of [moving, staying])
    for (const { projectId } of [live, other])
      await here.api.owner.query(
        "insert into project_keys (id, wrapped, created_at) values ($1, $2, now() - interval '10 minutes')",
        [projectId, newWrappedKey(TEST_SECRET_KEY, projectId)],
      )
  for (const { api } of [here, there]) {
    const deps = makeWorkerDeps(api.config, makeLog('silent', 'worker'))
    const worker = startWorker({ deps, areas, lanes: LANES, finishMs: 5_000 })
    workers.push(async () => {
      await worker.stop()
      await deps.close()
    })
  }
  await writeFile(
    join(folder, 'there.env'),
    Object.entries(there.environment)
      .map(([name, value]) => `${name}="${value}"`)
      .join('\n'),
  )
})
afterAll(async () => {
  await Promise.all(workers.map((stop) => stop()))
  for (const cell of [here, there]) {
    await cell?.api.close()
    await cell?.server.stop()
    await cell?.s3.close()
  }
  await receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

const args = ({ project }: TestProject, ...more: string[]) => [
  MAIN,
  ...['project', 'move', project.id, '--to', 'there', '--as', 'here'],
  ...['--target-environment', join(folder, 'there.env'), '--json', ...more],
]
const command = (project: TestProject, ...more: string[]) =>
  promisify(execFile)(process.execPath, args(project, ...more), {
    env: { PATH: process.env['PATH'], ...here.environment },
  }).then(({ stdout, stderr }) => ({ result: JSON.parse(stdout) as Record<string, unknown>, stderr }))

/** Runs the command and kills it once a step is done. @returns whether that step came */
async function killedAfter(project: TestProject, step: string): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, args(project), {
    env: { PATH: process.env['PATH'], ...here.environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let isKilled = false
  if (child.stderr)
    for await (const line of createInterface({ input: child.stderr }))
      if (!isKilled && line.startsWith(`${step}:`)) isKilled = child.kill('SIGKILL')
  return isKilled
}

const sidesOf = ({ live, test: other }: TestProject) => [live.projectId, other.projectId]
const count = async ({ api }: Cell, sql: string, values: unknown[] = []) =>
  (await api.owner.query<{ count: number }>(`select count(*)::int as count from ${sql}`, values)).rows[0]
    ?.count

/** @returns the next refresh token */
async function refresh(cell: Cell, token: string): Promise<string> {
  const { status, body } = await cell.api.send<{ session: { refresh_token: string } }>(
    'POST',
    '/api/v1/auth/refresh',
    { key: moving.live.key, body: { refresh_token: token } },
  )
  expect(status).toBe(200)
  return body.session.refresh_token
}

test('a project that is written moves to a cell with another SECRET_KEY with its rows, files, keys, sessions and tokens; each event is delivered once', async () => {
  await registerEndpoint(moving.live, { url: receiver.url })
  for (let n = 0; n < 5; n++) await uploadFile(moving.live, fileOf(`file ${n}`))
  const visitor = await moving.live.signIn()
  const token = await refresh(here, visitor.refreshToken)
  const plan = await command(moving, '--plan')
  expect(plan.result).toMatchObject({
    faults: [],
    warnings: [expect.stringMatching(/^SECRET_KEY differs/)],
    files: 5,
  })

  // Each write is answered well, or is refused for the moment of the move.
  let isOver = false
  const answered = { made: 0, moving: 0, others: [] as unknown[], staying: 0 }
  const writeTo = async (cell: Cell, name: string) =>
    cell.api.send('POST', '/api/v1/members', {
      key: moving.live.key,
      body: { email: `${name}@example.com` },
    })
  const traffic = (async () => {
    for (let n = 0; !isOver; n++) {
      const { status, body } = await writeTo(here, `moving${n}`)
      if (status === 201) answered.made += 1
      else if ((body as { code?: string }).code?.startsWith('PROJECT_MOV')) answered.moving += 1
      else answered.others.push(status, body)
      const other = await staying.live.admin.post('/members', { email: `staying${n}@example.com` })
      expect(other.status).toBe(201)
      answered.staying += 1
    }
  })()
  const moved = command(moving).finally(() => {
    isOver = true
  })
  const [{ result, stderr }] = await Promise.all([moved, traffic])
  process.stdout.write(`${stderr}${JSON.stringify(result)}\n`)
  expect(result).toMatchObject({ outcome: 'moved', files: 5 })
  expect(Number(result['hold_ms'])).toBeLessThan(5_000)
  expect(answered.others).toEqual([])
  expect(answered.made).toBeGreaterThan(0)
  expect(answered.moving).toBeGreaterThan(0)

  // All that was answered is there, and nothing of the other project.
  const members = 'members where project_id = $1 and email like $2'
  expect(await count(there, members, [moving.live.projectId, 'moving%'])).toBe(answered.made)
  expect(await count(here, members, [staying.live.projectId, 'staying%'])).toBe(answered.staying)
  expect(await count(there, 'members where project_id <> all ($1)', [sidesOf(moving)])).toBe(0)
  expect(await count(there, 'projects where id = any ($1)', [sidesOf(staying)])).toBe(0)

  // Keys and tokens go on in the other cell.
  await expect.poll(async () => (await writeTo(there, 'after')).status).toBe(201)
  const profile = await there.api.send('GET', '/api/v1/user/profile', { key: visitor.token })
  expect(profile.status).toBe(200)
  await refresh(there, await refresh(there, token))
  const ids = async () =>
    (
      await there.api.owner.query<{ id: string }>(
        "select app.public_id('evt', id) as id from events where project_id = $1",
        [moving.live.projectId],
      )
    ).rows.map(({ id }) => id)
  await expect.poll(() => receiver.received.map(({ id }) => id).sort()).toEqual((await ids()).sort())
  expect(await count(here, 'pg_replication_slots')).toBe(0)
  expect(await count(here, 'pg_publication')).toBe(0)
  expect(await count(there, 'pg_subscription')).toBe(0)
})

const fences = ({ project }: TestProject) => {
  const liveId = parseId('project', project.id) ?? ''
  return count(here, 'pg_trigger where tgname like $1', [`fence\\_${liveId.replaceAll('-', '')}%`])
}

test('an hour after a move the fence is taken away, and keys of the other cell are forgotten once their tokens have expired', async () => {
  await runSchedule(endMoves, here.api.config)
  await runSchedule(endMoves, there.api.config)
  expect(await fences(moving)).toBeGreaterThan(0)
  expect(await count(there, 'foreign_signing_keys')).toBeGreaterThan(0)
  await here.api.owner.query("update project_moves set ended_at = ended_at - interval '61 minutes'")
  await there.api.owner.query("update foreign_signing_keys set published_until = now() - interval '1 second'")
  // A table that is in use is left for the next time.
  await expect
    .poll(async () => {
      await runSchedule(endMoves, here.api.config)
      return fences(moving)
    })
    .toBe(0)
  await runSchedule(endMoves, there.api.config)
  expect(await count(there, 'foreign_signing_keys')).toBe(0)
  await expect.poll(() => count(here, 'project_moves where unfenced_at is null')).toBe(0)
})

/** In how many cells a project is active. */
async function activeIn({ live }: TestProject): Promise<number> {
  const isActive = async (cell: Cell) =>
    Number(
      await count(
        cell,
        'projects p where p.id = $1 and not exists (select from project_locations l where l.id = p.id)',
        [live.projectId],
      ),
    )
  return (await isActive(here)) + (await isActive(there))
}

/** What the doctor warns of. */
async function doctorsMoves(): Promise<string[]> {
  const { url, secretKey } = here.api.database
  const found = await examine({
    ...{ databaseUrl: url, directUrl: url, secretKey, environment: here.environment },
  })
  return found
    .filter(({ check, state }) => check === 'moves' && state === 'warning')
    .map((each) => each.found)
}

test('a move that is killed goes on with the same command, or is taken back, and no project is ever active in two cells', async () => {
  const write = async (cell: Cell, name: string) =>
    (
      await cell.api.send('POST', '/api/v1/members', {
        key: staying.live.key,
        body: { email: `${name}@example.com` },
      })
    ).status
  // Tables are being copied: their slots are there, too.
  expect(await killedAfter(staying, 'subscribe')).toBe(true)
  expect(await activeIn(staying)).toBe(1)
  expect(await doctorsMoves()).toEqual([])
  await there.api.owner.query(
    `alter subscription guildhall_move_${staying.live.projectId.replaceAll('-', '')} disable`,
  )
  await expect.poll(doctorsMoves).toEqual([expect.stringContaining('nobody reads the slot guildhall_move_')])
  const { result: aborted } = await command(staying, '--abort')
  expect(aborted).toMatchObject({ outcome: 'taken back' })
  expect(await doctorsMoves()).toEqual([])
  expect(await count(here, 'pg_replication_slots')).toBe(0)
  expect(await count(there, 'projects where id = any ($1)', [sidesOf(staying)])).toBe(0)
  expect(await count(there, 'members where project_id = $1', [staying.live.projectId])).toBe(0)
  expect(await write(here, 'taken-back')).toBe(201)

  // `npm run scale -- --only move` kills it after every step.
  for (const step of ['hold writes', 'switch']) {
    expect([step, await killedAfter(staying, step)]).toEqual([step, true])
    expect([step, await activeIn(staying)]).toEqual([step, step === 'switch' ? 0 : 1])
    // A hold ends by itself.
    if (step === 'hold writes') await expect.poll(() => write(here, 'after-the-hold')).toBe(201)
  }
  const members = 'members where project_id = $1'
  const before = await count(here, members, [staying.live.projectId])
  const { result } = await command(staying)
  expect(result).toMatchObject({ outcome: 'moved' })
  expect(await count(there, members, [staying.live.projectId])).toBe(before)
  await expect.poll(() => write(there, 'moved')).toBe(201)
  expect(await count(here, 'pg_replication_slots')).toBe(0)
  expect(await count(here, members, [staying.live.projectId])).toBe(before)
})
