/** A whole installation for one queue backend: two workers, an API, and what they stand on. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { permissionsOf } from '#platform/area.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openPool } from '#platform/db/pool.ts'
import { inProject } from '#platform/db/tenant.ts'
import { freePort } from '../ports.ts'
import type { Step } from './die-at.ts'
import { openPostgres, openRedis, type Program, type Server, startProgram, untilAnswered } from './servers.ts'

export type Backend = 'postgres' | 'redis'

export interface RigOptions {
  readonly backend: Backend
  /** Environment of the processes: leases and sweeps that are shorter than in production. */
  readonly settings: Readonly<Record<string, string>>
  /** Starts what stands before PostgreSQL, such as a pooler, once the database is migrated. */
  readonly front?: (place: { postgresUrl: string; secretKey: string }) => Promise<Front>
}

/** What processes reach PostgreSQL through. */
export interface Front {
  readonly url: string
  stop(): Promise<void>
}

/** A customer of the installation. */
export interface Customer {
  readonly projectId: string
  readonly key: string
}

/** A worker that tells its numbers. */
export interface Worker extends Program {
  /** Resolves when it works. */
  ready(): Promise<void>
  /** Messages that it has delivered since it began. */
  delivered(): Promise<number>
}

export interface Rig {
  readonly backend: Backend
  readonly postgres: Server
  readonly redis: Server | undefined
  readonly origin: string
  /** What runs, the workers and the API. */
  readonly workers: readonly Program[]
  /** Starts one more worker: one that dies at a step, or one whose clock is off. */
  startWorker(options?: { dieAt?: Step; after?: number; clockShiftMs?: number }): Promise<Worker>
  /** Ends the API and starts it again, perhaps as one that dies at a step. */
  restartApi(options?: { dieAt?: Step; after?: number }): Promise<Program>
  makeCustomer(): Promise<Customer>
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
  close(): Promise<void>
}

/** Starts everything. Where the backend is Redis, the machine must have one. */
export async function openRig({ backend, settings, front: openFront }: RigOptions): Promise<Rig> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-faults-')))
  const begun: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  ]
  const close = async () => {
    for (const stop of begun.splice(0).reverse()) await stop()
  }
  try {
    const postgres = await openPostgres(folder)
    begun.push(() => postgres.stop())
    const redis = backend === 'redis' ? await openRedis(folder) : undefined
    if (redis) begun.push(() => redis.stop())
    const secretKey = randomBytes(32).toString('base64url')
    await migrate({ databaseUrl: postgres.url, secretKey })
    const front = await openFront?.({ postgresUrl: postgres.url, secretKey })
    if (front) begun.push(() => front.stop())
    const port = await freePort()
    const environment = {
      LOG_LEVEL: 'warn',
      ...settings,
      DATABASE_URL: front?.url ?? postgres.url,
      DATABASE_DIRECT_URL: postgres.url,
      SECRET_KEY: secretKey,
      ALLOW_PRIVATE_NETWORKS: 'true',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...(redis && { REDIS_URL: redis.url }),
    }
    const rig = new Installation(folder, environment, { backend, postgres, redis })
    begun.push(() => rig.stop())
    await rig.start()
    return Object.assign(rig, { close })
  } catch (error) {
    await close()
    throw error
  }
}

class Installation {
  readonly backend: Backend
  readonly postgres: Server
  readonly redis: Server | undefined
  readonly origin: string
  readonly workers: Program[] = []
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #owner: pg.Pool
  #api: Program | undefined

  constructor(
    folder: string,
    environment: Readonly<Record<string, string>>,
    { backend, postgres, redis }: { backend: Backend; postgres: Server; redis: Server | undefined },
  ) {
    this.backend = backend
    this.postgres = postgres
    this.redis = redis
    this.origin = `http://127.0.0.1:${environment.PORT}`
    this.#folder = folder
    this.#environment = environment
    this.#owner = new pg.Pool({ connectionString: postgres.url, max: 3 })
    // PostgreSQL goes away as part of the exercise.
    this.#owner.on('error', () => undefined)
  }

  async start(): Promise<void> {
    const [, ...workers] = await Promise.all([this.restartApi(), this.startWorker(), this.startWorker()])
    await Promise.all(workers.map((worker) => worker.ready()))
  }

  async startWorker({
    dieAt,
    after = 1,
    clockShiftMs,
  }: Parameters<Rig['startWorker']>[0] = {}): Promise<Worker> {
    const port = await freePort()
    const log = join(this.#folder, 'worker.log')
    const worker = await startProgram({
      script: 'apps/worker/src/main.ts',
      preload: [...(dieAt ? ['die-at.ts'] : []), ...(clockShiftMs === undefined ? [] : ['shift-clock.ts'])],
      environment: {
        ...this.#environment,
        PORT: '',
        WORKER_PORT: String(port),
        ...(dieAt && { DIE_AT: dieAt, DIE_AFTER: String(after) }),
        ...(clockShiftMs !== undefined && { CLOCK_SHIFT_MS: String(clockShiftMs) }),
      },
      log,
    })
    this.workers.push(worker)
    worker.ended.then(() => this.workers.splice(this.workers.indexOf(worker), 1)).catch(() => undefined)
    const origin = `http://127.0.0.1:${port}`
    return Object.assign(worker, {
      ready: () => untilAnswered(`${origin}/healthz`, worker, log),
      delivered: () => deliveredBy(`${origin}/metrics`),
    })
  }

  async restartApi({ dieAt, after = 1 }: Parameters<Rig['restartApi']>[0] = {}): Promise<Program> {
    await this.#api?.stop()
    const log = join(this.#folder, 'api.log')
    this.#api = await startProgram({
      script: 'apps/api/src/main.ts',
      preload: dieAt ? ['die-at.ts'] : [],
      environment: { ...this.#environment, ...(dieAt && { DIE_AT: dieAt, DIE_AFTER: String(after) }) },
      log,
    })
    await untilAnswered(`${this.origin}/readyz`, this.#api, log)
    return this.#api
  }

  async makeCustomer(): Promise<Customer> {
    const { DATABASE_URL = '', SECRET_KEY = '' } = this.#environment
    const config = { DATABASE_URL, SECRET_KEY }
    const operators = openPool(config, { role: 'operator', size: 1, onError: () => undefined })
    const door = openPool(config, { role: 'api', size: 1, onError: () => undefined })
    try {
      const project = await createProject(operators, {
        name: 'Faults',
        tier: 'enterprise',
        rateLimit: 1_000_000,
      })
      const projectId = await tenantOf(operators, project.id, 'live')
      const request = { type: 'secret', name: 'Faults', permissions: ['admin'] } as const
      const { key } = await inProject(door, projectId, { kind: 'operator' }, (ctx) =>
        createKey(ctx, 'live', request, permissionsOf(areas)),
      )
      return { projectId, key }
    } finally {
      await operators.end()
      await door.end()
    }
  }

  async sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#owner.query<R>(text, values)).rows
  }

  async stop(): Promise<void> {
    await Promise.all([this.#api, ...this.workers].map((program) => program?.stop()))
    await this.#owner.end()
  }
}

const DELIVERED = /^guildhall_webhook_attempts_total\{outcome="delivered"\} (\d+)/m

/** Zero where nobody answers yet. */
const deliveredBy = (url: string): Promise<number> =>
  fetch(url).then(
    async (response) => Number(DELIVERED.exec(await response.text())?.[1] ?? 0),
    () => 0,
  )
