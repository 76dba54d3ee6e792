import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { updateSettings } from '#areas/projects/service.ts'
import { type RunningWorker, startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps, type WorkerDeps } from '#platform/worker-deps.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { type AnalyticsSettingsChanges, readSettings, updateAnalyticsSettings } from '../settings.ts'
import { claimDay } from './claim.ts'
import {
  applyRetention,
  destroySalts,
  followSettings,
  forgetEventIds,
  keepMonths,
  outdateDays,
} from './housekeeping.ts'
import { dueDays, rollUpDays } from './roll-up.consumer.ts'
import { DayChanged, rollUpDay } from './roll-up-day.ts'

const METRICS = 'visitors,visits,pageviews,events,bounce_rate,visit_duration,views_per_visit,members'
const MINUTE = 60_000

let api: TestApi
let side: Side
let worked: Side
/** Of that side. */
let projectId: string

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one, two] = await makeProjects(api)
    side = one.live
    worked = two.live
    projectId = two.project.id
  },
)

const reported = async (more = '', of = side) => {
  const path = `/analytics/stats?metric=${METRICS}${more}`
  const { status, body } = await of.admin.get<{ data: Record<string, number> }>(path)
  expect(status).toBe(200)
  return body.data
}
const breakdown = async (dimension: string, more = '') => {
  const path = `/analytics/breakdown?dimension=${dimension}&metric=${METRICS}${more}`
  return (await side.admin.get<{ data: object[] }>(path)).body.data
}
/** Page views of a visitor, so many minutes ago. */
const view = (visitor: number, minutes: number, path: string, more: object = {}, to = side) =>
  to.admin.post('/analytics/pageview', {
    url: `https://example.com${path}`,
    ip: `192.0.2.${visitor}`,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    timestamp: new Date(Date.now() - minutes * MINUTE).toISOString(),
    ...more,
  })
const makeDue = () =>
  api.owner.query(`update analytics_days set due_at = now() - interval '1 second' where project_id = $1`, [
    side.projectId,
  ])
/** The day that was due for longest, claimed. */
async function claim() {
  const claimed = await side.write((ctx) => claimDay(ctx, Date.now() + MINUTE))
  if (claimed === undefined) throw new Error('no day is due')
  return claimed
}
const rollUp = async (claimed: Awaited<ReturnType<typeof claim>>) =>
  side.write((ctx) => rollUpDay(ctx, claimed, Date.now()))
async function rollUpAll(): Promise<void> {
  await makeDue()
  for (;;) {
    const claimed = await side.write((ctx) => claimDay(ctx, Date.now()))
    if (claimed === undefined) return
    await rollUp(claimed)
  }
}
async function expectEqualToRecount(): Promise<Record<string, number>> {
  const found = await reported()
  expect(found).toEqual(await reported('&recount=true'))
  for (const dimension of ['page', 'entry_page', 'exit_page', 'browser'])
    expect(await breakdown(dimension)).toEqual(await breakdown(dimension, '&recount=true'))
  return found
}

describe('a day that is rolled up while it goes on', () => {
  test('counts what comes late, and changes what was counted before: entry, exit, visits, bounces', async () => {
    ;[{ live: side }] = await makeProjects(api)
    await view(1, 50, '/a')
    await view(2, 50, '/a')
    await rollUpAll()
    expect(await expectEqualToRecount()).toMatchObject({ visitors: 2, visits: 2, bounce_rate: 100 })
    // A page before, a page after, and a new visit: nothing of the first visitor's stays as it was.
    await view(1, 60, '/before')
    await view(1, 45, '/after')
    await view(1, 5, '/again')
    expect(await expectEqualToRecount()).toMatchObject({ visitors: 2, visits: 3, pageviews: 5 })
    const entries = await breakdown('entry_page')
    expect(entries).toEqual(expect.arrayContaining([expect.objectContaining({ value: '/before' })]))
    await rollUpAll()
    await expectEqualToRecount()
    // What connects two visits makes one of them.
    await view(1, 25, '/between')
    expect(await expectEqualToRecount()).toMatchObject({ visits: 2 })
    await rollUpAll()
    expect(await expectEqualToRecount()).toMatchObject({ visits: 2 })
  })

  test('counts events once that come while it is rolled up', async () => {
    await view(3, 10, '/first')
    await makeDue()
    const claimed = await claim()
    await view(3, 9, '/second')
    const before = await expectEqualToRecount()
    await rollUp(claimed)
    expect(await expectEqualToRecount()).toEqual(before)
    await rollUpAll()
    expect(await expectEqualToRecount()).toEqual(before)
  })

  test('is not finished by a worker whose lease was taken over', async () => {
    await view(4, 10, '/first')
    await makeDue()
    const slow = await claim()
    await api.owner.query('update analytics_days set lease_until = now() where token is not null')
    await rollUp(await claim())
    const before = await expectEqualToRecount()
    await expect(rollUp(slow)).rejects.toThrow(DayChanged)
    expect(await expectEqualToRecount()).toEqual(before)
  })

  test('is counted anew without a member who is forgotten, also while it is rolled up', async () => {
    const { id } = await side.makeMember()
    await view(5, 10, '/member', { user_id: id })
    await view(6, 10, '/stranger')
    await rollUpAll()
    expect(await expectEqualToRecount()).toMatchObject({ members: 1 })
    await view(6, 9, '/stranger')
    await makeDue()
    const claimed = await claim()
    await side.admin.delete(`/members/${id}?mode=anonymize`)
    await expect(rollUp(claimed)).rejects.toThrow(DayChanged)
    expect(await expectEqualToRecount()).toMatchObject({ members: 0 })
    await rollUpAll()
    expect(await expectEqualToRecount()).toMatchObject({ members: 0 })
  })

  test('is counted anew in another zone, and for other goals', async () => {
    await side.admin.post('/analytics/goals', { page: '/stranger' })
    await expectEqualToRecount()
    await api.owner.query(`update projects set timezone = 'Asia/Kathmandu' where id = $1`, [side.projectId])
    await side.write(outdateDays)
    await expectEqualToRecount()
    await rollUpAll()
    await expectEqualToRecount()
  })
})

