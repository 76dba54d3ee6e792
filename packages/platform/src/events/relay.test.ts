import pg from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
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
  beforeAll(async () => {
    env = await startJobsEnvironment('postgres')
    await env.sql('create table fanned_out (project_id uuid, id uuid, type text)')
    await env.sql('grant insert on fanned_out to guildhall_relay')
  })
  afterAll(async () => {
    await Promise.all(opened.map((deps) => deps.close()))
    await env.close()
  })

  /** What webhooks do, in short: a row per event, set-based, in the relay's statement. */
  const fanOut: FanOut = {
    ctes: 'sample_added as (insert into fanned_out select project_id, id, type from emitted)',
    wakes: `select 'webhooks' as lane, 'sample' as consumer, project_id, project_id::text as key from emitted`,
  }

  function startRelay(fanOuts: FanOut[], wakes: WorkSignal[] = [], isTold = false): Relay {
    const deps = makeWorkerDeps(env.config, makeLog('silent', 'relay'))
    opened.push(deps)
    const wake = async (some: readonly WorkSignal[]) => {
      wakes.push(...some)
    }
    const { relayPool: pool, metrics, log } = deps
    const relay = new Relay({ pool, fanOuts, wake, metrics, log, idleMs: 300, isTold: () => isTold })
    relay.start()
    return relay
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
    const wakes: WorkSignal[] = []
    const relays = [1, 2, 3].map(() => startRelay([fanOut], wakes))
    await emitted(3_000)
    await vi.waitFor(async () => expect(await fannedOut()).toEqual({ rows: 8_000, ids: 8_000 }), SOON)
    expect(wakes).toHaveLength(8_000)
    expect(await env.sql('select from outbox')).toEqual([])
    await Promise.all(relays.map((relay) => relay.stop()))
    await env.sql('truncate fanned_out')
  })

  test('an event whose notification is lost is relayed at the next look of a relay that is told of others', async () => {
    const relay = startRelay([fanOut], [], true)
    for (const rows of [1, 2]) {
      // The owner tells nobody.
      await emitted(1)
      await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(rows), SOON)
    }
    await relay.stop()
    await env.sql('truncate fanned_out')
  })

  test('a row that commits late, behind others that were relayed already, is not lost', async () => {
    const relay = startRelay([fanOut])
    const slow = new pg.Client({ connectionString: env.environment['DATABASE_URL'] })
    await slow.connect()
    await slow.query('begin')
    await slow.query(
      `insert into outbox (project_id, id, kind, name) values ($1, $2, 'event', 'sample.late')`,
      [env.projects[0], newUuid()],
    )
    await emitted(10)
    await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(10), SOON)
    await slow.query('commit')
    await slow.end()
    await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(11), SOON)
    await relay.stop()
    await env.sql('truncate fanned_out')
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
    const relay = startRelay([picky])
    await vi.waitFor(async () => expect(await fannedOut()).toEqual({ rows: 60, ids: 60 }), SOON)
    const aside = await env.sql<{ name: string; waits: boolean }>(
      'select name, retry_at > now() as waits from outbox',
    )
    expect(aside).toEqual([{ name: 'sample.poison', waits: true }])
    // Mended: it goes its way.
    await env.sql(`update outbox set retry_at = null, name = 'sample.mended'`)
    await vi.waitFor(async () => expect((await fannedOut())?.rows).toBe(61), SOON)
    await relay.stop()
    await env.sql('truncate fanned_out')
  })

  test('a job is put where it is claimed, with its lane and time, and wakes only when it is due', async () => {
    const job = defineJob({
      name: 'sample.relayed',
      lane: 'exports',
      payload: Type.Object({ note: Type.String() }),
      attempts: 1,
      run: async () => undefined,
    })
    const runAt = new Date(Date.now() + 3_600_000)
    await env.inProject(async (ctx) => {
      enqueue(ctx, job, { note: 'now' })
      enqueue(ctx, job, { note: 'later' }, runAt)
    })
    const [projectId] = env.projects
    const asked = await env.sql<{ id: string }>('select id from outbox order by run_at')
    const wakes: WorkSignal[] = []
    const relay = startRelay([fanOut], wakes)
    await vi.waitFor(async () => expect(await env.sql('select from outbox')).toEqual([]), SOON)
    await vi.waitFor(() => expect(wakes).toHaveLength(1), SOON)
    expect(wakes).toEqual([{ lane: 'exports', consumer: 'jobs', projectId, key: projectId }])
    const put = await env.sql<{ id: string; note: string; due_at: Date }>(
      `select id, payload ->> 'note' as note, due_at from jobs where lane = 'exports' order by due_at`,
    )
    expect(put.map(({ id, note }) => [id, note])).toEqual([
      [asked[0]?.id, 'now'],
      [asked[1]?.id, 'later'],
    ])
    expect(put[1]?.due_at).toEqual(runAt)
    await relay.stop()
  })
})
