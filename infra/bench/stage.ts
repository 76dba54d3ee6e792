/** What the benches of requests stand on: a migrated database, its owner, a load generator, and the servers. */
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import type { Place } from '../../apps/cli/src/operator.ts'
import { makeBypassingLogin, type Tenant } from './data.ts'
import { type Generator, startGenerator } from './load.ts'
import type { Rig, Server } from './rig.ts'

/** How a bench is asked for. */
export interface BenchOptions {
  /** Smaller data and shorter runs, for a look. */
  readonly quick: boolean
  /** How much data, in place of what the bench takes by itself; where it takes any. */
  readonly rows?: number
  /** A part of the name of the cases to measure, where a bench has many; all without it. */
  readonly only?: string
  /** A PgBouncer of 1.21 or later, where a bench has something to measure behind it. */
  readonly pgbouncer?: string
}

export interface Stage {
  readonly rig: Rig
  readonly place: Place
  /** The owner of the tables. */
  readonly owner: pg.Client
  readonly generator: Generator
  /** PostgreSQL's first process. */
  readonly postmaster: number
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const API = script('../../apps/api/src/main.ts')
const BARE = script('bare/server.ts')
/** As many as the API has by itself. */
const POOL_SIZE = '10'

export const say = (text: string) => process.stderr.write(`${text}\n`)

/** Runs a bench on a stage of its own, and clears it away. */
export async function onStage(rig: Rig, work: (stage: Stage) => Promise<void>): Promise<void> {
  const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
  await migrate(place)
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  try {
    await work({ rig, place, owner, generator, postmaster: rig.postgres.pid })
  } finally {
    await generator.stop()
    await owner.end()
  }
}

/** After loading: what PostgreSQL would do in the minutes after it. */
export async function vacuumAndCheckpoint({ owner }: Stage): Promise<void> {
  await owner.query('vacuum (analyze)')
  await owner.query('checkpoint')
}

/** The environment of the API in production. An empty variable is an unset one. */
export function apiEnvironment(rig: Rig, redisUrl = ''): Record<string, string> {
  return {
    DATABASE_URL: rig.postgres.url,
    SECRET_KEY: rig.secretKey,
    REDIS_URL: redisUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
    LOG_LEVEL: 'info',
  }
}

/** @param port where it listens, for one that has to know its own address */
export const serveApi = (
  rig: Rig,
  name = 'api',
  more: Record<string, string> = {},
  port?: number,
): Promise<Server> =>
  rig.serve({
    ...{ name, script: API, environment: { ...apiEnvironment(rig), ...more } },
    ...(port !== undefined && { port }),
  })

/** What an area is measured against: Fastify and `pg` with the same SQL, and nothing else. */
export async function bareOf(
  { rig, owner }: Stage,
  routes: string,
  { projectId }: Tenant,
): Promise<{ script: string; environment: Record<string, string> }> {
  const BYPASSING_URL = await makeBypassingLogin(owner, rig.postgres.url)
  const more = { BYPASSING_URL, PROJECT_ID: projectId, BARE_ROUTES: routes }
  return { script: BARE, environment: { ...apiEnvironment(rig), ...more } }
}

export const serveBare = async (stage: Stage, routes: string, tenant: Tenant): Promise<Server> =>
  stage.rig.serve({ name: 'bare', ...(await bareOf(stage, routes, tenant)) })

/** Resident memory in MiB, as the process itself reports it to Prometheus. */
export async function residentMiB({ origin }: Server): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024
}

const SAMPLE_MS = 50

/** The most memory in MiB that a process has while something is done. */
export async function peakOf(server: Server, work: () => Promise<unknown>): Promise<number> {
  let most = 0
  let going = true
  const looking = (async () => {
    while (going) {
      most = Math.max(most, await residentMiB(server).catch(() => 0))
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    }
  })()
  try {
    await work()
  } finally {
    going = false
    await looking
  }
  return Math.max(most, await residentMiB(server))
}

/** Posts to Guildhall as a customer's server does. @throws Error where it is refused */
export const poster =
  (origin: string, { authorization }: Tenant) =>
  async <T>(path: string, body: object, member?: string): Promise<T> => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(member !== undefined && { 'x-user-id': member }),
      },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }
export type Post = ReturnType<typeof poster>
