import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runMoves } from '#areas/projects/move/run-moves.schedule.ts'
import type { Config } from '#platform/config.ts'
import { makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import type { TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { type Cell, openTwoCells, type TwoCells } from './two-cells.fixture.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface Moved {
  readonly id: string
  readonly state: string
  readonly error: string | null
  readonly plan: { readonly faults: string[]; readonly files: number } | null
  readonly report: { readonly rows: number; readonly hold_ms: number } | null
}

let cells: TwoCells
let here: Cell
let one: TestProject
let other: TestProject
let chief: TestOperator

beforeAll(async () => {
  cells = await openTwoCells('logical')
  ;({ here } = cells)
  ;[one, other] = cells.projects
  chief = await makeOperator(here.api, { administrator: true })
})
afterAll(() => cells?.close())

/** One run of a worker with what it needs to move projects. */
const work = (more: Partial<Config> = {}) =>
  runSchedule(runMoves, {
    ...here.api.config,
    ...{ DATABASE_OWNER_URL: here.environment['DATABASE_URL'] ?? '', CELL_NAME: 'here' },
    ...{ CELL_ENVIRONMENTS: cells.environments, ...more },
  })
const ask = (body: object, { project } = one, operator = chief) =>
  operator.call<{ data: Moved }>('POST', `/projects/${project.id}/move`, body)
const moves = async ({ project } = one) =>
  (await chief.call<{ data: Moved[] }>('GET', `/projects/${project.id}/moves`)).body.data
const cellsShown = async () => (await chief.call<{ data: object[] }>('GET', '/cells')).body.data

test('administrators alone move projects, and only to a cell whose environment a worker has', async () => {
  const owner = await makeOperator(here.api)
  await setRole(here.api, one.live.projectId, owner.id, 'owner')
  for (const answer of [
    await ask({ to: 'there' }, one, owner),
    await owner.call('GET', `/projects/${one.project.id}/moves`),
    await owner.call('GET', '/cells'),
  ])
    expect(refusalOf(answer)).toBe('403 INSUFFICIENT_PERMISSIONS')
  const refused = await ask({ to: 'there' })
  expect(refusalOf(refused)).toBe('503 MOVES_UNAVAILABLE')
  expect(JSON.stringify(refused.body)).toContain('CELL_ENVIRONMENTS')
  expect(await cellsShown()).toMatchObject([{ name: 'there', is_ready: false }])
  await work()
  expect(await cellsShown()).toMatchObject([{ name: 'there', is_ready: true }])
  const unknown = await ask({ to: 'nowhere' })
  expect(refusalOf(unknown)).toBe('422 VALIDATION_ERROR')
  expect(JSON.stringify(unknown.body)).toContain('CELL_ENVIRONMENTS: there')
  expect(await moves()).toEqual([])
})

test('what fails says why, and the project stays where it is', async () => {
  const folder = join(cells.environments, 'wrong')
  await mkdir(folder)
  await writeFile(join(folder, 'there.env'), 'DATABASE_URL="postgres://nobody@127.0.0.1:1/none"\n')
  const reasons: unknown[] = []
  for (const more of [{ CELL_ENVIRONMENTS: folder }, { CELL_NAME: 'stranger' }]) {
    expect((await ask({ to: 'there' })).status).toBe(201)
    await work(more)
    reasons.push((await moves())[0])
  }
  expect(reasons).toMatchObject([
    {
      ...{ state: 'failed', report: null },
      error: expect.stringMatching(/^the environment in there\.env is wrong: .*SECRET_KEY/),
    },
    {
      ...{ state: 'failed', report: null },
      error: expect.stringMatching(/^the other cell No cell is called stranger there/),
    },
  ])
  expect(await cells.activeIn(one)).toBe(1)
  const members = { key: one.live.key }
  expect((await here.api.send('GET', '/api/v1/members', members)).status).toBe(200)
})

test('a dry run says how much there is to copy, and a move takes the project with its keys, sessions and files to the other cell', async () => {
  await uploadFile(one.live, fileOf('a file'))
  const visitor = await one.live.signIn()
  const { status, body } = await ask({ to: 'there', dry_run: true })
  expect([status, body.data.state]).toEqual([201, 'queued'])
  expect(refusalOf(await ask({ to: 'there' }))).toBe('409 MOVE_UNDER_WAY')
  await work()
  expect((await moves())[0]).toMatchObject({
    ...{ id: body.data.id, state: 'done', error: null, report: null },
    plan: { method: 'replication', faults: [], files: 1 },
  })
  expect(await cells.activeIn(one)).toBe(1)

  expect((await ask({ to: 'there' })).status).toBe(201)
  // One whose worker was killed while it ran goes on.
  await here.api.owner.query(
    "update requested_moves set state = 'running', attempts = 1 where ended_at is null",
  )
  await work()
  expect((await moves())[0]).toMatchObject({ state: 'done', error: null, plan: null, report: { files: 1 } })
  const { body: shown } = await chief.call<{ data: { state: string } }>('GET', `/projects/${one.project.id}`)
  expect(shown.data.state).toBe('moved')
  const { rows: acts } = await here.api.owner.query(
    `select actor_id, after->>'state' as state, after->>'outcome' as outcome from project_acts
     where live_id = $1 and action = 'project.move' and after->>'outcome' is not null`,
    [one.live.projectId],
  )
  expect(acts).toEqual([{ actor_id: chief.publicId, state: null, outcome: 'moved' }])
  for (const { api } of [here, cells.there])
    await expect
      .poll(async () => (await api.send('GET', '/api/v1/user/profile', { key: visitor.token })).status)
      .toBe(200)
  expect(await cells.activeIn(other)).toBe(1)
})

test('one whose worker ended each time is given up', async () => {
  expect((await ask({ to: 'there' }, other)).status).toBe(201)
  await here.api.owner.query('update requested_moves set attempts = 10 where ended_at is null')
  await work()
  expect(await moves(other)).toMatchObject([
    { state: 'failed', error: expect.stringContaining('its worker ended each time') },
  ])
  expect(await cells.activeIn(other)).toBe(1)
})
