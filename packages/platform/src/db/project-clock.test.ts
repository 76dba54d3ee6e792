import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { pause } from '#testkit/areas/notes.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { now, thisMoment } from './project-clock.ts'
import { defineLookup, defineQuery } from './query.ts'
import { query } from './statement.ts'

const HOUR_MS = 3_600_000

let api: TestApi
let one: TestProject
let other: TestProject
withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    ;[one, other] = await makeProjects(api)
  },
)

const selectTimes = () =>
  query.selectNoFrom([now.as('now'), thisMoment.as('moment'), sql<string>`now()`.as('real')])
const getTimes = defineQuery('times', selectTimes).single()
const lookUpTimes = defineLookup('times_looked_up', selectTimes).single()
/** By how many hours the clock of a project is ahead of the real time. */
const hoursAhead = ({ now, real }: { now: string; real: string }) =>
  (Date.parse(now) - Date.parse(real)) / HOUR_MS

test('a test side is ahead of the real time by as much as its clock was moved, and nobody else is', async () => {
  await advance(one.test, { hours: 5 })
  const ahead = await Promise.all(
    [one.live, one.test, other.live, other.test].map(async (side) =>
      hoursAhead(await side.write(getTimes())),
    ),
  )
  expect(ahead.map((hours) => Math.round(hours * 100) / 100)).toEqual([0, 5, 0, 0])
})

test('look-ups of live and test sides in one batch each see their own clock', async () => {
  const sides = Array.from({ length: 40 }, (_, n) => (n % 2 ? one.live : one.test))
  const rows = await Promise.all(sides.map((side) => side.read({ times: lookUpTimes() })))
  for (const [n, { times }] of rows.entries()) expect(hoursAhead(times) > 1).toBe(sides[n] === one.test)
})

test('all of a transaction goes by one time, also where the clock is moved meanwhile', async () => {
  const [before, after] = await other.test.write(async (ctx) => {
    const first = await getTimes(ctx)
    await advance(other.test, { days: 400 })
    return [first, await getTimes(ctx)]
  })
  expect(after.now).toBe(before.now)
  expect(after.moment >= before.moment).toBe(true)
  expect(
    (await timeOf(other.test)) > new Date(Date.parse(before.now) + 399 * 24 * HOUR_MS).toISOString(),
  ).toBe(true)
})

test('the moment is later than the time of the transaction, by as long as that takes', async () => {
  const row = await one.test.write(async (ctx) => {
    await pause(ctx, { seconds: 0.05 })
    return getTimes(ctx)
  })
  expect(Date.parse(row.moment) - Date.parse(row.now)).toBeGreaterThanOrEqual(50)
})

test('a live side looks nothing up for its time', async () => {
  const member = { email: 'ada@example.com' }
  // A process learns once which side a project is.
  for (const side of [one.live, one.test]) await side.admin.get('/members')
  await api.owner.query('revoke select on project_clocks, projects from guildhall_api')
  try {
    const made = await one.live.admin.post<{ member: { id: string; created_at: string } }>('/members', member)
    expect(made.status).toBe(201)
    expect((await one.live.admin.get(`/members/${made.body.member.id}`)).status).toBe(200)
    expect((await one.test.admin.post('/members', member)).status).toBe(500)
  } finally {
    await api.owner.query('grant select on project_clocks, projects to guildhall_api')
  }
})

test('a transaction that does not set how far the clock is moved gets the right time', async () => {
  const client = await api.deps.pool.connect()
  try {
    await client.query('begin')
    for (const [side, hours] of [
      [one.live, 0],
      [one.test, 5],
    ] as const) {
      await client.query("select set_config('app.project_id', $1, true)", [side.projectId])
      const { rows } = await client.query('select app.project_now() as now, now() as real')
      expect(Math.round(hoursAhead(rows[0]) * 100) / 100).toBe(hours)
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
})
