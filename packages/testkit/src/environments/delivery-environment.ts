import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import pg from 'pg'
import { areas } from '#areas/areas.ts'
import { LANES } from '#platform/jobs/queues/lanes.ts'
import { type RunningWorker, startWorker } from '#platform/jobs/worker.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { type Log, makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps, type WorkerDeps } from '#platform/worker-deps.ts'
import { startApi, type TestApi } from '../api.ts'
import { makeProjects, type Side } from '../factories.ts'
import { httpReceiver } from '../servers/receiver.ts'
import { startRedis } from '../servers/redis.ts'
import type { QueueKind } from './jobs-environment.ts'

/** A message as a receiver got it. */
export interface Received {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Somebody who takes webhooks. */
export interface Mailbox {
  readonly url: string
  readonly received: Received[]
  /** How requests are answered, in place of 200. */
  answer: (message: Received, response: ServerResponse) => void
  /** How many requests waited for their answer at a time, at the most. */
  mostAtOnce(): number
  close(): Promise<void>
}

/** The whole way from the API to receivers: an API, a worker, two projects. */
export interface DeliveryEnvironment {
  readonly api: TestApi
  readonly one: Side
  readonly other: Side
  /** Environment of a worker process that joins in. */
  readonly environment: Readonly<Record<string, string>>
  /** @param log where it says what it does, in place of nowhere */
  startWorker(log?: Log): TestWorker
  mailbox(): Promise<Mailbox>
  /** Rows of a query of the owner's, across all projects. */
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
  close(): Promise<void>
}

export interface TestWorker extends RunningWorker {
  readonly deps: WorkerDeps
}

/**
 * What makes waiting short, and lets messages go to this machine. A lease is not short: a machine that stands still for
 * longer than one has messages sent twice, which is right, and which only tests of leases want.
 */
const SETTINGS = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
  LEASE_MS: '10000',
  SWEEP_MS: '300',
  LOG_LEVEL: 'silent',
}

/** @param settings environment variables, in place of those that make waiting short */
export async function startDeliveryEnvironment(
  queue: QueueKind = 'postgres',
  settings: Record<string, string> = {},
): Promise<DeliveryEnvironment> {
  const redis = queue === 'redis' ? await startRedis() : undefined
  const own = { ...SETTINGS, ...settings, ...(redis && { REDIS_URL: redis.url }) }
  const api = await startApi({ environment: own })
  const [one, other] = await makeProjects(api)
  const environment = { ...own, DATABASE_URL: api.database.url, SECRET_KEY: api.database.secretKey }
  const owner = new pg.Pool({ connectionString: api.database.url, max: 2 })
  const mailboxes: Mailbox[] = []
  const workers = new Set<TestWorker>()

  return {
    api,
    one: one.live,
    other: other.live,
    environment,
    startWorker: (log) => {
      const config = parseConfig(environment)
      const deps = makeWorkerDeps(config, log ?? makeLog(config.LOG_LEVEL, 'worker'))
      const running = startWorker({ deps, areas, lanes: LANES, finishMs: 5_000 })
      const stop = async () => {
        if (!workers.delete(worker)) return
        await running.stop()
        await deps.close()
      }
      const worker = { deps, stop }
      workers.add(worker)
      return worker
    },
    mailbox: async () => {
      const mailbox = await openMailbox()
      mailboxes.push(mailbox)
      return mailbox
    },
    sql: async <R extends object>(text: string, values: unknown[] = []) =>
      (await owner.query<R>(text, values)).rows,
    close: async () => {
      await Promise.all([...workers].map((worker) => worker.stop()))
      await Promise.all(mailboxes.map((mailbox) => mailbox.close()))
      await owner.end()
      await api.close()
      await redis?.stop()
    },
  }
}

/** A receiver that keeps what it gets and answers 200 unless stated otherwise. */
export async function openMailbox(): Promise<Mailbox> {
  const received: Received[] = []
  let open = 0
  let most = 0
  const receiver = await httpReceiver((request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => {
      open -= 1
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const message = toReceived(request.headers, Buffer.concat(chunks).toString())
      received.push(message)
      mailbox.answer(message, response)
    })
  })
  const mailbox: Mailbox = {
    url: `http://127.0.0.1:${receiver.port}/hooks`,
    received,
    answer: (_, response) => response.end('ok'),
    mostAtOnce: () => most,
    close: () => receiver.close(),
  }
  return mailbox
}

const toReceived = (headers: IncomingHttpHeaders, body: string): Received => ({
  id: String(headers['webhook-id']),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body,
  at: Date.now(),
})
