import { Worker } from 'bullmq'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { jobsNamed, sampleJob } from '#testkit/areas/sample-job.ts'
import {
  type JobsEnvironment,
  type QueueKind,
  startJobsEnvironment,
} from '#testkit/environments/jobs-environment.ts'
import { describeWithRedis } from '#testkit/servers/redis.ts'
import { SOON } from '#testkit/soon.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import { newUuid } from '../ids.ts'
import { enqueue } from './enqueue.ts'
import { queueMeasures } from './queues/queue-measures.ts'
import { defineKeyedConsumer, defineSweep } from './queues/work-signal.ts'
import { defineSchedule } from './schedules/define-schedule.ts'

function suite(queue: QueueKind): void {
  let env: JobsEnvironment
  beforeAll(async () => {
    env = await startJobsEnvironment(queue)
  })
  afterEach(() => env.clear())
  afterAll(() => env.close())

  async function stopMidway(): Promise<void> {
    const began: string[] = []
    const job = sampleJob('sample.stopped', async (_run, note) => {
      began.push(note)
      await new Promise((resolve) => setTimeout(resolve, note === 'short' ? 300 : 3_000))
    })
    const worker = env.start({ jobs: [job] }, { finishMs: 800 })
    await env.data().write(async (ctx) => {
      enqueue(ctx, job, { note: 'long' })
      enqueue(ctx, job, { note: 'short' })
    })
    await vi.waitFor(() => expect(began).toHaveLength(2), SOON)
    const stopping = Date.now()
    await worker.stop()
    expect(Date.now() - stopping).toBeLessThan(2_000)
    expect(await jobsNamed(env, job.name)).toMatchObject([
      { note: 'long', state: 'queued', attempts: 0 },
      { note: 'short', state: 'done', attempts: 1 },
    ])
  }

  test('a stopping worker finishes what ends in time and hands back the rest, uncounted', () =>
    withoutStall(300, () => stopMidway().finally(() => env.clear())))

  test('a stopping worker waits for what it began without the queue, and closes what that needs afterwards', async () => {
    const began = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const order: string[] = []
    const consumer = defineKeyedConsumer({
      name: 'sample',
      runsDirectly: true,
      start: () => ({
        run: async () => {
          began.resolve()
          await gate.promise
          order.push('ended')
          return undefined
        },
        close: async () => void order.push('closed'),
      }),
    })
    const [projectId] = env.projects
    const fanOut = {
      signals: `select 'webhooks' as lane, 'sample' as consumer, project_id, '${newUuid()}' as key from emitted`,
    }
    const worker = env.start({ consumers: [consumer], fanOuts: [fanOut] }, { finishMs: 30_000 })
    await env.sql(
      `insert into outbox (project_id, id, kind, name) values ($1, gen_random_uuid(), 'event', 'sample.happened')`,
      [projectId],
    )
    await began.promise
    const stopped = worker.stop()
    // The queue's own workers have nothing to do and end at once.
    setTimeout(gate.resolve, 1_000)
    await stopped
    expect(order).toEqual(['ended', 'closed'])
  })

  test('a worker whose queue has gone stops all the same, and hands back what it holds', async () => {
    const end = Promise.withResolvers<void>()
    onTestFinished(() => end.resolve())
    const job = sampleJob('sample.farewell', () => end.promise)
    const worker = env.start({ jobs: [job] }, { finishMs: 300 })
    await env.data().write((ctx) => enqueue(ctx, job, { note: 'held' }))
    await vi.waitFor(
      async () => expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'running' }]),
      SOON,
    )
    const { close } = Worker.prototype
    const closing = vi.spyOn(Worker.prototype, 'close').mockImplementation(async function (this: Worker) {
      close.call(this)
      throw new Error('Connection is closed.')
    })
    onTestFinished(() => closing.mockRestore())
    await worker.stop()
    expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'queued', attempts: 0 }])
  })

  test('a schedule runs once per time, however many workers there are', async () => {
    const times: number[] = []
    const schedule = defineSchedule({
      name: 'sample.tick',
      every: 250,
      run: async () => {
        times.push(Date.now())
      },
    })
    for (let worker = 0; worker < 2; worker++) env.start({ schedules: [schedule] })
    await vi.waitFor(() => expect(times.length).toBeGreaterThanOrEqual(8), SOON)
    const elapsed = (times.at(-1) ?? 0) - (times[0] ?? 0)
    // The first run comes at once, the others at multiples of the interval; each may be late, and none comes twice: then
    // there would be twice as many.
    expect(times.length).toBeLessThanOrEqual(elapsed / 250 + 3)
  })

  test('a schedule whose interval changed goes by the new one after the next start', async () => {
    const times: number[] = []
    const name = `sample.${newUuid()}`
    const every = (milliseconds: number) =>
      defineSchedule({
        name,
        every: milliseconds,
        run: async () => {
          times.push(Date.now())
          // The next run starts late, and the times after it are still those of the new interval.
          if (times.length === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
        },
      })
    const before = env.start({ schedules: [every(3_600_000)] })
    await vi.waitFor(() => expect(times).toHaveLength(1), SOON)
    await before.stop()
    env.start({ schedules: [every(200)] })
    await vi.waitFor(() => expect(times.length).toBeGreaterThan(3), SOON)
  })

  test('signals that come while a consumer runs are worth one more run', async () => {
    const key = newUuid()
    const first = Promise.withResolvers<void>()
    let runs = 0
    let together = 0
    let most = 0
    const consumer = defineKeyedConsumer({
      name: 'sample',
      start: () => ({
        run: async () => {
          runs++
          most = Math.max(most, ++together)
          await first.promise
          together--
          return undefined
        },
        close: async () => undefined,
      }),
    })
    const job = sampleJob('sample.event', async () => undefined)
    const [projectId] = env.projects
    // Ten transactions, ten signals for one key, while the first run lasts.
    const fanOut = {
      signals: `select 'webhooks' as lane, 'sample' as consumer, project_id, '${key}' as key from emitted`,
    }
    env.start({ consumers: [consumer], fanOuts: [fanOut], jobs: [job] })
    for (let i = 0; i < 10; i++) {
      await env.sql(
        `insert into outbox (project_id, id, kind, name) values ($1, gen_random_uuid(), 'event', 'sample.happened')`,
        [projectId],
      )
      await vi.waitFor(async () => expect(await env.sql('select from outbox')).toEqual([]), SOON)
    }
    first.resolve()
    await vi.waitFor(() => expect(runs).toBeGreaterThanOrEqual(2), SOON)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(most).toBe(1)
    // The last signals may have been on their way still.
    expect(runs).toBeLessThan(6)
  })

  test('a consumer that asks to be run again is, until it has nothing left', async () => {
    const runs: number[] = []
    const answers = [0, 50, undefined]
    const consumer = defineKeyedConsumer({
      name: 'sample',
      start: () => ({
        run: async () => answers[runs.push(Date.now()) - 1],
        close: async () => undefined,
      }),
    })
    const [projectId] = env.projects
    const key = newUuid()
    let swept = false
    const sweep = defineSweep({
      name: 'sample',
      find: async () => {
        if (swept) return []
        swept = true
        return [{ lane: 'slow', consumer: 'sample', projectId, key }]
      },
    })
    env.start({ consumers: [consumer], sweeps: [sweep] })
    await vi.waitFor(() => expect(runs).toHaveLength(3), SOON)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(runs).toHaveLength(3)
  })

  test('a worker counts at its start which jobs wait and which failed, by lane, and forgets the count when they are gone', async () => {
    const job = sampleJob('sample.measured', () => Promise.reject(new Error('always')), 1)
    const first = env.start({ jobs: [job] })
    await env.data().write(async (ctx) => enqueue(ctx, job, { note: 'fails' }))
    await vi.waitFor(
      async () => expect(await jobsNamed(env, job.name)).toMatchObject([{ state: 'failed' }]),
      SOON,
    )
    await first.stop()
    const measuredBy = async () => {
      const { deps, stop } = env.start({ measures: queueMeasures }, { lanes: ['slow'] })
      const text = () => deps.metrics.registry.metrics()
      await vi.waitFor(async () => expect(await text()).toMatch(/^guildhall_outbox_rows\{/m), SOON)
      const lines = (await text()).split('\n')
      await stop()
      return (of: string) => lines.find((line) => line.startsWith(of))?.split(' ')[1]
    }
    const before = await measuredBy()
    expect(before('guildhall_jobs{lane="mail",state="failed"}')).toBe('1')
    expect(before('guildhall_jobs{lane="mail",state="due"}')).toBe('0')
    expect(before('guildhall_outbox_rows{state="waiting"}')).toBe('0')
    await env.clear()
    expect((await measuredBy())('guildhall_jobs{lane="mail",state="failed"}')).toBe('0')
  })

  test('work goes on where a metric cannot be counted, which has no value then', async () => {
    const runs: string[] = []
    const consumer = defineKeyedConsumer({
      name: 'sample',
      start: () => ({
        run: async ({ key }) => {
          runs.push(key)
          return undefined
        },
        close: async () => undefined,
      }),
    })
    const due = { lane: 'slow', consumer: 'sample', projectId: env.projects[0] } as const
    const sweep = defineSweep({ name: 'sample', find: async () => [{ ...due, key: newUuid() }] })
    const broken = {
      name: 'guildhall_broken',
      help: 'x',
      labels: { of: ['a'] },
      sql: 'select no_column from jobs',
    }
    const { deps } = env.start({
      consumers: [consumer],
      sweeps: [sweep],
      measures: [broken, ...queueMeasures],
    })
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(1), SOON)
    const text = await deps.metrics.registry.metrics()
    expect(text).not.toMatch(/^guildhall_broken\{/m)
    expect(text).toMatch(/^guildhall_outbox_rows\{state="aside"\} 0$/m)
  })

  test('what is due between two milliseconds is signaled like anything else, and so is what is swept with it', async () => {
    const runs: string[] = []
    const consumer = defineKeyedConsumer({
      name: 'sample',
      start: () => ({
        run: async ({ key }) => {
          runs.push(key)
          return undefined
        },
        close: async () => undefined,
      }),
    })
    const [projectId] = env.projects
    const [now, soon] = [newUuid(), newUuid()]
    const same = { lane: 'slow', consumer: 'sample', projectId } as const
    const swept = [
      { ...same, key: now },
      { ...same, key: soon, delay: 20.25 },
    ]
    const sweep = defineSweep({ name: 'sample', find: async () => swept.splice(0) })
    env.start({ consumers: [consumer], sweeps: [sweep] })
    await vi.waitFor(() => expect(runs.toSorted()).toEqual([now, soon].toSorted()), SOON)
  })
}

describe('on PostgreSQL', () => suite('postgres'))
describeWithRedis('on Redis', () => suite('redis'))
