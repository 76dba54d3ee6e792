import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endMoves } from '#areas/projects/move/end-moves.schedule.ts'
import { subscribe } from '#areas/projects/move/replication.ts'
import { examine } from '#platform/doctor/doctor.ts'
import { parseId } from '#platform/ids.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { fileOf, uploadFile } from '#testkit/areas/storage/files.ts'
import { registerEndpoint } from '#testkit/areas/webhooks.ts'
import { type Mailbox, openMailbox } from '#testkit/environments/delivery-environment.ts'
import type { TestProject } from '#testkit/factories.ts'
import { layoutOf } from '../../postgres/cluster.ts'
import { type Cell, count, openTwoCells, sidesOf, type TwoCells } from './two-cells.fixture.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let cells: TwoCells
let receiver: Mailbox
let here: Cell
let there: Cell
let moving: TestProject
let staying: TestProject

beforeAll(async () => {
  ;[cells, receiver] = await Promise.all([openTwoCells('logical'), openMailbox()])
  ;({ here, there } = cells)
  ;[moving, staying] = cells.projects
})
afterAll(async () => {
  await cells?.close()
  await receiver?.close()
})

/** @returns the next refresh token */
async function refresh(cell: Cell, token: string): Promise<string> {
  const { status, body } = await cell.api.send<{ session: { refresh_token: string } }>(
    'POST',
    '/api/v1/auth/refresh',
    { key: moving.live.key, body: { refresh_token: token } },
  )
  expect(status).toBe(200)
  return body.session.refresh_token
}

test('a project that is written moves to a cell with another SECRET_KEY with its rows, files, keys, sessions and tokens; each event is delivered once', async () => {
  await registerEndpoint(moving.live, { url: receiver.url })
  for (let n = 0; n < 5; n++) await uploadFile(moving.live, fileOf(`file ${n}`))
  const visitor = await moving.live.signIn()
  const token = await refresh(here, visitor.refreshToken)
  const plan = await cells.move(moving, '--plan')
  expect(plan.result).toMatchObject({
    faults: [],
    warnings: [expect.stringMatching(/^SECRET_KEY differs/)],
    files: 5,
  })

  // Each write is answered well, or is refused for the moment of the move.
  let isOver = false
  const answered = { made: 0, moving: 0, others: [] as unknown[], staying: 0 }
  const writeTo = async (cell: Cell, name: string) =>
    cell.api.send('POST', '/api/v1/members', {
      key: moving.live.key,
      body: { email: `${name}@example.com` },
    })
  const traffic = (async () => {
    for (let n = 0; !isOver; n++) {
      const { status, body } = await writeTo(here, `moving${n}`)
      if (status === 201) answered.made += 1
      else if ((body as { code?: string }).code?.startsWith('PROJECT_MOV')) answered.moving += 1
      else answered.others.push(status, body)
      const other = await staying.live.admin.post('/members', { email: `staying${n}@example.com` })
      expect(other.status).toBe(201)
      answered.staying += 1
    }
  })()
  const moved = cells.move(moving).finally(() => {
    isOver = true
  })
  const [{ result, stderr }] = await Promise.all([moved, traffic])
  process.stdout.write(`${stderr}${JSON.stringify(result)}\n`)
  expect(result).toMatchObject({ outcome: 'moved', files: 5 })
  expect(Number(result['hold_ms'])).toBeLessThan(5_000)
  expect(answered.others).toEqual([])
  expect(answered.made).toBeGreaterThan(0)
  expect(answered.moving).toBeGreaterThan(0)

  // All that was answered is there, and nothing of the other project.
  const members = 'members where project_id = $1 and email like $2'
  expect(await count(there, members, [moving.live.projectId, 'moving%'])).toBe(answered.made)
  expect(await count(here, members, [staying.live.projectId, 'staying%'])).toBe(answered.staying)
  expect(await count(there, 'members where project_id <> all ($1)', [sidesOf(moving)])).toBe(0)
  expect(await count(there, 'projects where id = any ($1)', [sidesOf(staying)])).toBe(0)

  // Keys and tokens go on in the other cell.
  await expect.poll(async () => (await writeTo(there, 'after')).status).toBe(201)
  const profile = await there.api.send('GET', '/api/v1/user/profile', { key: visitor.token })
  expect(profile.status).toBe(200)
  await refresh(there, await refresh(there, token))
  const ids = async () =>
    (
      await there.api.owner.query<{ id: string }>(
        "select app.public_id('evt', id) as id from events where project_id = $1",
        [moving.live.projectId],
      )
    ).rows.map(({ id }) => id)
  await expect.poll(() => receiver.received.map(({ id }) => id).sort()).toEqual((await ids()).sort())
  expect(await count(here, 'pg_replication_slots')).toBe(0)
  expect(await count(here, 'pg_publication')).toBe(0)
  expect(await count(there, 'pg_subscription')).toBe(0)
})

