/** A whole installation for one queue backend: two workers, an API, and what they stand on. */

import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#platform/migrate/migrate.ts'
import { freePort } from '../ports.ts'
import type { Customer } from './customers.ts'
import type { Step } from './die-at.ts'
import {
  type Api,
  type Backend,
  Installation,
  OF_THIS_VERSION,
  type Worker,
  type WorkerOptions,
} from './installation.ts'
import { openPostgres, openRedis, type Program, runCommand, type Server } from './servers.ts'

export interface RigOptions {
  readonly backend: Backend
  /** Environment of the processes: leases and sweeps that are shorter than in production. */
  readonly settings: Readonly<Record<string, string>>
  /** Starts what stands before PostgreSQL, such as a pooler, once the database is migrated. */
  readonly front?: (place: FrontPlace) => Promise<Front>
  /** In place of a PostgreSQL from the npm package, and of a Redis of one server. */
  readonly postgres?: (folder: string) => Promise<Server>
  readonly redis?: (folder: string) => Promise<Server>
  /** Another checkout, whose migrations and processes are used at first. */
  readonly root?: string
}

export interface FrontPlace {
  readonly postgresUrl: string
  readonly secretKey: string
  readonly folder: string
}

/** What processes reach PostgreSQL through. */
export interface Front {
  readonly url: string
  /** Where it differs from the address of PostgreSQL itself. */
  readonly directUrl?: string
  /** More settings of the processes. */
  readonly settings?: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export interface Rig {
  readonly backend: Backend
  /** Of its processes. */
  readonly environment: Readonly<Record<string, string>>
  readonly postgres: Server
  readonly redis: Server | undefined
  readonly origin: string
  /** What runs, the workers and the API. */
  readonly workers: readonly Program[]
  /** Starts one more worker: one that dies at a step, or one whose clock is off. */
  startWorker(options?: WorkerOptions): Promise<Worker>
  /** Ends the API and starts it again, perhaps as one that dies at a step. */
  restartApi(options?: { dieAt?: Step; after?: number }): Promise<Program>
  /** Starts one more API, of another checkout where `root` says so. */
  startApi(options?: { root?: string }): Promise<Api>
  /** @param options requests a minute, a million where omitted */
  makeCustomer(options?: { rateLimit?: number }): Promise<Customer>
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
  /** Lines that its processes have logged as errors. */
  errors(): Promise<string[]>
  /** Ends its processes, and nothing that they stand on. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Starts everything. Where the backend is Redis, the machine must have one. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const { backend, settings, front: openFront, root } = options
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-faults-')))
  const begun: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  ]
  const close = async () => {
    for (const stop of begun.splice(0).reverse()) await stop()
  }
  try {
    const postgres = await (options.postgres ?? openPostgres)(folder)
    begun.push(() => postgres.stop())
    const redis = backend === 'redis' ? await (options.redis ?? openRedis)(folder) : undefined
    if (redis) begun.push(() => redis.stop())
    const secretKey = randomBytes(32).toString('base64url')
    if (root === undefined) await migrate({ databaseUrl: postgres.url, secretKey })
    else await runCommand(root, ['migrate'], { DATABASE_URL: postgres.url, SECRET_KEY: secretKey })
    const front = await openFront?.({ postgresUrl: postgres.url, secretKey, folder })
    if (front) begun.push(() => front.stop())
    const port = await freePort()
    const environment = {
      LOG_LEVEL: 'warn',
      ...settings,
      ...front?.settings,
      DATABASE_URL: front?.url ?? postgres.url,
      DATABASE_DIRECT_URL: front?.directUrl ?? postgres.url,
      SECRET_KEY: secretKey,
      ...OF_THIS_VERSION,
      // A version before may know another form of it.
      ...(settings['ALLOW_PRIVATE_NETWORKS'] !== undefined && {
        ALLOW_PRIVATE_NETWORKS: settings['ALLOW_PRIVATE_NETWORKS'],
      }),
      HOST: '127.0.0.1',
      PORT: String(port),
      ...(redis && { REDIS_URL: redis.url }),
    }
    const rig = new Installation(folder, environment, { backend, postgres, redis, root })
    begun.push(() => rig.stop())
    await rig.start()
    return Object.assign(rig, { close })
  } catch (error) {
    await close()
    throw error
  }
}
