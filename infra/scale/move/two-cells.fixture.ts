import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { areas } from '#areas/areas.ts'
import { newCellSecret } from '#platform/cells/cell-secret.ts'
import { addCell } from '#platform/cells/manage-cells.ts'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { newWrappedKey } from '#platform/keys/project-keys.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { databaseUrl, onServer } from '#testkit/database.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { type Postgres, startPostgres } from '../../postgres/server.ts'
import { killAfter } from './kill-after.ts'

/** Of each cell. */
const SECRET_KEYS: Readonly<Record<string, string>> = {
  here: TEST_SECRET_KEY,
  there: 'the secret key of the other cell, 32 characters',
}
const MAIN = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))
const SERVER = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ max_logical_replication_workers: '8', max_sync_workers_per_subscription: '4' },
}

export interface Cell {
  readonly server: Postgres
  readonly s3: TestS3
  readonly api: TestApi
  readonly environment: Readonly<Record<string, string>>
}

/** Two cells, each with its own PostgreSQL, bucket and worker, and two projects in the first one. */
export interface TwoCells {
  readonly here: Cell
  readonly there: Cell
  readonly projects: readonly [TestProject, TestProject]
  /** A folder with the environment of the other cell, `there.env`. */
  readonly environments: string
  /** Runs `guildhall project move` to the other cell. */
  move(project: TestProject, ...more: string[]): Promise<{ result: Record<string, unknown>; stderr: string }>
  /** Runs it until a step is done, and kills it there. @returns whether that step came */
  killedAfter(project: TestProject, step: string): Promise<boolean>
  /** In how many cells a project is active. */
  activeIn(project: TestProject): Promise<number>
  close(): Promise<void>
}

async function startCell(folder: string, name: string, walLevel: string): Promise<Cell> {
  const settings = { ...SERVER, wal_level: walLevel }
  const [server, s3] = await Promise.all([
    startPostgres({ dataDir: join(folder, name), settings }),
    startS3(),
  ])
  // Stopped with the run, however that ends.
  await writeFile(join(inject('servers').runFolder, `move-${walLevel}-${name}.pid`), String(server.pid))
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

/** @returns how it is stopped */
function workFor({ api }: Cell): () => Promise<void> {
  const deps = makeWorkerDeps(api.config, makeLog('silent', 'worker'))
  const worker = startWorker({ deps, areas, lanes: LANES, finishMs: 5_000 })
  return async () => {
    await worker.stop()
    await deps.close()
  }
}

/** @param walLevel of both servers */
export async function openTwoCells(walLevel: 'logical' | 'replica'): Promise<TwoCells> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-move-'))
  const cells = await Promise.all(['here', 'there'].map((name) => startCell(folder, name, walLevel)))
  const [here, there] = cells as [Cell, Cell]
  const secret = newCellSecret()
  const introduce = (to: Cell, name: string, { api }: Cell) =>
    addCell(to.api.owner, to.api.config, { name, url: api.url, secret, allowHttp: true })
  await introduce(here, 'there', there)
  await introduce(there, 'here', here)
  const projects = await makeProjects(here.api)
  for (const side of projects.flatMap(sidesOf))
    await here.api.owner.query(
      "insert into project_keys (id, wrapped, created_at) values ($1, $2, now() - interval '10 minutes')",
      [side, newWrappedKey(TEST_SECRET_KEY, side)],
    )
  const workers = cells.map(workFor)
  await writeFile(
    join(folder, 'there.env'),
    Object.entries(there.environment)
      .map(([name, value]) => `${name}="${value}"`)
      .join('\n'),
  )
  const args = ({ project }: TestProject, ...more: string[]) => [
    MAIN,
    ...['project', 'move', project.id, '--to', 'there', '--as', 'here'],
    ...['--target-environment', join(folder, 'there.env'), '--json', ...more],
  ]
  const env = { PATH: process.env['PATH'], ...here.environment }
  return {
    ...{ here, there, projects, environments: folder },
    move: async (project, ...more) => {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args(project, ...more), { env })
      return { result: JSON.parse(stdout), stderr }
    },
    killedAfter: async (project, step) => {
      const child = spawn(process.execPath, [...killAfter(step), ...args(project)], { env, stdio: 'ignore' })
      const [, signal] = await once(child, 'exit')
      return signal === 'SIGKILL'
    },
    activeIn: async ({ live }) => {
      const active = `projects p where p.id = $1 and not exists (select from project_locations l where l.id = p.id)`
      const found = await Promise.all(cells.map((cell) => count(cell, active, [live.projectId])))
      return found.reduce((sum, each) => sum + each, 0)
    },
    close: async () => {
      await Promise.all(workers.map((stop) => stop()))
      for (const cell of cells) {
        await cell.api.close()
        await cell.server.stop()
        await cell.s3.close()
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The ids of both sides, live first. */
export const sidesOf = ({ live, test: other }: TestProject) => [live.projectId, other.projectId]

/** How many rows of a cell are as `sql` says, which stands behind `from`. */
export async function count({ api }: Cell, sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await api.owner.query<{ count: number }>(
    `select count(*)::int as count from ${sql}`,
    values,
  )
  return Number(rows[0]?.count)
}
