import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { Type } from 'typebox'
import { expect, inject, vi } from 'vitest'
import type { Routes } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { newUuid } from '#platform/ids.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { allNotes, insertNote, makeNotes, pause } from '#testkit/areas/notes.ts'
import { onServer, type TestDatabase } from '#testkit/database.ts'
import { type Client, makeProjects, type Side } from '#testkit/factories.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { type FreezingProxy, startFreezingProxy } from '#testkit/servers/freezing-proxy.ts'
import { startRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { type Postgres, startPostgres } from '../../postgres/server.ts'
import { type Standby, startStandby } from '../../postgres/standby.ts'

/** One primary, one standby by streaming replication, and two APIs on them, as two processes that share a Redis. */
export interface ReplicaEnvironment {
  readonly primary: Postgres
  readonly standby: Standby
  /** The way of the APIs to the standby. */
  readonly proxy: FreezingProxy
  readonly api: TestApi
  /** Undefined on a machine without Redis. */
  readonly second: TestApi | undefined
  readonly side: Side
  readonly other: Side
  /** A key of `side` that writes nothing. */
  readonly reader: string
  /** Requests with a key that may do everything, and writes nothing. */
  readonly quiet: Client
  /** The metric of reads that the replica did not answer. */
  troubles(): Promise<string>
  /** Connections to the replica, as requests use them. */
  readonly readPool: Pool
  /** The addresses of members in a list. */
  emails(key: string, through?: TestApi): Promise<string[]>
  /** Adds a member with the key of `side`. */
  addMember(through?: TestApi): Promise<string>
  /** Reads so far that the replica answered. */
  answeredByReplica(through?: TestApi): Promise<number>
  /** Waits until both APIs read the replica. */
  untilRead(): Promise<void>
  /** What /readyz says of the replica. */
  state(through?: TestApi): Promise<ReplicaState | undefined>
  /** Another API with further environment variables, and the lines of its log; to be closed by whoever asks for it. */
  openAnother(more: Readonly<Record<string, string>>): Promise<{ api: TestApi; lines: string[] }>
  /** Lines of the log that have this text. */
  logged(text: string): number
  /** Whether the primary keeps rows that the replica still reads. */
  setFeedback(word: 'on' | 'off'): Promise<void>
  /** Does something while the replica shows nothing new. */
  whilePaused<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface ReplicaState {
  readonly ok: boolean
  readonly problem?: string
  readonly lag_bytes: number
}

const QUICK = { fsync: 'off', scram_iterations: '1' }

/** Reads that a replica may answer: one that would write, and one that takes half a second. */
const extra: Routes = (routes) => {
  const config = { access: { secret: 'any' }, reads: 'replica' } as const
  const schema = { summary: 'Test', response: { 200: envelope(Type.Array(Type.String())) } }
  routes.get('/test-writes', { config, schema }, async (request) => {
    const { note } = await request.read({ note: insertNote({ id: newUuid(), text: 'written by a read' }) })
    return [note.text]
  })
  routes.get('/test-slow', { config, schema }, async (request) => {
    const { notes } = await request.read({ notes: allNotes(), pause: pause({ seconds: 0.5 }) })
    return notes.map(({ text }) => text)
  })
}

/** A migrated database with notes, and a standby of its server. */
async function openPair() {
  const folder = join(inject('servers').runFolder, `replicas-${randomUUID()}`)
  const source = join(folder, 'primary')
  const primary = await startPostgres({ dataDir: source, settings: QUICK })
  await migrate({ databaseUrl: primary.url, secretKey: TEST_SECRET_KEY })
  const database: TestDatabase = { url: primary.url, secretKey: TEST_SECRET_KEY, drop: async () => {} }
  await makeNotes(database)
  const standby = await startStandby(
    { url: primary.url, dataDir: source },
    {
      dataDir: join(folder, 'standby'),
      settings: { ...QUICK, max_standby_streaming_delay: '50ms' },
    },
  )
  return { primary, standby, database }
}

export async function openReplicas(): Promise<ReplicaEnvironment> {
  const { primary, standby, database } = await openPair()
  const setFeedback = (word: 'on' | 'off') =>
    onServer(standby.url, `alter system set hot_standby_feedback = ${word}`, 'select pg_reload_conf()')
  await setFeedback('on')
  const proxy = await startFreezingProxy(standby.url)
  const redis = inject('servers').redisServer === '' ? undefined : await startRedis()
  const environment = {
    DATABASE_REPLICA_URL: proxy.url,
    // A busy machine must not make a mark late.
    LIMITS_TIMEOUT_MS: '2000',
    ...(redis && { REDIS_URL: redis.url }),
  }
  const log: string[] = []
  const api = await startApi({ database, environment, extra, logTo: (line) => log.push(line) })
  const second = redis && (await startApi({ database, environment, extra }))
  const [{ live: side }, { live: other }] = await makeProjects(api)
  const { key: reader } = await side.makeKey({ permissions: ['read:members', 'read:community'] })
  const { key: admin } = await side.makeKey({ permissions: ['admin'] })
  const [replica] = api.deps.replicas.all
  if (!replica) throw new Error('there is no replica')

  const emails: ReplicaEnvironment['emails'] = async (key, through = api) => {
    const path = '/api/v1/members?limit=100'
    const { status, body } = await through.send<{ data: { email: string }[] }>('GET', path, { key })
    expect(status).toBe(200)
    return body.data.map(({ email }) => email)
  }
  const answeredByReplica = async (through = api) => {
    const metric = await through.deps.metrics.registry.getSingleMetric('guildhall_reads_total')?.get()
    return metric?.values.find(({ labels }) => labels.server === 'replica_1')?.value ?? 0
  }
  return {
    primary,
    standby,
    proxy,
    api,
    second,
    side,
    other,
    reader,
    quiet: side.as(admin),
    troubles: () => api.deps.metrics.registry.getSingleMetricAsString('guildhall_replica_troubles_total'),
    readPool: replica.pool,
    emails,
    addMember: async (through = api) => {
      const email = `${randomUUID()}@example.com`
      const { status } = await through.send('POST', '/api/v1/members', { key: side.key, body: { email } })
      expect(status).toBe(201)
      return email
    },
    answeredByReplica,
    untilRead: () =>
      vi.waitFor(async () => {
        for (const each of second ? [api, second] : [api]) {
          const before = await answeredByReplica(each)
          await emails(reader, each)
          expect(await answeredByReplica(each)).toBe(before + 1)
        }
      }, SOON),
    openAnother: async (more) => {
      const lines: string[] = []
      const logTo = (line: string) => lines.push(line)
      return {
        api: await startApi({ database, environment: { ...environment, ...more }, extra, logTo }),
        lines,
      }
    },
    state: async (through = api) => {
      const { body } = await through.send<{ dependencies: { replicas: ReplicaState[] } }>('GET', '/readyz')
      return body.dependencies.replicas[0]
    },
    logged: (text) => log.filter((line) => line.includes(text)).length,
    setFeedback,
    whilePaused: async (work) => {
      await standby.pause()
      return work().finally(() => standby.resume())
    },
    close: async () => {
      await second?.close()
      await api.close()
      await proxy.close()
      await redis?.stop()
      await standby.stop()
      await primary.stop()
    },
  }
}
