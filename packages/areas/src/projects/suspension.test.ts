import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTicket } from '#areas/stream/stream.fixture.ts'
import { defineQuery } from '#platform/db/query.ts'
import { whatIsDue } from '#platform/jobs/schedules/due-work.ts'
import { enqueueDueWork } from '#platform/jobs/schedules/work-off-due.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeStripeAccount, payWith, type ShownPayment, sendNotice } from '#testkit/areas/money/payments.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import { deliveriesOf, registerEndpoint } from '#testkit/areas/webhooks.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { listenTo } from '#testkit/listen.ts'
import { connectSaml } from '#testkit/servers/saml-idp.ts'
import { SOON } from '#testkit/soon.ts'
import { type StripeServer, startStripe } from '#testkit/stripe/server.ts'
import { within } from '#testkit/within.ts'
import { COMMAND } from './acts.ts'
import { createProject, listProjects } from './service.ts'
import { resumeProject, suspendProject } from './suspension.ts'

let env: DeliveryEnvironment
let stripe: StripeServer
/** Another process on the same database. */
let second: TestApi

beforeAll(async () => {
  stripe = await startStripe()
  env = await startDeliveryEnvironment('postgres', { STRIPE_API_URL: stripe.url })
  second = await startApi({ database: env.api.database, environment: env.environment })
  env.startWorker()
})
afterAll(async () => {
  await second.close()
  await env.close()
  await stripe.close()
})

const newProjects = () => makeProjects(env.api)
const suspend = ({ project }: TestProject, reason?: string) =>
  suspendProject(env.api.operators, project.id, COMMAND, { reason })
const resume = ({ project }: TestProject) => resumeProject(env.api.operators, project.id, COMMAND)
/** What the other process answers, in one word. */
const answer = async (path: string, key: string) => {
  const { status, body } = await second.send<{ code?: string }>('GET', `/api/v1${path}`, { key })
  return body.code ?? status
}
const SUSPENDED = 'PROJECT_SUSPENDED'

test('keys and tokens of both environments answer 403 within a second in another process, and work again when it is resumed', async () => {
  const [one, other] = await newProjects()
  const { key: pk } = await one.live.makeKey({ type: 'public' })
  const { token } = await one.test.signIn()
  const asked = () =>
    Promise.all([
      answer('/api-keys/self', one.live.key),
      answer('/api-keys/self', one.test.key),
      answer('/api-keys/self', pk),
      answer('/user/profile', token),
    ])
  expect(await asked()).toEqual([200, 200, 200, 200])
  await suspend(one)
  await within(1_000, async () => expect(await asked()).toEqual(Array(4).fill(SUSPENDED)))
  expect(await answer('/api-keys/self', other.live.key)).toBe(200)
  await resume(one)
  await within(1_000, async () => expect(await asked()).toEqual([200, 200, 200, 200]))
})

test('a project that is suspended while no process hears of changes is refused within a second', async () => {
  const [one] = await newProjects()
  expect(await answer('/api-keys/self', one.live.key)).toBe(200)
  await env.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'guildhall changes'",
  )
  await suspend(one)
  await within(1_000, async () => expect(await answer('/api-keys/self', one.live.key)).toBe(SUSPENDED))
})

test('public pages of a suspended project answer 403', async () => {
  const [one] = await newProjects()
  const { live } = one
  const { id } = await connectSaml(live)
  const page = `/auth/sso/${id}/metadata`
  const before = await second.send('GET', `/api/v1${page}`)
  expect(before.status).toBe(200)
  await suspend(one)
  await within(1_000, async () => {
    const { status, body } = await second.send<{ code: string }>('GET', `/api/v1${page}`)
    expect([status, body.code]).toEqual([403, SUSPENDED])
  })
})

test('open streams of a suspended project end within a second with the reason, and no ticket opens another', async () => {
  const [one, other] = await newProjects()
  const { token } = await one.live.signIn()
  const { url } = second
  const byKey = await listenTo(url, { topics: ['events'], key: one.live.key })
  const byToken = await listenTo(url, { topics: ['notifications'], key: token })
  const elsewhere = await listenTo(url, { topics: ['events'], key: other.live.key })
  const { ticket } = (await askTicket(one.live, token, ['notifications'])).body.data
  await suspend(one)
  for (const stream of [byKey, byToken]) {
    await within(1_000, () => expect(stream.isOver()).toBe(true))
    expect(stream.events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'project_suspended' } })
  }
  const late = await listenTo(url, { ticket })
  expect([late.status, (await late.body)?.code]).toEqual([403, SUSPENDED])
  expect(elsewhere.isOver()).toBe(false)
})