test('a worker rolls up, follows settings, drops months and forgets salts, ids and what is too old', async () => {
  const config = { ...api.config, SWEEP_MS: 300 }
  const deps: WorkerDeps = makeWorkerDeps(config, makeLog('silent', 'worker'))
  await view(1, 1, '/worked', {}, worked)
  const { rows } = await api.owner.query<{ old: string; kept: string }>(
    `select to_char(now() - interval '40 months', 'YYYYMM') as old, to_char(now() - interval '20 months', 'YYYYMM') as kept`,
  )
  const { old = '', kept = '' } = rows[0] ?? {}
  for (const month of [old, kept])
    await api.owner.query(`create table if not exists analytics_events_${month} partition of analytics_events
      for values from ('${month.slice(0, 4)}-${month.slice(4)}-02') to ('${month.slice(0, 4)}-${month.slice(4)}-03')`)
  await api.owner.query(
    `insert into analytics_events (project_id, id, at, received_at, visitor, bot, source, channel)
       values ($1, gen_random_uuid(), now() - interval '25 months', now(), 1, false, 'Direct', 'Direct')`,
    [worked.projectId],
  )
  await api.owner.query(
    `insert into analytics_salts (project_id, day, sealed, expires_at) values ($1, '2020-01-01', '', now() - interval '1 minute')`,
    [worked.projectId],
  )
  await api.owner.query(
    `insert into analytics_event_ids (project_id, id, received_at) values ($1, gen_random_uuid(), now() - interval '9 days')`,
    [worked.projectId],
  )
  await api.owner.query('update analytics_days set due_at = now() where project_id = $1', [worked.projectId])
  const often = [applyRetention, destroySalts, followSettings, forgetEventIds, keepMonths]
  const worker: RunningWorker = startWorker({
    deps,
    areas,
    background: {
      consumers: [rollUpDays],
      sweeps: [dueDays],
      schedules: often.map((schedule) => ({ ...schedule, every: 500 })),
      jobs: [],
      fanOuts: [],
    },
    lanes: ['analytics', 'schedule'],
    finishMs: 2_000,
  })
  try {
    const state = async () => {
      const found = await api.owner.query(
        `select to_regclass('analytics_events_${old}') is null as dropped,
           to_regclass('analytics_events_${kept}') is not null as kept,
           to_regclass('analytics_events_' || to_char(now() + interval '3 months', 'YYYYMM')) is not null as ahead,
           (select count(*)::int from analytics_salts where day = '2020-01-01') as salts,
           (select count(*)::int from analytics_event_ids where received_at < now() - interval '8 days') as ids,
           (select count(*)::int from analytics_events where project_id = $1 and at < now() - interval '24 months') as old,
           (select count(*)::int from analytics_days where project_id = $1 and due_at is not null) as due`,
        [worked.projectId],
      )
      return found.rows[0]
    }
    await expect
      .poll(state, { ...SOON, interval: 250 })
      .toEqual({ dropped: true, kept: true, ahead: true, salts: 0, ids: 0, old: 0, due: 0 })
    expect((await reported('', worked)).pageviews).toBe(1)
  } finally {
    await worker.stop()
    await deps.close()
  }
})

test('operators say zone, retention and Do Not Track of a side, and no wrong ones', async () => {
  const main = fileURLToPath(new URL('../../../../../apps/cli/src/main.ts', import.meta.url))
  const flags = ['--timezone', 'Asia/Kathmandu', '--analytics-retention', '6', '--respect-do-not-track', 'on']
  const words = ['project', 'set', projectId, '--environment', 'live', ...flags, '--json']
  const { stdout } = spawnSync(process.execPath, [main, ...words], {
    env: { PATH: '', DATABASE_URL: api.database.url, SECRET_KEY: api.database.secretKey },
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toMatchObject({
    timezone: 'Asia/Kathmandu',
    analytics_retention_months: 6,
    respect_do_not_track: true,
  })
  await expect(
    updateSettings(api.operators, projectId, 'live', { timezone: 'Mars/Olympus' }),
  ).rejects.toMatchObject({
    status: 422,
    code: 'VALIDATION_ERROR',
  })
  const set = (changes: AnalyticsSettingsChanges) =>
    worked.write((ctx) => updateAnalyticsSettings(ctx, changes))
  for (const analyticsRetentionMonths of [0, 121, 1.5])
    await expect(set({ analyticsRetentionMonths })).rejects.toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
    })
  await set({ respectDoNotTrack: false })
  expect(await worked.read({ settings: readSettings() })).toEqual({
    settings: { timezone: 'Asia/Kathmandu', analytics_retention_months: 6, respect_do_not_track: false },
  })
})
