import { beforeAll, describe, expect, test, vi } from 'vitest'
import { deliveryId, endpointId } from '#areas/webhooks/ids.ts'
import { parseId, toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { enrollApp } from '#testkit/areas/auth/passkeys.ts'
import { makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side, TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { LoggedEvent } from '../request-log/event-schema.ts'
import type { LoggedRequest, RequestTrace } from '../request-log/schema.ts'
import type { Overview } from './overview/schema.ts'
import type { FoundThing } from './search/schema.ts'
import type { TimelineEntry } from './timeline/schema.ts'

// What operators read of a project beside its lists.

let api: TestApi
let one: TestProject
let two: TestProject
let side: Side
let viewer: TestOperator
let stranger: TestOperator

withProjects((opened, first, second) => {
  api = opened
  one = first
  two = second
  side = one.live
})
beforeAll(async () => {
  viewer = await makeOperator(api)
  stranger = await makeOperator(api)
  await setRole(api, one.live.projectId, viewer.id, 'viewer')
  await setRole(api, two.live.projectId, stranger.id, 'owner')
})

const ask = async <T>(path: string, as = viewer) =>
  (await as.call<{ data: T; next_cursor?: string | null }>('GET', `/projects/${one.project.id}${path}`)).body
const requests = async (query = '') => (await ask<LoggedRequest[]>(`/requests${query}`)).data
/** The id of a member in whatever envelope. */
const memberIn = (body: unknown) => /mem_[0-9a-z]{26}/.exec(JSON.stringify(body))?.[0]
/** What the log has of a request, once it is written. */
const logged = (id: string, query = '') =>
  vi.waitFor(async () => {
    const [found] = await requests(`?request_id=${id}${query}`)
    expect(found).toBeDefined()
    return found as LoggedRequest
  }, SOON)

test.each([
  '/overview',
  '/events',
  '/events/evt_01jcq3k8f7e8qtk4m3hbw7rn2j',
  '/requests',
  '/requests/req_x',
  '/search?q=x',
  `/members/mem_01jcq3k8f7e8qtk4m3hbw7rn2d/timeline`,
])('an operator without a role in the project finds no project at %s', async (path) => {
  expect(refusalOf(await stranger.call('GET', `/projects/${one.project.id}${path}`))).toBe('404 NOT_FOUND')
})

describe('the request log', () => {
  test('has each request with its key, its error and its time, and nothing of its body', async () => {
    const email = `logged${Date.now()}@example.com`
    const { key, id: key_id } = await side.makeKey({ permissions: ['write:members'] })
    const post = (of: Side, body: object) => of.as(key).post('/members', body)
    const made = await post(side, { email })
    const refused = await post(side, { email: 'nobody' })
    const id = (answer: { headers: Record<string, string | undefined> }) =>
      answer.headers['x-request-id'] ?? ''
    expect(await logged(id(made))).toMatchObject({
      method: 'POST',
      route: '/api/v1/members',
      status: 201,
      code: null,
      key_id,
    })
    const error = await logged(id(refused))
    expect(error).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      key_id,
      member_id: null,
      operator_id: null,
    })
    expect(Date.now() - Date.parse(error.at)).toBeLessThan(60_000)
    const failed = await requests(`?status_class=failed&key_id=${key_id}`)
    expect(failed.map(({ status }) => status)).toEqual([422])
    expect(await requests(`?code=VALIDATION_ERROR&key_id=${key_id}&method=GET`)).toEqual([])
    const { rows } = await api.owner.query<{ text: string }>(
      'select r::text as text from request_log r where project_id = $1',
      [side.projectId],
    )
    expect(rows.map(({ text }) => text).join()).not.toContain(email)
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('shows another project’s requests to nobody, and those of the other side where it is asked for', async () => {
    const answer = await two.live.admin.get('/members')
    const mine = await one.test.admin.get('/plans')
    const id = mine.headers['x-request-id'] ?? ''
    expect(await logged(id, '&environment=test')).toMatchObject({ route: '/api/v1/plans' })
    expect(await requests(`?request_id=${id}`)).toEqual([])
    expect(await requests(`?request_id=${answer.headers['x-request-id']}`)).toEqual([])
  })

  test('has requests of operators only where they are asked for', async () => {
    const token = await viewer.tokenFor(one.project.id)
    const answer = await side.as(token).get('/members')
    const id = answer.headers['x-request-id'] ?? ''
    expect(await logged(id, '&include_operators=true')).toMatchObject({
      operator_id: viewer.publicId,
      key_id: null,
    })
    expect(await requests(`?request_id=${id}`)).toEqual([])
  })

  test('pages by cursors, the newest first, without a gap or a double', async () => {
    const { key, id } = await side.makeKey({ permissions: ['read:plans'] })
    for (let i = 0; i < 5; i++) await side.as(key).get('/plans')
    await vi.waitFor(async () => expect(await requests(`?key_id=${id}`)).toHaveLength(5), SOON)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const path: string = `/projects/${one.project.id}/requests?key_id=${id}&limit=2${cursor && `&cursor=${cursor}`}`
      const { body } = await viewer.call<{
        data: LoggedRequest[]
        pagination: { next_cursor: string | null }
      }>('GET', path)
      seen.push(...body.data.map(({ id: each }) => each))
      cursor = body.pagination.next_cursor
    }
    expect(seen).toEqual((await requests(`?key_id=${id}`)).map(({ id: each }) => each))
    expect(new Set(seen).size).toBe(5)
  })

  test('leads from a request to its events and its background work', async () => {
    const answer = await side.admin.post<{ id: string }>('/members', {
      email: `traced${Date.now()}@example.com`,
    })
    const id = answer.headers['x-request-id'] ?? ''
    await logged(id)
    const { data } = await ask<RequestTrace>(`/requests/${id}`)
    expect(data.requests).toMatchObject([{ id, status: 201 }])
    expect(data.events.map(({ type, member_id }) => [type, member_id])).toContainEqual([
      'member.created',
      memberIn(answer.body),
    ])
    expect(refusalOf(await viewer.call('GET', `/projects/${one.project.id}/requests/req_nobodys`))).toBe(
      '404 NOT_FOUND',
    )
  })
})

test('the overview counts what there is, and what each day has', async () => {
  const before = (await ask<Overview>('/overview')).data
  await side.makeMember()
  await side.admin.post('/webhooks', { url: 'https://example.com/hook', events: ['*'] })
  const after = (await ask<Overview>('/overview')).data
  expect(after.members.total).toBe(before.members.total + 1)
  expect(after.webhooks.endpoints).toBe(before.webhooks.endpoints + 1)
  expect(after.days).toHaveLength(30)
  expect(after.days.at(-1)?.sign_ups).toBe((before.days.at(-1)?.sign_ups ?? 0) + 1)
})

describe('the search', () => {
  const find = async (q: string) => (await ask<FoundThing[]>(`/search?q=${encodeURIComponent(q)}`)).data

  test('opens what is pasted: an id, an address, a number of an order, the id of a request', async () => {
    const { client, id: member } = await makeCustomer(side)
    const product = await makeProduct(side, { name: 'Searched clay' })
    await client.post('/shop/cart', { product_id: product.id })
    const order = (await client.post<{ data: { id: string; number: string } }>('/shop/checkout', {})).body
      .data
    const { email } = (await side.admin.get<{ data: { email: string } }>(`/members/${member}`)).body.data
    const listed = await side.admin.get('/plans')
    const request = listed.headers['x-request-id'] ?? ''
    await logged(request)
    const [plan] = (listed.body as { data: { id: string; name: string }[] }).data
    expect(await find(member)).toMatchObject([{ type: 'member', id: member, exact: true }])
    expect(await find(order.id)).toMatchObject([
      { type: 'order', id: order.id, title: order.number, exact: true, parent_id: null },
    ])
    expect((await find(order.number))[0]).toMatchObject({ type: 'order', id: order.id, exact: true })
    expect((await find(email))[0]).toMatchObject({ type: 'member', id: member, exact: true })
    expect(await find(request)).toMatchObject([{ type: 'request', id: request, exact: true }])
    expect(await find('searched cl')).toContainEqual(
      expect.objectContaining({ type: 'product', id: product.id }),
    )
    expect(await find(plan?.name ?? '')).toContainEqual(
      expect.objectContaining({ type: 'plan', id: plan?.id }),
    )
  })

  test('finds nothing of another project', async () => {
    const { id, email } = await two.live.makeMember()
    expect(await find(id)).toEqual([])
    expect(await find(email)).toEqual([])
  })

  test.each(["'", '%', '\\', '_', '-', '"', '😀', 'mem_', 'req_', '#9999999999', 'a'.repeat(200)])(
    'takes %s',
    async (q) => {
      expect(
        (await viewer.call('GET', `/projects/${one.project.id}/search?q=${encodeURIComponent(q)}`)).status,
      ).toBe(200)
    },
  )
})

test('the timeline of a member has events, orders, sessions and acts with their causes, the newest first', async () => {
  const { client, id: member } = await makeCustomer(side)
  const product = await makeProduct(side)
  await client.post('/shop/cart', { product_id: product.id })
  const order = (await client.post<{ data: { id: string; number: string } }>('/shop/checkout', {})).body.data
  const { sessionId } = await side.signIn(member)
  const changed = await side.admin.patch(`/members/${member}`, { full_name: 'Ada Lovelace' })
  const path = `/members/${member}/timeline`
  const { data } = await ask<TimelineEntry[]>(path)
  expect(data.map(({ at }) => at)).toEqual(
    data
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  expect(data).toContainEqual(expect.objectContaining({ kind: 'order', id: order.id, title: order.number }))
  expect(data).toContainEqual(expect.objectContaining({ kind: 'session', id: sessionId }))
  const update = data.find(({ title }) => title === 'member.updated')
  expect(update?.cause.request_id).toBe(changed.headers['x-request-id'])
  const paged: TimelineEntry[] = []
  let cursor: string | null | undefined = ''
  while (cursor !== null && cursor !== undefined) {
    const page: { data: TimelineEntry[]; next_cursor?: string | null } = await ask<TimelineEntry[]>(
      `${path}?limit=2${cursor && `&cursor=${cursor}`}`,
    )
    paged.push(...page.data)
    cursor = page.next_cursor
  }
  expect(paged).toEqual(data)
  expect((await ask<TimelineEntry[]>(`${path}?kinds=session`)).data.map(({ kind }) => kind)).toEqual([
    'session',
  ])
  // What a viewer sees says nothing of factors.
  expect((await ask<TimelineEntry[]>(`${path}?kinds=session`)).data.map(({ title }) => title)).toEqual([
    'log_in',
  ])
  const { id: theirs } = await two.live.makeMember()
  expect(refusalOf(await viewer.call('GET', `/projects/${one.project.id}/members/${theirs}/timeline`))).toBe(
    '404 NOT_FOUND',
  )
})

test('a viewer is shown no event that says how a member logs in, and an admin is', async () => {
  const admin = await makeOperator(api)
  await setRole(api, one.live.projectId, admin.id, 'admin')
  const as = async (who: TestOperator) => side.as(await who.tokenFor(one.project.id))
  const [asViewer, asAdmin] = [await as(viewer), await as(admin)]
  const { id: member } = await side.makeMember()
  await enrollApp(side.as((await side.signIn(member)).token))
  const types = async (by: typeof asViewer, path: string) =>
    (await by.get<{ data: { type: string }[] }>(path)).body.data.map(({ type }) => type)
  const log = `/members/${member}/events`
  expect(await types(asAdmin, log)).toContain('member.mfa_enabled')
  expect(await types(asViewer, log)).toEqual(['member.created'])
  expect(await types(asViewer, '/events?type=member.mfa_enabled')).toEqual([])
  expect(await types(asViewer, '/events?type=member.*')).toContain('member.created')
  const titles = (await ask<TimelineEntry[]>(`/members/${member}/timeline?kinds=event`)).data
  expect(titles.map(({ title }) => title)).toEqual(['member.created'])
  const { data: all } = await ask<TimelineEntry[]>(`/members/${member}/timeline?kinds=event`, admin)
  const request = all.find(({ title }) => title === 'member.mfa_enabled')?.cause.request_id ?? ''
  const trace = async (by: TestOperator) => (await ask<RequestTrace>(`/requests/${request}`, by)).data.events
  expect((await trace(admin)).map(({ type }) => type)).toEqual(['member.mfa_enabled'])
  await logged(request)
  expect(await trace(viewer)).toEqual([])
  const { body: hook } = await side.admin.post<{ data: { id: string } }>('/webhooks', {
    url: 'https://example.com/viewed',
    events: ['*'],
  })
  const [{ id: delivery } = { id: '' }] = (
    await api.owner.query<{ id: string }>(
      `insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, state, finished_at)
       select project_id, gen_random_uuid(), $2, id, type, 'failed', now() from events
       where project_id = $1 and member_id = $3 and type = 'member.mfa_enabled' returning id`,
      [side.projectId, parseId(endpointId, hook.data.id), parseId('member', member)],
    )
  ).rows
  const path = `/webhooks/deliveries/${toId(deliveryId, delivery)}`
  const detail = async (by: typeof asViewer) =>
    (await by.get<{ data: { event: { data: object } } }>(path)).body.data.event.data
  expect(await detail(asAdmin)).toMatchObject({ factor: { type: 'totp' } })
  expect(await detail(asViewer)).toEqual({})
})

test('the audit log is filtered by actor, action, target and time, pages without a gap, and names operators', async () => {
  const [owner, admin] = [await makeOperator(api), await makeOperator(api)]
  await setRole(api, one.live.projectId, owner.id, 'owner')
  await setRole(api, one.live.projectId, admin.id, 'admin')
  interface Act {
    readonly at: string
    readonly action: string
    readonly actor_id: string
    readonly actor_name: string | null
    readonly target: string
  }
  interface Paged<T> {
    readonly data: readonly T[]
    readonly pagination: { readonly next_cursor: string | null }
  }
  const log = async (query = '') => ask<Act[]>(`/audit-log?${query}`, admin)
  const rename = (name: string) => admin.call('PATCH', `/projects/${one.project.id}`, { name })
  for (const name of ['First', 'Second', one.project.name]) expect((await rename(name)).status).toBe(200)
  const path = `/projects/${one.project.id}/team/${viewer.publicId}`
  await owner.call('PATCH', path, { role: 'admin' })
  await owner.call('PATCH', path, { role: 'viewer' })
  const { data: byOwner } = await log(`actor_id=${owner.publicId}`)
  expect(byOwner.map(({ action, target, actor_name }) => [action, target, actor_name])).toEqual([
    ['team.role', viewer.publicId, owner.email],
    ['team.role', viewer.publicId, owner.email],
  ])
  expect((await log(`action=team.*&target=${viewer.publicId}`)).data).toEqual(byOwner)
  const { data: renamed } = await log(`action=project.rename&actor_id=${admin.publicId}`)
  expect(renamed).toHaveLength(3)
  expect((await log(`action=project&actor_id=${admin.publicId}`)).data).toEqual([])
  const [newest, , oldest] = renamed
  // Times are shown in milliseconds and compared in microseconds.
  const after = new Date(Date.parse(oldest?.at ?? '') + 1).toISOString()
  const before = new Date(Date.parse(newest?.at ?? '') - 1).toISOString()
  const between = `start_date=${after}&end_date=${before}&actor_id=${admin.publicId}`
  expect((await log(between)).data).toEqual(renamed.slice(1, 2))
  const today = newest?.at.slice(0, 10)
  const ofToday = await log(`start_date=${today}&end_date=${today}&actor_id=${admin.publicId}&order=asc`)
  expect(ofToday.data.filter(({ action }) => action === 'project.rename')).toEqual(renamed.toReversed())
  expect((await log('end_date=2020-01-01')).data).toEqual([])
  const { data: all } = await log()
  for (const order of ['desc', 'asc']) {
    const paged: Act[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: Paged<Act> } = await admin.call<Paged<Act>>(
        ...([
          'GET',
          `/projects/${one.project.id}/audit-log?order=${order}&limit=2${cursor && `&cursor=${cursor}`}`,
        ] as const),
      )
      paged.push(...body.data)
      cursor = body.pagination.next_cursor
    }
    expect(paged).toEqual(order === 'desc' ? all : all.toReversed())
  }
  expect(refusalOf(await admin.call('GET', `/projects/${one.project.id}/audit-log?cursor=x`))).toBe(
    '400 INVALID_PARAMETERS',
  )
})

describe('the log of events', () => {
  test('has the newest first with the request that caused it, and each event with what webhooks get', async () => {
    const { body, headers } = await side.admin.post('/members', { email: 'logged@example.com' })
    const id = memberIn(body)
    await side.admin.patch(`/members/${id}`, { full_name: 'Ada' })
    const events = (await ask<LoggedEvent[]>(`/events?member_id=${id}`)).data
    expect(events.map(({ type }) => type)).toEqual(['member.updated', 'member.created'])
    expect(events.map(({ member_id }) => member_id)).toEqual([id, id])
    expect(events[1]?.request_id).toBe(headers['x-request-id'])
    const { data } = await ask<{ data: object; deliveries: object[] }>(`/events/${events[1]?.id}`)
    expect(data).toMatchObject({ ...events[1], data: { id, email: 'logged@example.com' }, deliveries: [] })
    const created = (await ask<LoggedEvent[]>(`/events?member_id=${id}&type=member.created`)).data
    expect(created).toEqual([events[1]])
    const oldest = (await ask<LoggedEvent[]>(`/events?member_id=${id}&sort=timestamp&order=asc`)).data
    expect(oldest).toEqual(events.toReversed())
    const elsewhere = `/projects/${two.project.id}/events/${events[1]?.id}`
    expect(refusalOf(await stranger.call('GET', elsewhere))).toBe('404 NOT_FOUND')
  })
})
