import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { jobsNamed, sampleJob } from '#testkit/areas/sample-job.ts'
import { compileCache } from '#testkit/compile-cache.ts'
import {
  type JobsEnvironment,
  type QueueKind,
  startJobsEnvironment,
} from '#testkit/environments/jobs-environment.ts'
import { describeWithRedis, startRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { within } from '#testkit/within.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import { newUuid } from '../ids.ts'
import { enqueue } from './enqueue.ts'
import { defineKeyedConsumer, defineSweep } from './queues/work-signal.ts'
import { defineSchedule } from './schedules/define-schedule.ts'

/** Longer than most stalls: a worker that stands still for two thirds of it has lost what it holds. */
const LEASES = { LEASE_MS: '3000' }
const HANGING = fileURLToPath(new URL('./hanging-worker.fixture.ts', import.meta.url))

/** A worker in a process of its own that begins what it finds and never ends it. */
class HangingWorker {
  readonly began: string[] = []
  readonly #child: ChildProcess

  constructor(env: JobsEnvironment) {
    onTestFinished(() => this.kill())
    this.#child = spawn(process.execPath, [HANGING], {
      env: { ...compileCache, ...env.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (this.#child.stdout)
      createInterface({ input: this.#child.stdout }).on('line', (line) => this.began.push(line))
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}

function suite(queue: QueueKind): void {
  let env: JobsEnvironment
  beforeAll(async () => {
    env = await startJobsEnvironment(queue, LEASES)
  })
  afterEach(() => env.clear())
  afterAll(() => env.close())

  async function killedWorker(): Promise<void> {
    const [projectId] = env.projects
    const key = newUuid()
    const hanging = new HangingWorker(env)
    const recorded: number[] = []
    const job = sampleJob('sample.killed', async (run) => {
      await run.record(async () => {
        recorded.push(run.attempt)
      })
    })
    await env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
    await env.sql(
      `insert into outbox (project_id, id, kind, name) values ($1, $2, 'event', 'sample.happened')`,
      [projectId, key],
    )
    await vi.waitFor(() => expect(hanging.began.sort()).toEqual(['began consumer', 'began job']), SOON)

    let drained = false
    const consumer = defineKeyedConsumer({
      name: 'sample.killed',
      start: () => ({
        run: async (run) => {
          drained ||= run.key === key
          return undefined
        },
        close: async () => undefined,
      }),
    })
    const signal = { lane: 'webhooks', consumer: 'sample.killed', projectId, key } as const
    const sweep = defineSweep({ name: 'sample', find: async () => (drained ? [] : [signal]) })
    env.start({ jobs: [job], consumers: [consumer], sweeps: [sweep] })
    await new Promise((resolve) => setTimeout(resolve, env.config.LEASE_MS))
    // Its worker is alive and renews the lease.
    expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'running', attempts: 1 }])
    await hanging.kill()
    await within(env.config.LEASE_MS + 3 * env.config.SWEEP_MS + 2_000, async () => {
      expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'done', attempts: 2 }])
      expect(drained).toBe(true)
    })
    expect(recorded).toEqual([2])
  }

  test('what a killed worker held is done by another within a lease and a sweep', () =>
    withoutStall(env.config.LEASE_MS / 3, () => killedWorker().finally(() => env.clear())))

  test('work goes on after every connection to PostgreSQL was cut', async () => {
    const done = new Set<string>()
    const job = sampleJob('sample.cut', async (_run, note) => {
      done.add(note)
    })
    env.start({ jobs: [job] })
    for (const note of ['before', 'after', 'again']) {
      // The connections of read and write were cut too.
      await vi.waitFor(() => env.data().write((ctx) => enqueue(ctx, job, { note })), SOON)
      await vi.waitFor(() => expect(done.has(note)).toBe(true), SOON)
      const cut = await env.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name ~ '^(guildhall|mail)' and pid <> pg_backend_pid()`,
      )
      expect(cut.length).toBeGreaterThan(1)
    }
  })

  test('a job that an older release does not know waits for a newer one, and counts no attempt', async () => {
    const done: string[] = []
    const job = sampleJob('sample.newer', async (_run, note) => {
      done.push(note)
    })
    const postponed = () =>
      env.sql(
        `select state, attempts from jobs where name = '${job.name}' and due_at > now() + interval '10 seconds'`,
      )
    env.start({ jobs: [] })
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'newer' }))
    await vi.waitFor(async () => expect(await postponed()).toEqual([{ state: 'queued', attempts: 0 }]), SOON)
    // Both run side by side, and the older one may take it once more.
    env.start({ jobs: [job] })
    await vi.waitFor(async () => {
      await env.sql(`update jobs set due_at = now() where name = '${job.name}' and state = 'queued'`)
      expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'done', attempts: 1 }])
    }, SOON)
    expect(done).toEqual(['newer'])
  })

  test('a job that kills its workers ends as failed', async () => {
    const job = sampleJob('sample.killed', async () => undefined, 1)
    const hanging = new HangingWorker(env)
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'poison' }))
    await vi.waitFor(() => expect(hanging.began).toContain('began job'), SOON)
    await hanging.kill()
    env.start({ jobs: [job] })
    await vi.waitFor(async () => {
      const rows = await jobsNamed(env, job.name)
      expect(rows.find((row) => row.note === 'poison')).toMatchObject({
        state: 'failed',
        last_error: 'its last run ended with its worker',
      })
    }, SOON)
  })
}

describe('on PostgreSQL', () => suite('postgres'))
describeWithRedis('on Redis', () => suite('redis'))

describeWithRedis('when Redis loses everything', () => {
  let env: JobsEnvironment
  beforeAll(async () => {
    env = await startJobsEnvironment('redis')
  })
  afterEach(() => env.clear())
  afterAll(() => env.close())

  test('every job still runs, and schedules go on', async () => {
    const done = new Set<string>()
    let ticks = 0
    const job = sampleJob('sample.flushed', async (_run, note) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      done.add(note)
    })
    const schedule = defineSchedule({
      name: 'sample.tick',
      every: 300,
      run: async () => {
        ticks++
      },
    })
    for (let worker = 0; worker < 2; worker++) env.start({ jobs: [job], schedules: [schedule] })
    const admin = new Redis(env.redis?.url ?? '')
    for (let batch = 0; batch < 5; batch++) {
      await env.data().write(async (ctx) => {
        for (let i = 0; i < 40; i++) enqueue(ctx, job, { note: `${batch}-${i}` })
      })
      await new Promise((resolve) => setTimeout(resolve, 60))
      await admin.flushall()
    }
    const before = ticks
    await vi.waitFor(() => expect(done.size).toBe(200), SOON)
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(before + 2), SOON)
    admin.disconnect()
  })

  test('the outbox is emptied while Redis is frozen, and what was asked for is done when it thaws', async () => {
    const done = new Set<string>()
    const job = sampleJob('sample.frozen', async (_run, note) => {
      done.add(note)
    })
    const worker = env.start({ jobs: [job] })
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'before' }))
    await vi.waitFor(() => expect(done.has('before')).toBe(true), SOON)
    env.redis?.freeze()
    onTestFinished(() => env.redis?.thaw())
    // Of the other project: a second signal for the first one may be under way, and needs Redis no more.
    await env.data(env.projects[1]).write((ctx) => enqueue(ctx, job, { note: 'frozen' }))
    await vi.waitFor(async () => expect(await env.sql('select from outbox')).toEqual([]), SOON)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(done.size).toBe(1)
    env.redis?.thaw()
    await vi.waitFor(() => expect(done.size).toBe(2), SOON)
    await worker.stop()
  })

  test('installations that share it take no signals from each other', async () => {
    const done: string[] = []
    const job = sampleJob('sample.shared', async (_run, note) => {
      done.push(note)
    })
    // Without sweeps, a signal that somebody else has taken is lost.
    const unswept = { REDIS_URL: env.redis?.url ?? '', SWEEP_MS: '60000' }
    const other = await startJobsEnvironment('postgres', unswept)
    const strangers = env.start({ jobs: [job] })
    const worker = other.start({ jobs: [job] })
    for (let i = 0; i < 10; i++) {
      await other.data().write((ctx) => enqueue(ctx, job, { note: `${i}` }))
      await vi.waitFor(() => expect(done).toHaveLength(i + 1), SOON)
    }
    await worker.stop()
    await strangers.stop()
    await other.close()
  })

  test('what was asked for while Redis was gone is done when it is back', async () => {
    const done = new Set<string>()
    const job = sampleJob('sample.gone', async (_run, note) => {
      done.add(note)
    })
    const gone = await startJobsEnvironment('redis')
    const worker = gone.start({ jobs: [job] })
    await gone.data().write((ctx) => enqueue(ctx, job, { note: 'before' }))
    await vi.waitFor(() => expect(done.has('before')).toBe(true), SOON)
    await gone.redis?.stop()
    await gone.data().write(async (ctx) => {
      for (let i = 0; i < 20; i++) enqueue(ctx, job, { note: `meanwhile ${i}` })
    })
    await vi.waitFor(async () => expect(await gone.sql('select from outbox')).toEqual([]), SOON)
    expect(done.size).toBe(1)
    const back = await startRedis({ port: Number(new URL(gone.redis?.url ?? '').port) })
    await vi.waitFor(() => expect(done.size).toBe(21), SOON)
    await worker.stop()
    await back.stop()
    await gone.close()
  })
})
