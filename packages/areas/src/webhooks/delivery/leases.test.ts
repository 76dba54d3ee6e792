import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPool } from '#platform/db/pool.ts'
import { parseId } from '#platform/ids.ts'
import { detailOf, registerEndpoint, sendTest } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { endpointId as webhookEndpointId } from '../ids.ts'
import { type Claimed, claim } from './claim.ts'
import { type AttemptResult, record, release, renew } from './record.ts'

// Workers meet in the database alone: here two of them are two tokens.

const LEASE_MS = 60_000

let env: DeliveryEnvironment
let pool: Pool
let endpointId: string
let publicId: string

beforeAll(async () => {
  env = await startDeliveryEnvironment('postgres')
  pool = openPool(env.api.config, { role: 'webhooks', size: 4, onError: () => undefined })
})
afterAll(async () => {
  await pool.end()
  await env.close()
})
beforeEach(async () => {
  publicId = (await registerEndpoint(env.one)).id
  endpointId = parseId(webhookEndpointId, publicId) ?? ''
})

/** Claims as a worker of that token does. */
async function claimAs(token: string, limit = 10): Promise<Claimed[]> {
  const request = { projectId: env.one.projectId, endpointId, token, limit }
  const [claimed] = await claim(pool, [request], LEASE_MS)
  return [...(claimed?.deliveries ?? [])]
}

const resultOf = (delivery: Claimed, token: string, more: Partial<AttemptResult> = {}): AttemptResult => ({
  projectId: env.one.projectId,
  deliveryId: delivery.id,
  token,
  state: 'delivered',
  delay: 0,
  fifo: false,
  status: 200,
  error: null,
  durationMs: 12,
  headers: null,
  body: null,
  ...more,
})

const expireLeases = () =>
  env.sql('update webhook_deliveries set lease_until = now() where lease_until is not null')
const makeDue = async (count: number) => {
  for (let i = 0; i < count; i++) await sendTest(env.one, publicId)
}

describe('a delivery that a worker holds', () => {
  test('is nobody else’s until the lease ends, and then the next one’s', async () => {
    await makeDue(1)
    const [first, second] = [randomUUID(), randomUUID()]
    expect(await claimAs(first)).toHaveLength(1)
    expect(await claimAs(second)).toHaveLength(0)
    expect(await claimAs(first)).toHaveLength(0)
    await expireLeases()
    expect(await claimAs(second)).toHaveLength(1)
  })

  test('is not claimed again by its own run after the lease: the run still sends it', async () => {
    await makeDue(2)
    const token = randomUUID()
    const [leased] = await claimAs(token, 1)
    await expireLeases()
    const more = await claimAs(token)
    expect(more).toHaveLength(1)
    expect(more).not.toContainEqual(leased)
  })

  test('is recorded by whoever holds it: a worker that lost its lease records nothing', async () => {
    const { id } = await sendTest(env.one, publicId)
    const [slow, quick] = [randomUUID(), randomUUID()]
    const [leased] = await claimAs(slow)
    await expireLeases()
    const [taken] = await claimAs(quick)
    if (!leased || !taken) throw new Error('both claimed it')
    const late = resultOf(leased, slow, { state: 'failed', status: 500 })
    expect(await record(pool, [late])).toMatchObject([{ accepted: false }])
    expect(await detailOf(env.one, id)).toMatchObject({
      status: 'sending',
      attempt_count: 0,
      attempts: [],
    })
    expect(await record(pool, [resultOf(taken, quick)])).toMatchObject([{ accepted: true }])
    // Nor does it once it is all over.
    expect(await record(pool, [late])).toMatchObject([{ accepted: false }])
    expect(await record(pool, [resultOf(taken, quick)])).toMatchObject([{ accepted: false }])
    const detail = await detailOf(env.one, id)
    expect(detail).toMatchObject({ status: 'delivered', attempt_count: 1, last_status: 200 })
    expect(detail.attempts).toHaveLength(1)
  })

  test('can be recorded after the lease as long as nobody took it: no answer is lost to a slow database', async () => {
    await makeDue(1)
    const token = randomUUID()
    const [leased] = await claimAs(token)
    if (!leased) throw new Error('it is due')
    await expireLeases()
    expect(await record(pool, [resultOf(leased, token)])).toMatchObject([{ accepted: true }])
  })

  test('stays leased while it is renewed, and is due at once when it is released', async () => {
    await makeDue(1)
    const [first, second] = [randomUUID(), randomUUID()]
    const [leased] = await claimAs(first)
    if (!leased) throw new Error('it is due')
    const mine = { projectId: env.one.projectId, deliveryId: leased.id, token: first }
    await expireLeases()
    expect(await renew(pool, [mine], LEASE_MS)).toEqual(new Set([leased.id]))
    expect(await claimAs(second)).toHaveLength(0)
    expect(await renew(pool, [{ ...mine, token: second }], LEASE_MS)).toEqual(new Set())
    await release(pool, [{ ...mine, token: second }])
    expect(await claimAs(second)).toHaveLength(0)
    await release(pool, [mine])
    expect(await claimAs(second)).toHaveLength(1)
  })
})

