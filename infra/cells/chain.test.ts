import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { COMMAND } from '#areas/projects/acts.ts'
import { deleteProject, restoreProject } from '#areas/projects/deletion.ts'
import { endMoves } from '#areas/projects/move/end-moves.schedule.ts'
import { resumeProject, suspendProject } from '#areas/projects/suspension.ts'
import { countUsage } from '#areas/projects/usage/count-usage.schedule.ts'
import { usageOf } from '#areas/projects/usage/usage.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import {
  listForeignSigningKeys,
  revokeSigningKey,
  rotateSigningKey,
  SIGNING_KEYS_PURPOSE,
} from '#platform/tokens/rotate-signing-key.ts'
import type { TestApi } from '#testkit/api.ts'
import { askProof } from '#testkit/areas/money/prove-money.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import {
  ageKeys,
  type ChainCell,
  giveKeys,
  moveTo,
  openChain,
  removeOldCopy,
  sidesOf,
} from './chain.fixture.ts'

// A project that moves from A to B, on to C, and back to A.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let cells: ChainCell[]
let a: ChainCell
let b: ChainCell
let c: ChainCell
let moving: TestProject
let staying: TestProject
/** Made in B. */
let local: TestProject

beforeAll(async () => {
  cells = await openChain(['a', 'b', 'c'])
  ;[a, b, c] = cells as [ChainCell, ChainCell, ChainCell]
  ;[moving, staying] = await makeProjects(a.api)
  ;[local] = await makeProjects(b.api)
  await giveKeys(moving, cells)
  await giveKeys(staying, cells)
})
afterAll(async () => {
  for (const { api } of cells ?? []) await api.close()
})

/** Whether somebody else, who knows a cell by its published keys alone, takes a token for one of the project that the cell `by` made. */
async function isVerifiedWith(keysOf: ChainCell, token: string, by: ChainCell): Promise<boolean> {
  const { body } = await keysOf.api.send<JSONWebKeySet>('GET', '/.well-known/jwks.json')
  const audience = toId('project', moving.live.projectId)
  return jwtVerify(token, createLocalJWKSet(body), { issuer: by.issuer, audience, typ: 'at+jwt' }).then(
    () => true,
    () => false,
  )
}
const profile = async ({ api }: ChainCell, token: string) =>
  (await api.send('GET', '/api/v1/user/profile', { key: token })).status
const soon = async (cell: ChainCell, token: string) => expect.poll(() => profile(cell, token), SOON).toBe(200)
const isTakenBy = ({ api }: ChainCell, token: string) =>
  api.deps.accessTokens.verify(token).then(
    () => true,
    () => false,
  )
const rotate = ({ operators, config }: TestApi) =>
  rotateSigningKey({ pool: operators, box: makeProjectBox(config, SIGNING_KEYS_PURPOSE) })
/** Logged in where the project lives. */
async function signInAt(cell: ChainCell): Promise<string> {
  const { body } = await cell.api.send<{ session: { access_token: string; refresh_token: string } }>(
    'POST',
    '/api/v1/auth/refresh',
    { key: moving.live.key, body: { refresh_token: refreshToken } },
  )
  refreshToken = body.session.refresh_token
  return body.session.access_token
}
let refreshToken: string
const tokens: [token: string, by: ChainCell][] = []
const foreignEnds = async ({ api }: ChainCell) =>
  new Map(
    (await listForeignSigningKeys(api.operators)).map(({ id, published_until }) => [id, published_until]),
  )
const kidOf = (token: string) => String(decodeProtectedHeader(token).kid)

test('tokens of the old cell, also those of before a rotation of its key, are verified with the keys of the new cell, and only for projects that came from there', async () => {
  const visitor = await moving.live.signIn()
  const other = await staying.live.signIn()
  refreshToken = visitor.refreshToken
  await rotate(a.api)
  await expect
    .poll(async () => kidOf((await moving.live.signIn()).token), SOON)
    .not.toBe(kidOf(visitor.token))
  tokens.push([visitor.token, a], [await signInAt(a), a])
  expect(kidOf(tokens[0]?.[0] ?? '')).not.toBe(kidOf(tokens[1]?.[0] ?? ''))
  await moveTo(moving, a, b)
  for (const [token, by] of tokens) {
    await soon(b, token)
    await soon(a, token)
    expect(await isVerifiedWith(b, token, by)).toBe(true)
  }
  // The key is known, and speaks for no other project: neither for one of its own cell that stayed, nor for one of this cell.
  expect(await isTakenBy(a, other.token)).toBe(true)
  expect(await isTakenBy(b, other.token)).toBe(false)
  const forged = await a.api.deps.accessTokens.issue({
    ...{ projectId: local.live.projectId, memberId: newUuid(), sessionId: newUuid() },
    ...{ role: 'admin', aal: 'aal1', amr: [] },
  })
  expect(await isTakenBy(b, forged.token)).toBe(false)
  expect(await profile(b, forged.token)).toBe(401)
  tokens.push([await signInAt(b), b])
  // The old address tells of the keys of the new cell.
  expect(await isVerifiedWith(a, tokens.at(-1)?.[0] ?? '', b)).toBe(true)
})

test('after a second move the tokens of both cells before are verified with the keys of the third, and no key lives longer for it', async () => {
  const atB = await foreignEnds(b)
  await moveTo(moving, b, c)
  tokens.push([await signInAt(c), c])
  for (const [token, by] of tokens) {
    for (const cell of [c, b, a]) await soon(cell, token)
    for (const cell of [c, a]) expect(await isVerifiedWith(cell, token, by)).toBe(true)
  }
  const atC = await foreignEnds(c)
  expect(atB.size).toBe(2)
  for (const [id, until] of atB) expect(atC.get(id)).toBe(until)
})

