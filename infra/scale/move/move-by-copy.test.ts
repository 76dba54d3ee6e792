import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HoldIsOver, holdWrites, release, renewHold } from '#areas/projects/move/hold.ts'
import { newUuid } from '#platform/ids.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import type { TestProject } from '#testkit/factories.ts'
import { type Cell, count, openTwoCells, sidesOf, type TwoCells } from './two-cells.fixture.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let cells: TwoCells
let here: Cell
let there: Cell
let one: TestProject
let other: TestProject

beforeAll(async () => {
  cells = await openTwoCells('replica')
  ;({ here, there } = cells)
  ;[one, other] = cells.projects
})
afterAll(() => cells?.close())

const write = (cell: Cell, { live }: TestProject, name: string) =>
  cell.api.send<{ code?: string }>('POST', '/api/v1/members', {
    ...{ key: live.key, body: { email: `${name}@example.com` } },
  })
const MEMBERS = 'members where project_id = $1'

test('without wal_level = logical a project moves by export and import, and the command says first for how long nothing can be written', async () => {
  const [live = '', testSide = ''] = sidesOf(one)
  expect((await write(here, one, 'first')).status).toBe(201)
  const { rows } = await here.api.owner.query<{ plan_id: string; plan_version: number }>(
    `select plan_id, plan_version from ${MEMBERS} limit 1`,
    [live],
  )
  await here.api.owner.query(
    `insert into members (project_id, id, email, full_name, plan_id, plan_version, created_at, updated_at)
     select $1, gen_random_uuid(), 'loaded' || n || '@example.com', 'Zoë "Quotes" \\ 株式会社 ' || n, $2, $3, now(), now()
     from generate_series(1, 20000) as n`,
    [live, rows[0]?.plan_id, rows[0]?.plan_version],
  )
  for (let n = 0; n < 3; n++) await uploadFile(one.live, fileOf(`file ${n}`))
  const visitor = await one.live.signIn()
  const plan = await cells.move(one, '--plan')
  expect(plan.result).toMatchObject({
    ...{ method: 'copy', faults: [], files: 3 },
    warnings: [
      expect.stringMatching(
        /moves by export and import: nothing of it can be written for about \d+ s \(2\d{4} rows\)/,
      ),
      expect.stringMatching(/^SECRET_KEY differs/),
    ],
  })

  // Each write is answered well, or is refused while the project is copied. Reads go on.
  let isOver = false
  const answers = { made: 0, refused: 0, others: [] as unknown[], reads: new Set<number>() }
  const traffic = (async () => {
    for (let n = 0; !isOver; n++) {
      const { status, body, headers } = await write(here, one, `moving${n}`)
      if (status === 201) answers.made += 1
      else if (status === 503 && body.code?.startsWith('PROJECT_MOV') && headers['retry-after'] !== undefined)
        answers.refused += 1
      else answers.others.push([status, body])
      const elsewhere = await count(here, 'project_locations where id = $1', [live])
      const read = await here.api.send('GET', '/api/v1/members?limit=1', { key: one.live.key })
      if (elsewhere === 0 && (await count(here, 'project_locations where id = $1', [live])) === 0)
        answers.reads.add(read.status)
      expect((await write(here, other, `staying${n}`)).status).toBe(201)
    }
  })()
  const moved = cells.move(one).finally(() => {
    isOver = true
  })
  const [{ result, stderr }] = await Promise.all([moved, traffic])
  process.stdout.write(`${stderr}${JSON.stringify(result)}\n`)
  expect(stderr.split('\n')[0]).toMatch(/moves by export and import/)
  expect(result).toMatchObject({ outcome: 'moved', method: 'copy', files: 3 })
  expect(answers.others).toEqual([])
  expect([...answers.reads]).toEqual([200])
  expect(answers.made).toBeGreaterThan(0)
  expect(answers.refused).toBeGreaterThan(0)

  const moving = 'members where project_id = $1 and email like $2'
  expect(await count(there, moving, [live, 'moving%'])).toBe(answers.made)
  expect(await count(there, moving, [live, 'loaded%'])).toBe(20_000)
  expect(await count(there, MEMBERS, [testSide])).toBe(await count(here, MEMBERS, [testSide]))
  expect(await count(there, 'members where project_id <> all ($1)', [sidesOf(one)])).toBe(0)
  await expect.poll(async () => (await write(there, one, 'after')).status).toBe(201)
  const profile = await there.api.send('GET', '/api/v1/user/profile', { key: visitor.token })
  expect(profile.status).toBe(200)
})

test('such a move that is killed is run again, writes go on soon after, and no project is ever active in two cells', async () => {
  for (const step of ['hold writes', 'copy tables', 'compare', 'switch']) {
    expect([step, await cells.killedAfter(other, step)]).toEqual([step, true])
    expect([step, await cells.activeIn(other)]).toEqual([step, step === 'switch' ? 0 : 1])
    if (step === 'switch') continue
    // A hold that nobody makes longer ends by itself.
    expect((await write(here, other, `in-the-hold-of-${step.replace(' ', '-')}`)).status).toBe(503)
    const after = `after-${step.replace(' ', '-')}`
    await expect.poll(async () => (await write(here, other, after)).status, { timeout: 20_000 }).toBe(201)
    if (step !== 'copy tables') continue
    // What was copied is there, and rests. Nothing of it is left when it is taken back.
    expect(await count(there, MEMBERS, [other.live.projectId])).toBeGreaterThan(0)
    expect((await cells.move(other, '--abort')).result).toMatchObject({ outcome: 'taken back' })
    expect(await count(there, MEMBERS, [other.live.projectId])).toBe(0)
    expect(await count(there, 'projects where id = any ($1)', [sidesOf(other)])).toBe(0)
  }
  const before = await count(here, MEMBERS, [other.live.projectId])
  expect((await cells.move(other)).result).toMatchObject({ outcome: 'moved' })
  expect(await count(there, MEMBERS, [other.live.projectId])).toBe(before)
  await expect.poll(async () => (await write(there, other, 'moved')).status).toBe(201)
})

test('a hold is made longer only while it holds', async () => {
  const [live = '', testSide = ''] = [newUuid(), newUuid()]
  const sides = [live, testSide] as const
  const part = { source: { owner: here.api.owner }, sides } as unknown as Parameters<typeof renewHold>[0]
  const { rows } = await here.api.owner.query<{ id: string }>('select id from project_moves limit 1')
  await here.api.owner.query(
    'insert into moving_projects (id, move_id) select id, $2 from unnest($1::uuid[]) as id',
    [sides, rows[0]?.id],
  )
  const first = await holdWrites(part, 60_000)
  const second = await renewHold(part, 120_000)
  expect(Date.parse(second)).toBeGreaterThan(Date.parse(first))
  await holdWrites(part, 50)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await expect(renewHold(part, 2_000)).rejects.toBeInstanceOf(HoldIsOver)
  await release(part)
  await expect(renewHold(part, 2_000)).rejects.toBeInstanceOf(HoldIsOver)
})