const fences = ({ project }: TestProject) => {
  const liveId = parseId('project', project.id) ?? ''
  return count(here, 'pg_trigger where tgname like $1', [`fence\\_${liveId.replaceAll('-', '')}%`])
}

test('a subscription that fails does not put the password of this PostgreSQL into the log of the other one', async () => {
  const address = new URL(here.api.database.url)
  address.password = 'not-the-password'
  const refused = {
    source: { address: address.href },
    target: { owner: there.api.owner },
    replication: 'guildhall_move_refused',
  } as unknown as Parameters<typeof subscribe>[0]
  await expect(subscribe(refused)).rejects.toThrow('password authentication failed')
  const log = await readFile(layoutOf(join(cells.environments, 'there')).log, 'utf8')
  expect(log).toContain('could not connect to the publisher')
  expect(log).not.toContain(address.password)
})

test('an hour after a move the fence is taken away, and keys of the other cell are forgotten once their tokens have expired', async () => {
  await runSchedule(endMoves, here.api.config)
  await runSchedule(endMoves, there.api.config)
  expect(await fences(moving)).toBeGreaterThan(0)
  expect(await count(there, 'foreign_signing_keys')).toBeGreaterThan(0)
  await here.api.owner.query("update project_moves set ended_at = ended_at - interval '61 minutes'")
  await there.api.owner.query("update foreign_signing_keys set published_until = now() - interval '1 second'")
  // A table that is in use is left for the next time.
  await expect
    .poll(async () => {
      await runSchedule(endMoves, here.api.config)
      return fences(moving)
    })
    .toBe(0)
  await runSchedule(endMoves, there.api.config)
  expect(await count(there, 'foreign_signing_keys')).toBe(0)
  await expect.poll(() => count(here, 'project_moves where unfenced_at is null')).toBe(0)
})

/** What the doctor warns of. */
async function doctorsMoves(): Promise<string[]> {
  const { url, secretKey } = here.api.database
  const found = await examine({
    ...{ databaseUrl: url, directUrl: url, secretKey, environment: here.environment },
  })
  return found
    .filter(({ check, state }) => check === 'moves' && state === 'warning')
    .map((each) => each.found)
}

test('a move that is killed goes on with the same command, or is taken back, and no project is ever active in two cells', async () => {
  const write = async (cell: Cell, name: string) =>
    (
      await cell.api.send('POST', '/api/v1/members', {
        key: staying.live.key,
        body: { email: `${name}@example.com` },
      })
    ).status
  // Tables are being copied: their slots are there, too.
  expect(await cells.killedAfter(staying, 'subscribe')).toBe(true)
  expect(await cells.activeIn(staying)).toBe(1)
  expect(await doctorsMoves()).toEqual([])
  await there.api.owner.query(
    `alter subscription guildhall_move_${staying.live.projectId.replaceAll('-', '')} disable`,
  )
  await expect.poll(doctorsMoves).toEqual([expect.stringContaining('nobody reads the slot guildhall_move_')])
  const { result: aborted } = await cells.move(staying, '--abort')
  expect(aborted).toMatchObject({ outcome: 'taken back' })
  expect(await doctorsMoves()).toEqual([])
  expect(await count(here, 'pg_replication_slots')).toBe(0)
  expect(await count(there, 'projects where id = any ($1)', [sidesOf(staying)])).toBe(0)
  expect(await count(there, 'members where project_id = $1', [staying.live.projectId])).toBe(0)
  expect(await write(here, 'taken-back')).toBe(201)

  // `npm run scale -- --only move` kills it after every step.
  for (const step of ['hold writes', 'switch']) {
    expect([step, await cells.killedAfter(staying, step)]).toEqual([step, true])
    expect([step, await cells.activeIn(staying)]).toEqual([step, step === 'switch' ? 0 : 1])
    // A hold ends by itself.
    if (step === 'hold writes') await expect.poll(() => write(here, 'after-the-hold')).toBe(201)
  }
  const members = 'members where project_id = $1'
  const before = await count(here, members, [staying.live.projectId])
  const { result } = await cells.move(staying)
  expect(result).toMatchObject({ outcome: 'moved' })
  expect(await count(there, members, [staying.live.projectId])).toBe(before)
  await expect.poll(() => write(there, 'moved')).toBe(201)
  expect(await count(here, 'pg_replication_slots')).toBe(0)
  expect(await count(here, members, [staying.live.projectId])).toBe(before)
})