test('after it came back all tokens go on, and a key that is revoked where it was made, and where it went, ends', async () => {
  await removeOldCopy(moving, a)
  await moveTo(moving, c, a)
  for (const [token, by] of tokens) {
    for (const cell of cells) await soon(cell, token)
    expect(await isVerifiedWith(a, token, by)).toBe(true)
  }
  const [token = ''] = tokens.find(([, by]) => by === c) ?? []
  expect((await revokeSigningKey(c.api.operators, kidOf(token))).cells).toContain('a')
  expect(await isTakenBy(a, token)).toBe(true)
  expect((await revokeSigningKey(a.api.operators, kidOf(token))).revoked).toBe(true)
  await expect.poll(() => isTakenBy(a, token), SOON).toBe(false)
  expect(await isVerifiedWith(a, token, c)).toBe(false)
  expect((await revokeSigningKey(a.api.operators, kidOf(token))).revoked).toBe(false)
})

test('once their hour is over the keys of other cells go, and their tokens with them', async () => {
  const [token = ''] = tokens.find(([, by]) => by === b) ?? []
  expect(await isTakenBy(a, token)).toBe(true)
  await a.api.owner.query("update foreign_signing_keys set published_until = now() - interval '1 second'")
  await expect.poll(() => isTakenBy(a, token), SOON).toBe(false)
  await runSchedule(endMoves, a.api.config)
  expect((await a.api.owner.query('select from foreign_signing_keys')).rowCount).toBe(0)
  // Those that this cell has made itself go on.
  for (const [own] of tokens.filter(([, by]) => by === a)) expect(await isTakenBy(a, own)).toBe(true)
})

/** The usage of this month, by cell, of the live side. */
async function used() {
  for (const { api } of cells) {
    await api.deps.requestCounts.flush()
    await runSchedule(countUsage, api.config)
  }
  return Promise.all(
    cells.map(async ({ api }) => (await usageOf(api.operators, moving.project.id).catch(() => []))[0]?.live),
  )
}

test('bills are numbered on, the money adds up, and usage is counted once, in the cell where the project lives', async () => {
  const ask = (cell: ChainCell, path: string) =>
    cell.api.send('GET', `/api/v1${path}`, { key: moving.live.key })
  // All through the first address, which forwards.
  await expect.poll(async () => (await ask(a, '/members')).status, SOON).toBe(200)
  const { id: plan_id } = await moving.live.makePlan({ price: 10, currency: 'eur' })
  const sell = async () => {
    await expect.poll(async () => (await ask(a, '/members')).status, SOON).toBe(200)
    const { body } = await moving.live.admin.post<{ member: { id: string } }>('/members', {
      email: `${newUuid()}@example.com`,
    })
    const member_id = body.member.id
    await makeOrder(moving.live)
    const { status } = await moving.live.admin.post('/subscriptions', { member_id, plan_id })
    expect(status).toBe(201)
  }
  for (let n = 0; n < 3; n++) await sell()
  const [before] = await used()
  const { rows: counted } = await a.api.owner.query<{ requests: string; events: string }>(
    'select sum(requests) as requests, sum(events) as events from project_usage where side = $1',
    [moving.live.projectId],
  )
  expect(before?.requests).toBe(Number(counted[0]?.requests))
  await removeOldCopy(moving, b)
  await ageKeys(a)
  await moveTo(moving, a, b)
  const [left, moved] = await used()
  expect(left?.requests ?? 0).toBe(0)
  expect(moved?.requests).toBe(before?.requests)
  expect(moved).toMatchObject({ events: before?.events, active_members: before?.active_members })

  for (let n = 0; n < 2; n++) await sell()
  const [still, more] = await used()
  expect(still?.requests ?? 0).toBe(0)
  expect(Number(more?.requests)).toBeGreaterThan(Number(before?.requests))
  const numbersOf = async (table: string) =>
    (
      await b.api.owner.query<{ number: string }>(
        `select number from ${table} where project_id = $1 order by created_at, id`,
        [moving.live.projectId],
      )
    ).rows.map(({ number }) => number)
  const bills = (await numbersOf('bills')).map((number) => Number(/\d+$/.exec(number)?.[0]))
  expect(bills).toEqual([1, 2, 3, 4, 5])
  expect(new Set(await numbersOf('orders')).size).toBe(5)
  const proof = await askProof(b.api.owner, sidesOf(moving))
  expect(proof.breaches).toEqual([])
})

test('a project that is deleted while it moves stays where it is, and one that is suspended arrives suspended', async () => {
  const { operators } = a.api
  const deleted = await moveTo(staying, a, b, (step) =>
    step === 'copy files'
      ? deleteProject(operators, staying.project.id, COMMAND, { name: staying.project.name })
      : Promise.resolve(),
  ).catch((error) => error)
  expect(deleted).toMatchObject({ details: [{ field: 'id', message: expect.stringContaining('deleted') }] })
  const there = async () =>
    (await b.api.owner.query('select from projects where id = any ($1)', [sidesOf(staying)])).rowCount
  expect(await there()).toBe(0)
  await restoreProject(operators, staying.project.id, COMMAND)
  await moveTo(staying, a, b, (step) =>
    step === 'copy files' ? suspendProject(operators, staying.project.id, COMMAND) : Promise.resolve(),
  )
  const answer = async () =>
    (await b.api.send<{ code?: string }>('GET', '/api/v1/members', { key: staying.live.key })).body.code
  await expect.poll(answer, SOON).toBe('PROJECT_SUSPENDED')
  await resumeProject(b.api.operators, staying.project.id, COMMAND)
  await expect.poll(answer, SOON).toBe(undefined)
})
