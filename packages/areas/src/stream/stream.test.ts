import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginImport } from '#areas/community/community.fixture.ts'
import { exportId } from '#areas/exports/ids.ts'
import { failExport, requestExport } from '#areas/exports/service.ts'
import { toId } from '#platform/ids.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import { sendCsv } from '#testkit/areas/member-imports.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { type ListeningClient, listenTo } from '#testkit/listen.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'
import { within } from '#testkit/within.ts'
import { askTicket, comment, contentsOf, startThread, ticketOf, typesOf } from './stream.fixture.ts'

let environment: DeliveryEnvironment
let one: Side
let other: Side
let url: string
let s3: TestS3

beforeAll(async () => {
  s3 = await startS3()
  environment = await startDeliveryEnvironment('postgres', { ...s3.environment })
  one = environment.one
  other = environment.other
  url = environment.api.url
  environment.startWorker()
})
afterAll(async () => {
  await environment.close()
  await s3.close()
})

describe('what a stream tells', () => {
  test('is what is written in a discussion, with its author; another project receives nothing', async () => {
    const [thread, theirs] = [await startThread(one), await startThread(other)]
    const { token } = await one.signIn()
    const listening = await listenTo(url, { topics: [`discussion:${thread}`], key: token })
    const elsewhere = await listenTo(url, {
      topics: [`discussion:${theirs}`],
      key: (await other.signIn()).token,
    })
    expect(listening.status).toBe(200)
    const id = await comment(one, thread, 'On Mondays.')
    await expect.poll(() => typesOf(listening), SOON).toContain('comment.created')
    const [told] = listening.events.filter(({ event }) => event === 'comment.created')
    expect(told?.data).toMatchObject({
      type: 'comment.created',
      data: { id, discussion_id: thread, content: 'On Mondays.', author: { id: await one.member() } },
    })
    expect(elsewhere.events).toEqual([])
  })

  test('is the number of likes when a member likes a post and when a like is taken back, each once', async () => {
    const thread = await startThread(one)
    const post = await comment(one, thread, 'Likeable')
    const reader = await one.signIn()
    const listening = await listenTo(url, { topics: [`discussion:${thread}`], key: one.key })
    const { put, delete: remove } = one.as(reader.token)
    for (const path of [`/discussions/${thread}/like`, `/comments/${post}/like`]) {
      // The second of each changes nothing.
      for (const call of [remove, put, put, remove, remove]) expect((await call(path)).status).toBe(200)
    }
    await comment(one, thread, 'The last one')
    await expect.poll(() => typesOf(listening), SOON).toContain('comment.created')
    expect(
      listening.events.flatMap(({ event, data: { data } }) =>
        event.startsWith('post.') ? [[event, data['id'], data['likes']]] : [],
      ),
    ).toEqual(
      [thread, post].flatMap((id) => [
        ['post.liked', id, expect.any(Number)],
        ['post.unliked', id, 0],
      ]),
    )
  })

  test('has no words of whom the listener has muted, in a discussion and on the board; others get them', async () => {
    const thread = await startThread(one)
    const reader = await one.signIn((await one.makeMember()).id)
    await one.as(reader.token).put(`/user/mutes/${await one.member()}`)
    const topics = [`discussion:${thread}`, 'feedback']
    const muting = await listenTo(url, { topics, key: reader.token })
    const another = await listenTo(url, { topics, key: one.key })
    await comment(one, thread, 'LOUD COMMENT')
    const wish = { type: 'feature', message: 'LOUD WISH', user_id: await one.member() }
    await one.admin.post('/feedback', wish)
    for (const listening of [muting, another])
      await expect
        .poll(() => typesOf(listening), SOON)
        .toEqual(expect.arrayContaining(['comment.created', 'feedback.created']))
    expect(JSON.stringify(muting.events)).not.toContain('LOUD')
    expect(JSON.stringify(another.events)).toContain('LOUD WISH')
  })

  test('is the events of a project for a key, as webhooks have them, or only those of a group', async () => {
    const all = await listenTo(url, { topics: ['events'], key: one.key })
    const ofPlans = await listenTo(url, { topics: ['events:plan.*'], key: one.key })
    const plan = await one.makePlan()
    const member = await one.makeMember()
    // Events of what was made before can still come.
    const tellsOf = (type: string, id: string) =>
      all.events.find(({ event, data }) => event === type && data.data['id'] === id)
    await expect.poll(() => tellsOf('member.created', member.id), SOON).toBeDefined()
    const told = tellsOf('plan.created', plan.id)
    expect(Object.keys(told?.data ?? {})).toEqual(['type', 'timestamp', 'data', 'event_id'])
    // The list waits for older transactions of the server, the stream does not.
    const listed = async () =>
      (await one.admin.get<{ data: { id: string }[] }>('/events?type=plan.created')).body.data
    await expect.poll(async () => (await listed()).map(({ id }) => id), SOON).toContain(told?.data.event_id)
    expect(told?.data.data).toEqual(plan)
    await expect.poll(() => ofPlans.events.map(({ data }) => data.data['id']), SOON).toContain(plan.id)
    expect([...new Set(typesOf(ofPlans))]).toEqual(['plan.created'])
  })

  test('is the notifications of a member, and those of nobody else', async () => {
    const reader = await one.signIn()
    const stranger = await one.signIn()
    const listening = await listenTo(url, { topics: ['notifications'], key: reader.token })
    const beside = await listenTo(url, { topics: ['notifications'], key: stranger.token })
    await one.admin.post('/notifications', { text: 'The course is open', member_ids: [reader.memberId] })
    await expect
      .poll(() => listening.events, SOON)
      .toMatchObject([
        { event: 'notification.created', data: { data: { kind: 'message', text: 'The course is open' } } },
      ])
    await one.admin.post('/notifications', { text: 'Yours', member_ids: [stranger.memberId] })
    await expect.poll(() => beside.events.length, SOON).toBe(1)
    expect(listening.events.length).toBe(1)
  })

  test('is what happens to the board, and of a private item nothing', async () => {
    const { token } = await one.signIn()
    const listening = await listenTo(url, { topics: ['feedback'], key: token })
    const author = await one.makeMember()
    const post = (message: string, visibility: string) =>
      one.admin.post('/feedback', { type: 'feature', message, visibility, user_id: author.id })
    await post('For the team alone', 'private')
    await post('For everybody', 'public')
    await expect.poll(() => listening.events.length, SOON).toBeGreaterThan(0)
    expect(listening.events.map(({ data }) => data.data['message'])).toEqual(['For everybody'])
  })

  test('is an order for its buyer; nobody else can ask for it', async () => {
    const { id } = await makeOrder(one)
    const buyer = await one.signIn(await one.member())
    const stranger = await one.signIn()
    const topics = [`order:${id}`]
    expect(refusalOf(await askTicket(one, stranger.token, topics))).toBe('422 VALIDATION_ERROR')
    const listening = await listenTo(url, { topics, key: buyer.token })
    await one.as(buyer.token).post(`/shop/orders/${id}/cancel`, {})
    await expect.poll(() => typesOf(listening), SOON).toEqual(['order.canceled'])
    const { body } = await one.as(buyer.token).get<{ data: object }>(`/shop/orders/${id}`)
    expect(listening.events[0]?.data.data).toEqual(body.data)
  })

  test('is the progress of an import for keys', async () => {
    const { body } = await sendCsv(one, 'email\nfirst@example.com\nsecond@example.com\n')
    const { data } = body
    const listening = await listenTo(url, { topics: [`import:${data.id}`], key: one.key, after: 0 })
    await expect.poll(() => typesOf(listening), SOON).toEqual(['import.progressed', 'import.completed'])
    expect(listening.events.at(-1)?.data.data).toMatchObject({ id: data.id, status: 'completed', created: 2 })
  })

  test('is the progress of an import of a community for keys that may read it', async () => {
    const at = '2024-02-29T10:00:00Z'
    const begun = await beginImport(one, [
      {
        ...{ record: 'category', id: 'dcat_01jcq3k8f7e8qtk4m3hbw7rn2f', slug: 'imported', name: 'Imported' },
        ...{ description: '', position: 0, required_plans: [], moderated: false },
        ...{ created_at: at, updated_at: at },
      },
    ])
    const topics = [`import:${begun}`]
    const { key } = await one.makeKey({ permissions: ['read:members'] })
    expect(refusalOf(await askTicket(one, key, topics))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(refusalOf(await askTicket(other, other.key, topics))).toBe('422 VALIDATION_ERROR')
    const listening = await listenTo(url, { topics, key: one.key, after: 0 })
    await expect
      .poll(() => typesOf(listening), SOON)
      .toEqual(['community.import_progressed', 'community.imported'])
    expect(listening.events.at(-1)?.data.data).toMatchObject({ id: begun, status: 'completed', created: 1 })
  })
})

test('keys receive exports that they have the permission for', async () => {
  const { id } = await one.write((ctx) =>
    requestExport(ctx, {
      ...{ kind: 'sample', format: 'csv', params: {}, permission: 'read:members' },
      ...{ fileName: 'a.csv', contentType: 'text/csv', totalRows: 1 },
    }),
  )
  const topics = [`export:${toId(exportId, id)}`]
  const { key } = await one.makeKey({ permissions: ['read:members'] })
  const lacking = await one.makeKey({ permissions: ['read:forms'] })
  expect(refusalOf(await askTicket(one, lacking.key, topics))).toBe('403 INSUFFICIENT_PERMISSIONS')
  const listening = await listenTo(url, { topics, key })
  await one.write((ctx) => failExport(ctx, id, 'It broke'))
  await expect
    .poll(() => listening.events, SOON)
    .toMatchObject([{ event: 'export.failed', data: { data: { status: 'failed', error: 'It broke' } } }])
})

describe('a ticket', () => {
  test('opens one stream, once', async () => {
    const thread = await startThread(one)
    const { token } = await one.signIn()
    const ticket = await ticketOf(one, token, [`discussion:${thread}`])
    const first = await listenTo(url, { ticket })
    expect(first.status).toBe(200)
    await comment(one, thread, 'Once.')
    await expect.poll(() => contentsOf(first), SOON).toEqual(['Once.'])
    const second = await listenTo(url, { ticket })
    expect(second.status).toBe(401)
    expect(await second.body).toMatchObject({ code: 'INVALID_TOKEN', reason: 'reused' })
    const unknown = await listenTo(url, { ticket: `${ticket.slice(0, -4)}AAAA` })
    expect(await unknown.body).toMatchObject({ code: 'INVALID_TOKEN', reason: 'unknown_token' })
    expect((await listenTo(url, { ticket: 'x' })).status).toBe(401)
  })

  test('opens one stream of many that try at the same moment', async () => {
    const { token } = await one.signIn()
    const ticket = await ticketOf(one, token, ['notifications'])
    const all = await Promise.all(Array.from({ length: 8 }, () => listenTo(url, { ticket })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
  })

  test('that has expired opens nothing', async () => {
    const { token } = await one.signIn()
    const ticket = await ticketOf(one, token, ['notifications'])
    await environment.sql("update stream_tickets set expires_at = now() - interval '1 second'")
    const late = await listenTo(url, { ticket })
    expect(await late.body).toMatchObject({ code: 'INVALID_TOKEN', reason: 'expired' })
  })

  test('of a key for a member opens what that member may read, and no events of the project', async () => {
    const member = await one.makeMember()
    const acting = { 'x-user-id': member.id }
    const listening = await listenTo(url, { ticket: await ticketOf(one, one.key, ['notifications'], acting) })
    await one.admin.post('/notifications', { text: 'Hello', member_ids: [member.id] })
    await expect.poll(() => typesOf(listening), SOON).toEqual(['notification.created'])
    expect(refusalOf(await askTicket(one, one.key, ['events'], acting))).toBe('403 INSUFFICIENT_PERMISSIONS')
  })

  test('of an operator opens the events of the project, and one as a member, until the role ends', async () => {
    const { api } = environment
    const operator = await makeOperator(api)
    await setRole(api, one.projectId, operator.id, 'admin')
    const token = await operator.tokenFor(toId('project', one.projectId))
    const listening = await listenTo(url, { ticket: await ticketOf(one, token, ['events:plan.*']) })
    expect(listening.status).toBe(200)
    await one.makePlan()
    await expect.poll(() => typesOf(listening), SOON).toContain('plan.created')
    const late = await ticketOf(one, token, ['events:plan.*'])
    // Logged in as a member, too.
    const path = `/projects/${toId('project', one.projectId)}/members/${await one.member()}/session`
    const { body: as } = await operator.call<{ data: { access_token: string } }>('POST', path, {
      environment: 'live',
    })
    const asMember = await listenTo(url, { topics: ['notifications'], key: as.data.access_token })
    expect(asMember.status).toBe(200)
    await setRole(api, one.projectId, operator.id, null)
    for (const each of [listening, asMember])
      await expect.poll(() => each.events.at(-1)?.event, SOON).toBe('end')
    expect(await (await listenTo(url, { ticket: late })).body).toMatchObject({ code: 'INVALID_TOKEN' })
  })

  test('is refused for what is no topic, is not there, or may not be read', async () => {
    const { token } = await one.signIn()
    const theirs = await startThread(other)
    const wrong = [
      'nothing',
      'discussion',
      `discussion:${theirs}`,
      'discussion:x',
      'order:x',
      'notifications:1',
    ]
    const refused = await askTicket(one, token, wrong)
    expect(refusalOf(refused)).toBe('422 VALIDATION_ERROR')
    expect(refused.body.details.map(({ field }) => field)).toEqual(wrong.map((_, i) => `topics[${i}]`))
    for (const topic of ['events', 'import:imp_x', 'export:exp_x'])
      expect(refusalOf(await askTicket(one, token, [topic]))).toBe('403 INSUFFICIENT_PERMISSIONS')
    const { key } = await one.makeKey({ permissions: ['read:members'] })
    for (const topic of ['events', 'feedback', `discussion:${theirs}`])
      expect(refusalOf(await askTicket(one, key, [topic]))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(refusalOf(await askTicket(one, one.key, ['events:no.such']))).toBe('422 VALIDATION_ERROR')
  })
})

describe('a gate', () => {
  test('keeps posts of a gated board from whoever is not on its plan, and ends the stream of who leaves the plan within a second', async () => {
    const plan = await one.makePlan()
    const { body } = await one.admin.post<{ data: { slug: string } }>('/discussion-categories', {
      ...{ name: `Inner ${plan.id}`, required_plans: [plan.id] },
    })
    const topics = [`category:${body.data.slug}`]
    const inside = await one.makeMember({ plan_id: plan.id })
    const { token } = await one.signIn(inside.id)
    const outside = await one.signIn()
    expect(refusalOf(await askTicket(one, outside.token, topics))).toBe('422 VALIDATION_ERROR')
    const listening = await listenTo(url, { topics, key: token })
    const thread = await startThread(one, { category: body.data.slug })
    await expect.poll(() => typesOf(listening), SOON).toContain('discussion.created')
    expect(refusalOf(await askTicket(one, outside.token, [`discussion:${thread}`]))).toBe(
      '422 VALIDATION_ERROR',
    )
    const elsewhere = await one.makePlan()
    await one.admin.patch(`/members/${inside.id}`, { plan_id: elsewhere.id })
    await within(1_000, () => expect(listening.isOver()).toBe(true))
    expect(listening.events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'access_changed' } })
  })

  test('lets nobody but moderators and the author know of a post that is held', async () => {
    const { body } = await one.admin.post<{ data: { slug: string } }>('/discussion-categories', {
      ...{ name: `Watched ${Math.random()}`, moderated: true },
    })
    const moderator = await one.signIn((await one.makeMember({ role: 'moderator' })).id)
    const topics = [`category:${body.data.slug}`]
    const author = await one.signIn()
    const outside = await one.signIn()
    const [open, seeing, own] = [
      await listenTo(url, { topics, key: outside.token }),
      await listenTo(url, { topics, key: moderator.token }),
      await listenTo(url, { topics, key: author.token }),
    ]
    const started = await one
      .as(author.token)
      .post<{ discussion: { id: string; status?: string } }>('/discussions', {
        ...{ title: 'Held', content: 'Secret words', category: body.data.slug },
      })
    expect(started.body.discussion.status).toBe('pending')
    await expect.poll(() => typesOf(seeing), SOON).toContain('post.held')
    await expect.poll(() => typesOf(own), SOON).toContain('post.held')
    // Later events arrive later.
    const known = await one.as(moderator.token).post<{ discussion: { id: string } }>('/discussions', {
      ...{ title: 'Open', content: 'Words for all', category: body.data.slug },
    })
    await expect.poll(() => JSON.stringify(open.events), SOON).toContain(known.body.discussion.id)
    expect(JSON.stringify(open.events)).not.toContain(started.body.discussion.id)
  })

  test('shows of a post that was removed ids alone, also to whoever resumes', async () => {
    const thread = await startThread(one)
    const { token } = await one.signIn()
    const before = await listenTo(url, { topics: [`discussion:${thread}`], key: token })
    await expect.poll(() => before.lastId(), SOON).toBeDefined()
    const after = before.lastId() ?? 0
    const id = await comment(one, thread, 'Words that go')
    await expect.poll(() => contentsOf(before), SOON).toEqual(['Words that go'])
    await one.admin.delete(`/comments/${id}`)
    await expect.poll(() => typesOf(before), SOON).toContain('comment.removed')
    const resumed = await listenTo(url, { topics: [`discussion:${thread}`], key: token, after })
    await expect.poll(() => typesOf(resumed), SOON).toEqual(['comment.removed'])
    expect(resumed.events[0]?.data.data).toEqual({ id, discussion_id: thread })
  })
})

describe('a stream is ended within a second', () => {
  const ended = async (listening: ListeningClient, reason: string, what: () => Promise<unknown>) => {
    await expect.poll(() => listening.lastId(), SOON).toBeDefined()
    await what()
    await within(1_000, () => expect(listening.isOver()).toBe(true))
    expect(listening.events.at(-1)).toMatchObject({ event: 'end', data: { reason } })
  }

  test('when its session logs out; another session of the member goes on', async () => {
    const first = await one.signIn()
    const second = await one.signIn(first.memberId)
    const [left, kept] = [
      await listenTo(url, { topics: ['notifications'], key: first.token }),
      await listenTo(url, { topics: ['notifications'], key: second.token }),
    ]
    await ended(left, 'session_ended', () => one.as(first.token).post('/auth/logout'))
    expect(kept.isOver()).toBe(false)
  })

  test('when its member is deactivated', async () => {
    const { token, memberId } = await one.signIn()
    const acting = await listenTo(url, {
      ...{ topics: ['notifications'], key: one.key, headers: { 'x-user-id': memberId } },
    })
    const own = await listenTo(url, { topics: ['notifications'], key: token })
    await ended(own, 'session_ended', () => one.admin.patch(`/members/${memberId}`, { status: 'inactive' }))
    await ended(acting, 'member_inactive', async () => undefined)
  })

  test('when its key is revoked', async () => {
    const key = await one.makeKey({ permissions: ['admin'] })
    const listening = await listenTo(url, { topics: ['events'], key: key.key })
    await ended(listening, 'key_revoked', () => one.admin.delete(`/api-keys/${key.id}`))
  })
})