test('webhooks rest with their project: no attempt is used up, no endpoint fails meanwhile, and they go on in order', async () => {
  const [one, other] = await newProjects()
  const mailbox = await env.mailbox()
  const beside = await env.mailbox()
  const endpoint = await registerEndpoint(one.live, {
    url: mailbox.url,
    events: ['member.created'],
    fifo: true,
  })
  await registerEndpoint(other.live, { url: beside.url, events: ['member.created'] })
  mailbox.answer = (_, response) => response.writeHead(500).end()
  const first = await one.live.makeMember()
  await expect.poll(() => mailbox.received.length, SOON).toBe(1)
  await expect.poll(async () => (await deliveriesOf(one.live, endpoint.id))[0]?.attempt_count, SOON).toBe(1)
  await suspend(one)
  // What an operator's own tools write meanwhile waits, too.
  const [next, last] = [await one.live.makeMember(), await one.live.makeMember()]
  const aDayAgo = "now() - interval '1 day'"
  await env.sql(
    `update webhook_endpoints set blocked_until = ${aDayAgo}, failing_since = ${aDayAgo} - interval '1 hour'
     where project_id = $1`,
    [one.live.projectId],
  )
  await env.sql(`update projects set suspended_at = ${aDayAgo} where live_id = $1`, [one.live.projectId])
  mailbox.answer = (_, response) => response.end('ok')
  // The worker has looked for due work since.
  await other.live.makeMember()
  await expect.poll(() => beside.received.length, SOON).toBe(1)
  await expect
    .poll(() => env.sql('select from webhook_deliveries where project_id = $1', [one.live.projectId]), SOON)
    .toHaveLength(3)
  expect(mailbox.received.length).toBe(1)
  await resume(one)
  const [{ hours } = { hours: 0 }] = await env.sql<{ hours: number }>(
    `select extract(epoch from now() - failing_since)::float8 / 3600 as hours from webhook_endpoints
     where project_id = $1`,
    [one.live.projectId],
  )
  expect(hours).toBeCloseTo(1, 1)
  await expect.poll(() => mailbox.received.length, SOON).toBe(4)
  expect(mailbox.received.map(({ body }) => JSON.parse(body).data.id)).toEqual([
    first.id,
    first.id,
    next.id,
    last.id,
  ])
  await expect
    .poll(async () => (await deliveriesOf(one.live, endpoint.id)).map((each) => each.attempt_count), SOON)
    .toEqual([1, 1, 2])
})

const jobsOf = defineQuery(
  'test_jobs',
  () =>
    sql<{ state: string; attempts: number }>`select state, attempts from jobs where name = 'due.work-off'`,
)

test('jobs and work that is due rest with their project, and go on when it is resumed', async () => {
  const [one, other] = await newProjects()
  const work = {
    name: 'tests.due',
    next: async () => '2020-01-01T00:00:00.000Z',
    workOff: async () => undefined,
  }
  await suspend(one)
  for (const { live } of [one, other]) await live.write((ctx) => enqueueDueWork(ctx, work))
  const jobs = async ({ live }: TestProject) => (await live.read({ jobs: jobsOf() })).jobs
  await expect.poll(() => jobs(other), SOON).toEqual([{ state: 'done', attempts: 1 }])
  await expect.poll(() => jobs(one), SOON).toEqual([{ state: 'queued', attempts: 0 }])
  const due = ({ live }: TestProject) => live.write((ctx) => whatIsDue(ctx, [work]))
  // Renewals and reminders are such work: no money that is owed is taken.
  expect([await due(one), await due(other)]).toEqual([[], [work]])
  await resume(one)
  await expect.poll(() => jobs(one), SOON).toEqual([{ state: 'done', attempts: 1 }])
})

