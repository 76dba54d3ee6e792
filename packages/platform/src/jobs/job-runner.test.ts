import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { jobsNamed, sampleJob } from '#testkit/areas/sample-job.ts'
import {
  type JobsEnvironment,
  type QueueKind,
  SHORT_LEASES,
  startJobsEnvironment,
} from '#testkit/environments/jobs-environment.ts'
import { describeWithRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import { NonRetryableError } from './define-job.ts'
import { enqueue } from './enqueue.ts'

function suite(queue: QueueKind): void {
  let env: JobsEnvironment
  beforeAll(async () => {
    env = await startJobsEnvironment(queue)
  })
  afterEach(() => env.clear())
  afterAll(() => env.close())

  test('a committed request has its job run once, a rolled-back one never', async () => {
    const notes: string[] = []
    const job = sampleJob('sample.note', async (_run, note) => {
      notes.push(note)
    })
    env.start({ jobs: [job] })
    const rolledBack = env.data().write(async (ctx) => {
      enqueue(ctx, job, { note: 'rolled back' })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'committed' }))
    await env.data(env.projects[1]).write((ctx) => enqueue(ctx, job, { note: 'the other project' }))
    await vi.waitFor(async () => {
      const rows = await jobsNamed(env, job.name)
      expect(rows.map((row) => row.state)).toEqual(['done', 'done'])
    }, SOON)
    expect(notes.sort()).toEqual(['committed', 'the other project'])
    expect(await env.sql('select from outbox')).toEqual([])
  })

  test('a hundred jobs of one project run side by side, each once', async () => {
    const counts = new Map<string, number>()
    let running = 0
    let most = 0
    const job = sampleJob('sample.many', async (_run, note) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
      counts.set(note, (counts.get(note) ?? 0) + 1)
    })
    env.start({ jobs: [job] })
    await env.data().write(async (ctx) => {
      for (let i = 0; i < 100; i++) enqueue(ctx, job, { note: String(i) })
    })
    await vi.waitFor(() => expect(counts.size).toBe(100), SOON)
    expect([...counts.values()].every((count) => count === 1)).toBe(true)
    expect(most).toBeGreaterThan(1)
  })

  test('long work of one project leaves half of the slots of its lane to others, and goes on when a run ends', async () => {
    const started: string[] = []
    const gate = Promise.withResolvers<void>()
    const run = async (_: unknown, note: string) => {
      started.push(note)
      if (note === 'many') await gate.promise
    }
    const job = sampleJob('sample.long', run, 3, 'exports')
    env.start({ jobs: [job] })
    await env.data().write(async (ctx) => {
      for (let i = 0; i < 6; i++) enqueue(ctx, job, { note: 'many' })
    })
    await vi.waitFor(() => expect(started).toEqual(['many', 'many']), SOON)
    await env.data(env.projects[1]).write((ctx) => enqueue(ctx, job, { note: 'other' }))
    await vi.waitFor(() => expect(started).toContain('other'), SOON)
    expect(started).toEqual(['many', 'many', 'other'])
    gate.resolve()
    await vi.waitFor(() => expect(started).toHaveLength(7), SOON)
  })

  test('a job is due at once, also when the clock of the process that asks for it is ahead', async () => {
    const job = sampleJob('sample.ahead', async () => undefined)
    env.start({ jobs: [job] })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    await env
      .data()
      .write((ctx) => enqueue(ctx, job, { note: 'now' }))
      .finally(() => vi.useRealTimers())
    await vi.waitFor(
      async () => expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'done' }]),
      SOON,
    )
  })

  test('a job for later does not run before its time', async () => {
    let ranAt = 0
    const job = sampleJob('sample.later', async () => {
      ranAt = Date.now()
    })
    env.start({ jobs: [job] })
    const runAt = new Date(Date.now() + 700)
    await env.data().write((ctx) => enqueue(ctx, job, { note: '' }, runAt))
    await vi.waitFor(() => expect(ranAt).toBeGreaterThan(0), SOON)
    expect(ranAt).toBeGreaterThanOrEqual(runAt.getTime())
  })

  test('a failed run waits, is repeated, and after the last attempt stays visible as failed', async () => {
    const attempts: number[] = []
    let failedAt = 0
    const job = sampleJob(
      'sample.fails',
      async ({ attempt }) => {
        attempts.push(attempt)
        failedAt = Date.now()
        throw new Error(`attempt ${attempt} broke`)
      },
      2,
    )
    env.start({ jobs: [job] })
    await env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
    await vi.waitFor(async () => {
      const [row] = await jobsNamed(env, job.name)
      expect(row).toMatchObject({ state: 'queued', attempts: 1, last_error: 'attempt 1 broke' })
      expect((row?.due_at?.getTime() ?? 0) - failedAt).toBeGreaterThan(7_900)
      expect(row?.wait).toBeLessThan(12)
    }, SOON)
    await env.sql('update jobs set due_at = now() where name = $1', [job.name])
    await vi.waitFor(async () => {
      const [row] = await jobsNamed(env, job.name)
      expect(row).toMatchObject({ state: 'failed', attempts: 2, last_error: 'attempt 2 broke', wait: null })
    }, SOON)
    expect(attempts).toEqual([1, 2])
  })

  test('a run that cannot succeed by repetition fails at once', async () => {
    const job = sampleJob('sample.unrepeatable', async () => {
      throw new NonRetryableError('there is no such form')
    })
    env.start({ jobs: [job] })
    await env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
    await vi.waitFor(async () => {
      const [row] = await jobsNamed(env, job.name)
      expect(row).toMatchObject({ state: 'failed', attempts: 1, last_error: 'there is no such form' })
    }, SOON)
  })

  test('a job of a newer release is left to others', async () => {
    const job = sampleJob('sample.unknown', async () => undefined)
    env.start({ jobs: [] })
    await env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
    await vi.waitFor(async () => {
      const [row] = await jobsNamed(env, job.name)
      expect(row).toMatchObject({ state: 'queued', attempts: 0 })
      expect(row?.wait).toBeGreaterThan(20)
    }, SOON)
  })

  describe('with short leases', () => {
    let env: JobsEnvironment
    beforeAll(async () => {
      env = await startJobsEnvironment(queue, SHORT_LEASES)
    })
    afterAll(() => env.close())
    /** A worker that stands still loses its lease, whatever it was about to show. */
    const holding = (scenario: () => Promise<void>) =>
      withoutStall(env.config.LEASE_MS / 3, () => scenario().finally(() => env.clear()))

    test('a job that outlives its lease is not run by another worker while its own is alive', () =>
      holding(async () => {
        let runs = 0
        const job = sampleJob('sample.long', async () => {
          runs++
          await new Promise((resolve) => setTimeout(resolve, env.config.LEASE_MS * 2))
        })
        for (let worker = 0; worker < 2; worker++) env.start({ jobs: [job] })
        await env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
        await vi.waitFor(async () => {
          expect((await jobsNamed(env, job.name))[0]?.state).toBe('done')
        }, SOON)
        expect(runs).toBe(1)
      }))

    test('a worker that lost its lease records nothing, and its run is aborted', () =>
      holding(async () => {
        const recorded: string[] = []
        let wasAborted = false
        const job = sampleJob('sample.lost', async (run) => {
          if (run.attempt === 1) {
            // As if this worker had slept past its lease and another one had claimed the job meanwhile.
            await env.sql(
              `update jobs set lease_token = gen_random_uuid(), due_at = now() + interval '1 second' where id = $1`,
              [run.id],
            )
            await new Promise((resolve) => run.signal.addEventListener('abort', resolve))
            wasAborted = true
          }
          await run.record(async () => {
            recorded.push(`attempt ${run.attempt}`)
          })
        })
        env.start({ jobs: [job] })
        await env.data().write((ctx) => enqueue(ctx, job, { note: '' }))
        await vi.waitFor(async () => {
          expect((await jobsNamed(env, job.name))[0]).toMatchObject({ state: 'done', attempts: 2 })
        }, SOON)
        await vi.waitFor(() => expect(wasAborted).toBe(true), SOON)
        expect(recorded).toEqual(['attempt 2'])
      }))
  })
}

describe('on PostgreSQL', () => suite('postgres'))
describeWithRedis('on Redis', () => suite('redis'))
