import pg from 'pg'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type JobsEnvironment, startJobsEnvironment } from '#testkit/environments/jobs-environment.ts'
import { SOON } from '#testkit/soon.ts'
import { newUuid } from '../ids.ts'
import { defineJob } from '../jobs/define-job.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { WorkSignal } from '../jobs/queues/work-signal.ts'
import { makeLog } from '../telemetry/log.ts'
import { makeWorkerDeps, type WorkerDeps } from '../worker-deps.ts'
import type { FanOut } from './fan-out.ts'
import { Relay } from './relay.ts'

describe('the relay', () => {
  let env: JobsEnvironment
  const opened: WorkerDeps[] = []
  const relays: Relay[] = []
  beforeAll(async () => {
    env = await startJobsEnvironment('postgres')
    await env.sql('create table fanned_out (project_id uuid, id uuid, type text)')
    await env.sql('grant insert on fanned_out to guildhall_relay')
  })
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()))
    await env.clear()
    await env.sql('truncate fanned_out')
  })
  afterAll(async () => {
    await Promise.all(opened.map((deps) => deps.close()))
    await env.close()
  })

  /** What webhooks do, in short: a row per event, set-based, in the relay's statement. */
  const fanOut: FanOut = {
    ctes: 'sample_added as (insert into fanned_out select project_id, id, type from emitted)',
    signals: `select 'webhooks' as lane, 'sample' as consumer, project_id, project_id::text as key from emitted`,
  }

  function startRelay(fanOuts: FanOut[], signals: WorkSignal[] = [], isListening = false): void {
    const deps = makeWorkerDeps(env.config, makeLog('silent', 'relay'))
    opened.push(deps)
    const sendSignals = async (some: readonly WorkSignal[]) => {
      signals.push(...some)
    }
    const { relayPool: pool, metrics, log } = deps
    const relay = new Relay({
      pool,
      fanOuts,
      sendSignals,
      metrics,
      log,
      idleMs: 300,
      isListening: () => isListening,
    })
    relay.start()
    relays.push(relay)
  }

  const emitted = (count: number, type = 'sample.happened') =>
    env.sql(
      `insert into outbox (project_id, id, kind, name)
       select $1, gen_random_uuid(), 'event', $2 from generate_series(1, $3)`,
      [env.projects[0], type, count],
    )

  const fannedOut = async () =>
    (
      await env.sql<{ rows: number; ids: number }>(
        'select count(*)::int as rows, count(distinct id)::int as ids from fanned_out',
      )
    )[0]

  test('several relays turn every event exactly once', async () => {
    await emitted(5_000)
    const signals: WorkSignal[] = []
    for (let n = 0; n < 3; n++) startRelay([fanOut], signals)
    await emitted(3_000)
    await vi.waitFor(async () => expect(await fannedOut()).toEqual({ rows: 8_000, ids: 8_000 }), SOON)
    await vi.waitFor(() => expect(signals).toHaveLength(8_000), SOON)
    expect(await env.sql('select from outbox')).toEqual([])
  })

  test('an event whose notification is lost is relayed at the next look of a relay that is notified of others', async () => {
    startRelay([fanOut], [], true)
    for (const rows of [1, 2]) {
      // The owner tells nobody.
      await emitted(1)
      await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(rows), SOON)
    }
  })

  test('a row that commits late, behind others that were relayed already, is not lost', async () => {
    startRelay([fanOut])
    const slow = new pg.Client({ connectionString: env.environment['DATABASE_URL'] })
    await slow.connect()
    onTestFinished(() => slow.end())
    await slow.query('begin')
    await slow.query(
      `insert into outbox (project_id, id, kind, name) values ($1, $2, 'event', 'sample.late')`,
      [env.projects[0], newUuid()],
    )
    await emitted(10)
    await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(10), SOON)
    await slow.query('commit')
    await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(11), SOON)
  })

  test('an event that breaks the fan-out is set aside, and holds up nothing else', async () => {
    const picky: FanOut = {
      ...fanOut,
      ctes: `${fanOut.ctes}, sample_judged as (
        insert into fanned_out select project_id, id, type from emitted
        where type = 'sample.poison' and type::int > 0)`,
    }
    await emitted(30)
    await emitted(1, 'sample.poison')
    await emitted(30)
    startRelay([picky])
    await vi.waitFor(async () => expect(await fannedOut()).toEqual({ rows: 60, ids: 60 }), SOON)
    await vi.waitFor(async () => {
      const aside = await env.sql<{ name: string; waits: boolean }>(
        'select name, retry_at > now() as waits from outbox',
      )
      expect(aside).toEqual([{ name: 'sample.poison', waits: true }])
    }, SOON)
    // Mended: it goes its way.
    await env.sql(`update outbox set retry_at = null, name = 'sample.mended'`)
    await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(61), SOON)
  })

  test('a job is put where it is claimed, with its lane and time, and signals only when it is due', async () => {
    const job = defineJob({
      name: 'sample.relayed',
      lane: 'exports',
      payload: Type.Object({ note: Type.String() }),
      attempts: 1,
      run: async () => undefined,
    })
    const runAt = new Date(Date.now() + 3_600_000)
    await env.data().write(async (ctx) => {
      enqueue(ctx, job, { note: 'now' })
      enqueue(ctx, job, { note: 'later' }, runAt)
    })
    const [projectId] = env.projects
    const asked = await env.sql<{ id: string }>('select id from outbox order by run_at')
    const signals: WorkSignal[] = []
    startRelay([fanOut], signals)
    await vi.waitFor(async () => expect(await env.sql('select from outbox')).toEqual([]), SOON)
    await vi.waitFor(() => expect(signals).toHaveLength(1), SOON)
    expect(signals).toEqual([{ lane: 'exports', consumer: 'jobs', projectId, key: projectId }])
    const put = await env.sql<{ id: string; note: string; due_at: Date }>(
      `select id, payload ->> 'note' as note, due_at from jobs where lane = 'exports' order by due_at`,
    )
    expect(put.map(({ id, note }) => [id, note])).toEqual([
      [asked[0]?.id, 'now'],
      [asked[1]?.id, 'later'],
    ])
    expect(put[1]?.due_at).toEqual(runAt)
  })
})