test('work of a project that lives in another cell is not done here, and goes on when the project is back', async () => {
  const [one, other] = await newProjects()
  const [mailbox, beside] = [await env.mailbox(), await env.mailbox()]
  await registerEndpoint(one.live, { url: mailbox.url, events: ['member.created'] })
  await registerEndpoint(other.live, { url: beside.url, events: ['member.created'] })
  const work = {
    name: 'tests.due',
    next: async () => '2020-01-01T00:00:00.000Z',
    workOff: async () => undefined,
  }
  const sides = [one.live.projectId, one.test.projectId]
  await env.sql("insert into cells (name, url, secret) values ('moved-work', 'http://127.0.0.1:9', '\\x00')")
  await one.live.write((ctx) => enqueueDueWork(ctx, work))
  await env.sql("insert into project_locations (id, cell) select unnest($1::uuid[]), 'moved-work'", [sides])
  await within(1_000, async () =>
    expect(await answer('/api-keys/self', one.live.key)).toBe('CELL_UNAVAILABLE'),
  )
  await env.sql("update jobs set state = 'queued', due_at = now() where project_id = $1", [
    one.live.projectId,
  ])
  await one.live.makeMember()
  await other.live.makeMember()
  await expect.poll(() => beside.received.length, SOON).toBe(1)
  expect(await one.live.write((ctx) => whatIsDue(ctx, [work]))).toEqual([])
  expect((await listProjects(env.api.operators)).find(({ id }) => id === one.project.id)?.state).toBe('moved')
  expect(mailbox.received).toEqual([])
  await env.sql('delete from project_locations where id = any ($1)', [sides])
  await env.sql("delete from cells where name = 'moved-work'")
  await expect.poll(() => mailbox.received.length, SOON).toBe(1)
  await within(1_000, async () => expect(await answer('/api-keys/self', one.live.key)).toBe(200))
})

test('a payment that ends while its project is suspended is noticed and kept: the order of an open checkout is paid', async () => {
  const [one] = await newProjects()
  const account = await makeStripeAccount(one.test)
  const { client } = await makeCustomer(one.test)
  const { id } = await makeProduct(one.test)
  await client.post('/shop/cart', { product_id: id })
  const { data: order } = (
    await client.post<{ data: { id: string; payment: ShownPayment } }>('/shop/checkout', {})
  ).body
  await suspend(one)
  await within(1_000, async () => expect((await client.get('/shop/orders')).status).toBe(403))
  payWith(stripe, order.payment, 'good')
  const notice = stripe.ledger.events.at(-1)
  expect(notice && (await sendNotice(env.api, account, notice))).toEqual([200, true])
  await resume(one)
  await within(1_000, async () => {
    const { body } = await client.get<{ data: { status: string } }>(`/shop/orders/${order.id}`)
    expect(body.data.status).toBe('paid')
  })
})

test('what waits in a suspended project does not expire, nor for a week after', async () => {
  const [one, other] = await newProjects()
  const age = async (projectId: string) =>
    env.sql(
      `insert into events (project_id, id, type, payload, occurred_at)
       select $1, app.uuid_v7(), 'member.created', '{}', now() - interval '40 days'`,
      [projectId],
    )
  await suspend(one)
  for (const { live } of [one, other]) await age(live.projectId)
  const seen = async ({ live }: TestProject) => {
    const client = await env.api.owner.connect()
    try {
      await client.query('begin')
      await client.query('set local role guildhall_housekeeper')
      const { rowCount } = await client.query('select from events where project_id = $1', [live.projectId])
      return rowCount
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  expect([await seen(one), await seen(other)]).toEqual([0, 1])
  await resume(one)
  expect(await seen(one)).toBe(0)
  await env.sql("update projects set resumed_at = now() - interval '8 days' where live_id = $1", [
    one.live.projectId,
  ])
  expect(await seen(one)).toBe(1)
})

test('suspending and resuming can be repeated, also at the same moment, and each change is noted once', async () => {
  const { id, live_audience } = await createProject(env.api.operators, { name: 'Twice', tier: 'free' })
  const both = await Promise.all([
    suspendProject(env.api.operators, id, COMMAND, { reason: 'Unpaid' }),
    suspendProject(env.api.operators, id, COMMAND),
  ])
  expect(both[0]).toEqual(both[1])
  expect((await listProjects(env.api.operators)).find((each) => each.id === id)?.state).toBe('suspended')
  await Promise.all([1, 2].map(() => resumeProject(env.api.operators, id, COMMAND)))
  const acts = await env.sql(
    'select action, reason, actor_id from project_acts where app.public_id($2, live_id) = $1 order by id',
    [live_audience, 'proj'],
  )
  expect(acts).toEqual(
    [
      { action: 'project.suspend', reason: 'Unpaid', actor_id: null },
      { action: 'project.resume', reason: null, actor_id: null },
    ].map((each) => expect.objectContaining({ action: each.action, actor_id: null })),
  )
  await expect(suspendProject(env.api.operators, 'proj_none', COMMAND)).rejects.toMatchObject({ status: 404 })
})