describe('claims of several workers for one endpoint', () => {
  test('never share a delivery, and count what the others hold as in flight', async () => {
    await makeDue(12)
    const tokens = Array.from({ length: 8 }, () => randomUUID())
    const claims = await Promise.all(tokens.map((token) => claimAs(token, 2)))
    const ids = claims.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    // Two, two and two: with five or more of others in flight there is no room.
    expect(ids.length).toBe(6)
  })

  test('find room again soon after another worker has fallen silent, for what it does not hold', async () => {
    await makeDue(15)
    const [silent, next] = [randomUUID(), randomUUID()]
    const leased = (await claimAs(silent)).map(({ id }) => id)
    expect(await claimAs(next)).toHaveLength(0)
    await env.sql(
      `update webhook_deliveries set lease_until = now() + interval '30 seconds' where lease_until is not null`,
    )
    const free = (await claimAs(next)).map(({ id }) => id)
    expect(free).toHaveLength(5)
    expect(free.filter((id) => leased.includes(id))).toEqual([])
  })

  test('in fifo mode wait for the whole lease: what comes later must not pass what is leased', async () => {
    await makeDue(15)
    // Nobody relays here, and fifo mode waits for what is still to be relayed.
    await env.sql('delete from outbox')
    await env.one.admin.patch(`/webhooks/${publicId}`, { fifo: true })
    const [silent, next] = [randomUUID(), randomUUID()]
    await claimAs(silent)
    await env.sql(
      `update webhook_deliveries set lease_until = now() + interval '1 second' where lease_until is not null`,
    )
    expect(await claimAs(next)).toHaveLength(0)
    await expireLeases()
    expect((await claimAs(next)).length).toBeGreaterThan(0)
  })

  test('are refused together with the endpoint’s disabling', async () => {
    await makeDue(1)
    await env.one.admin.post(`/webhooks/${publicId}/disable`)
    expect(await claimAs(randomUUID())).toHaveLength(0)
    await env.one.admin.post(`/webhooks/${publicId}/enable`)
    expect(await claimAs(randomUUID())).toHaveLength(1)
  })
})

test('first attempts come before retries, each oldest first', async () => {
  await makeDue(4)
  const all = await env.sql<{ id: string }>(
    'select id from webhook_deliveries where endpoint_id = $1 order by due_at',
    [endpointId],
  )
  const [a, b, c, d] = all.map(({ id }) => id)
  await env.sql(`update webhook_deliveries set is_retry = true where id = any ($1::uuid[])`, [[a, c]])
  expect((await claimAs(randomUUID())).map(({ id }) => id)).toEqual([b, d, a, c])
})

test('what receivers say is stored whatever it is made of', async () => {
  const { id } = await sendTest(env.one, publicId)
  const token = randomUUID()
  const [leased] = await claimAs(token)
  if (!leased) throw new Error('it is due')
  const body = '{"a":"\\u0000", \'"{}},NULL\\\\ \ufffd </script>\n'
  const headers = JSON.stringify({ 'x-odd': '"\\{},\u00ff' })
  await record(pool, [resultOf(leased, token, { body, headers })])
  expect((await detailOf(env.one, id)).attempts).toMatchObject([
    { response_body: body, response_headers: { 'x-odd': '"\\{},\u00ff' } },
  ])
})
