/** The processes of a rig, and the customers of its database. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../ports.ts'
import { type Customer, makeCustomer, makeCustomerOf } from './customers.ts'
import type { Step } from './die-at.ts'
import { metricOf } from './metrics.ts'
import { HERE, type Program, type Server, startProgram, untilAnswered } from './servers.ts'

export type Backend = 'postgres' | 'redis'

/** A worker that is different from others: it dies at a step, its clock is off, or it is of another checkout. */
export interface WorkerOptions {
  readonly dieAt?: Step
  readonly after?: number
  readonly clockShiftMs?: number
  readonly root?: string
}

/** A worker that tells its numbers. */
export interface Worker extends Program {
  /** Resolves when it works. */
  ready(): Promise<void>
  /** Messages that it has delivered since it began. */
  delivered(): Promise<number>
}

/** An API of the installation, beside the first one. */
export interface Api extends Program {
  readonly origin: string
}

/** What the processes of this checkout are given, whatever those of another one are. */
export const OF_THIS_VERSION = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1' }

/** What `openRig` starts. */
export class Installation {
  readonly backend: Backend
  readonly postgres: Server
  readonly redis: Server | undefined
  readonly origin: string
  readonly workers: Program[] = []
  readonly environment: Readonly<Record<string, string>>
  readonly #folder: string
  readonly #root: string | undefined
  readonly #apis: Program[] = []
  readonly #owner: pg.Pool
  #api: Program | undefined

  constructor(
    folder: string,
    environment: Readonly<Record<string, string>>,
    {
      backend,
      postgres,
      redis,
      root,
    }: { backend: Backend; postgres: Server; redis: Server | undefined; root: string | undefined },
  ) {
    this.backend = backend
    this.postgres = postgres
    this.redis = redis
    this.origin = `http://127.0.0.1:${environment.PORT}`
    this.#folder = folder
    this.environment = environment
    this.#root = root
    this.#owner = new pg.Pool({ connectionString: environment['DATABASE_DIRECT_URL'], max: 3 })
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
    root = this.#root,
  }: WorkerOptions = {}): Promise<Worker> {
    const port = await freePort()
    const log = join(this.#folder, 'worker.log')
    const worker = await startProgram({
      script: 'apps/worker/src/main.ts',
      ...(root !== undefined && { root }),
      preload: [...(dieAt ? ['die-at.ts'] : []), ...(clockShiftMs === undefined ? [] : ['shift-clock.ts'])],
      environment: {
        ...this.environment,
        ...(root === HERE && OF_THIS_VERSION),
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
      delivered: () => metricOf(origin, 'guildhall_webhook_attempts_total{outcome="delivered"}'),
    })
  }

  async restartApi({ dieAt, after = 1 }: { dieAt?: Step; after?: number } = {}): Promise<Program> {
    await this.#api?.stop()
    const log = join(this.#folder, 'api.log')
    this.#api = await startProgram({
      script: 'apps/api/src/main.ts',
      ...(this.#root !== undefined && { root: this.#root }),
      preload: dieAt ? ['die-at.ts'] : [],
      environment: { ...this.environment, ...(dieAt && { DIE_AT: dieAt, DIE_AFTER: String(after) }) },
      log,
    })
    await untilAnswered(`${this.origin}/readyz`, this.#api, log)
    return this.#api
  }

  async startApi({ root }: { root?: string } = {}): Promise<Api> {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const log = join(this.#folder, 'api.log')
    const api = await startProgram({
      script: 'apps/api/src/main.ts',
      ...(root !== undefined && { root }),
      environment: { ...this.environment, ...(root === HERE && OF_THIS_VERSION), PORT: String(port) },
      log,
    })
    this.#apis.push(api)
    await untilAnswered(`${origin}/readyz`, api, log)
    return Object.assign(api, { origin })
  }

  async makeCustomer({ rateLimit = 1_000_000 }: { rateLimit?: number } = {}): Promise<Customer> {
    const place = {
      DATABASE_URL: this.environment['DATABASE_URL'] ?? '',
      SECRET_KEY: this.environment['SECRET_KEY'] ?? '',
    }
    if (this.#root === undefined) return makeCustomer(place, rateLimit)
    const key = await makeCustomerOf(this.#root, place)
    const [newest] = await this.sql<{ project_id: string }>(
      'select project_id from api_keys order by created_at desc limit 1',
    )
    return { projectId: newest?.project_id ?? '', key }
  }

  async sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#owner.query<R>(text, values)).rows
  }

  async errors(): Promise<string[]> {
    const logs = await Promise.all(
      ['api.log', 'worker.log'].map((name) => readFile(join(this.#folder, name), 'utf8').catch(() => '')),
    )
    return logs.flatMap((log) => log.split('\n')).filter((line) => /^\{"level":[56]0,/.test(line))
  }

  async stop(): Promise<void> {
    await Promise.all([this.#api, ...this.#apis.splice(0), ...this.workers].map((program) => program?.stop()))
    if (!this.#owner.ended) await this.#owner.end()
  }
}
