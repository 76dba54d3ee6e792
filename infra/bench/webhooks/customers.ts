/** Projects with an endpoint each, and events of theirs. */
import { fileURLToPath } from 'node:url'
import { memberCreated } from '#areas/members/events.ts'
import { toMemberData } from '#areas/members/rows.ts'
import { createEndpoint, prepareEndpoint } from '#areas/webhooks/endpoints/service.ts'
import { SEALED_FOR } from '#areas/webhooks/schema.ts'
import { openPool } from '#platform/db/pool.ts'
import { onOutboxWrite } from '#platform/db/statement.ts'
import { dataOf, type ProjectData } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { RelayNotifier } from '#platform/events/relay-notifications.ts'
import { newUuid } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { makeTenants } from '../data.ts'
import type { Rig, Server } from '../rig.ts'

/** As many as a worker's slots can serve at once, and more: no endpoint's own cap is what is measured. */
export const ENDPOINTS = 20
/** Events of one transaction, where they are committed in bulk. */
const BULK = 250
const WRITERS = 4

/** The projects of a benchmark, and how to work in them. */
export interface Customers {
  readonly projects: readonly string[]
  /** Their keys, as requests send them. */
  readonly authorizations: readonly string[]
  data(projectId: string): ProjectData
  close(): Promise<void>
}

/** Makes projects, each with one endpoint that listens to new members. */
export async function makeCustomers(rig: Rig, url: string): Promise<Customers> {
  const place = { databaseUrl: rig.postgres.url, secretKey: rig.secretKey }
  const tenants = await makeTenants(place, ENDPOINTS)
  const projects = tenants.map(({ projectId }) => projectId)
  const config = { DATABASE_URL: rig.postgres.url, SECRET_KEY: rig.secretKey }
  const pool = openPool(config, { role: 'api', size: 10, onError: () => undefined })
  // As the API does after a commit.
  const notifier = new RelayNotifier(config, (error) => process.stderr.write(`${error.message}\n`))
  onOutboxWrite(pool, () => notifier.notify())
  const customers: Customers = {
    projects,
    authorizations: tenants.map(({ authorization }) => authorization),
    data: (projectId) => dataOf(pool, projectId, { kind: 'operator' }),
    close: async () => {
      await notifier.close()
      await pool.end()
    },
  }
  const tools = {
    box: makeProjectBox({ SECRET_KEY: rig.secretKey }, SEALED_FOR),
    rules: { ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8', '::1'] },
    events: new Map([[memberCreated.name, memberCreated]]),
  }
  for (const projectId of projects) {
    const row = prepareEndpoint(tools, projectId, { url, events: [memberCreated.name] })
    await customers.data(projectId).write((ctx) => createEndpoint(ctx, tools, row))
  }
  return customers
}

/** A member as an event tells of it; the receiver knows it again by its number. */
export const memberData = (number: number) =>
  toMemberData({
    id: newUuid(),
    email: `member-${number}@example.com`,
    full_name: `Member ${number}`,
    avatar_url: null,
    role: 'member',
    status: 'active',
    plan_id: newUuid(),
    metadata: { company: 'Bench', number },
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
  })

/** Commits events of one project in one transaction. */
export const commit = (customers: Customers, projectId: string, numbers: readonly number[]): Promise<void> =>
  customers.data(projectId).write((ctx) => {
    for (const number of numbers) emit(ctx, memberCreated, memberData(number))
  })

/** Commits events numbered from 0 on, spread evenly over the projects. */
export async function commitInBulk(customers: Customers, count: number): Promise<void> {
  let next = 0
  const write = async () => {
    while (next < count) {
      const from = next
      next = Math.min(count, next + BULK)
      const numbers = Array.from({ length: next - from }, (_, n) => from + n)
      await commit(customers, customers.projects[Math.floor(from / BULK) % ENDPOINTS] ?? '', numbers)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

/** Starts a worker process with all its lanes, as in production; without a Redis it uses PostgreSQL. */
export const startWorker = (rig: Rig, redisUrl = ''): Promise<Server> =>
  rig.serve({
    name: 'worker',
    script: fileURLToPath(new URL('../../../apps/worker/src/main.ts', import.meta.url)),
    portIn: 'WORKER_PORT',
    environment: {
      DATABASE_URL: rig.postgres.url,
      SECRET_KEY: rig.secretKey,
      REDIS_URL: redisUrl,
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
      LOG_LEVEL: 'info',
    },
  })
