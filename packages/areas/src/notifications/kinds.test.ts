import { parse, stringify } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Forum, taken } from '#areas/discussions/forum.fixture.ts'
import { feedbackId } from '#areas/feedback/ids.ts'
import { updateFeedbackSettings } from '#areas/feedback/settings.ts'
import { Board } from '#areas/feedback/votes/board.fixture.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import { makeProduct } from '#testkit/areas/money/shop.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import type { MailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { KIND_NAMES } from './kinds.ts'
import { makeUnsubscribeLinks } from './mails/unsubscribe-link.ts'
import { notify } from './making/notify.job.ts'
import { type Reader, Readers } from './readers.fixture.ts'

interface Made<T> {
  data: T
}

let readers: Readers
let mails: MailEnvironment
let forum: Forum
/** The clock of this side is moved. */
let side: Side

beforeAll(async () => {
  readers = await Readers.open('test')
  ;({ mails, forum, side } = readers)
})
afterAll(() => mails.close())

describe('a notification', () => {
  test('is made of an order when it is paid, fulfilled, refunded or canceled, and mailed if its buyer wishes', async () => {
    const buyer = await readers.join()
    const stranger = await readers.join()
    const { id: product_id } = await makeProduct(side)
    const order = async () => {
      taken(await buyer.client.post<object>('/shop/cart', { product_id }))
      const made = await buyer.client.post<Made<{ id: string; number: string }>>('/shop/checkout', {})
      return taken(made).data
    }
    const act = async (id: string, verb: string, body = {}) =>
      taken(await side.admin.post<object>(`/shop/orders/${id}/${verb}`, body))
    const [first, second] = [await order(), await order()]
    await act(first.id, 'mark-paid')
    await readers.idle()
    await readers.prefer(buyer.client, { order: { mail: 'now' } })
    await act(first.id, 'fulfill')
    await readers.idle()
    await act(first.id, 'refund')
    await act(second.id, 'cancel')
    const listed = await readers.listOf(buyer.client)
    expect(listed.map(({ kind, target }) => [kind, target.type])).toEqual(
      listed.map(() => ['order', 'order']),
    )
    expect(listed.map(({ text }) => text).toSorted()).toEqual(
      [
        ...['fulfilled', 'paid', 'refunded'].map((state) => `Your order ${first.number} is ${state}`),
        `Your order ${second.number} is canceled`,
      ].toSorted(),
    )
    expect(await readers.listOf(stranger.client)).toEqual([])
    const subjects = await mails.sql<{ mail: string }>(
      `select mail from mails where mail = 'notification_digest' and member_id = $1`,
      [parseId('member', buyer.id)],
    )
    // The rest comes an hour later.
    expect(subjects).toHaveLength(1)
  })

  test('tells an author once what became of an appeal, whether the post was removed before or with it', async () => {
    const { slug } = await forum.category({ name: 'Careful', moderated: true })
    const moderator = await readers.join({ role: 'moderator' })
    const decide = async (target: string, as: string, reason: string) => {
      const { id } = await forum.caseOf(target)
      taken(await moderator.client.post<object>(`/moderation/${id}/${as}`, { reason }))
      return id
    }
    const appeal = async (author: { client: Client }, id: string) =>
      taken(await author.client.post<object>(`/moderation/${id}/appeal`, { text: 'It is no spam' }))
    const textsOf = async ({ client }: { client: Client }) =>
      (await readers.listOf(client)).map(({ text }) => text).toSorted()

    const [removed, held] = [await readers.join(), await readers.join()]
    const [one, two] = [
      await forum.start(removed, { category: slug }),
      await forum.start(held, { category: slug }),
    ]
    const caseId = await decide(one.id, 'remove', 'Spam')
    await readers.idle()
    await appeal(removed, one.id)
    taken(await moderator.client.post<object>(`/moderation/${caseId}/remove`, { reason: 'Still spam' }))
    await appeal(held, two.id)
    await decide(two.id, 'remove', 'Advertising')
    const yours = 'Your discussion “A title”'
    const waits = `${yours} waits for a moderator`
    expect(await textsOf(removed)).toEqual([
      `${yours} stays removed after your appeal: Still spam`,
      waits,
      `${yours} was removed: Spam`,
    ])
    expect(await textsOf(held)).toEqual([`${yours} stays removed after your appeal: Advertising`, waits])
  })

  test('is made of an accepted invitation, for who was invited', async () => {
    const email = 'invited@example.com'
    const { id } = taken(
      await side.admin.post<{ member: { id: string } }>('/members', { email, send_invitation: true }),
    ).member
    const { token } = await mails.mailTo(email)
    const password = 'correct horse battery'
    taken(await side.admin.post<object>('/auth/invitations/accept', { token, password }))
    const { client } = { client: side.as((await side.signIn(id)).token) }
    expect(await readers.listOf(client)).toMatchObject([
      { kind: 'invitation', target: { type: 'member', id }, text: 'Your invitation is accepted: welcome' },
    ])
    expect(await readers.unreadOf(client)).toBe(1)
  })
})

test('a post of a thousand mentions is refused; one of a hundred notifies fifty members, each once', async () => {
  const author = await readers.join()
  const people = await Promise.all(Array.from({ length: 60 }, () => side.makeMember()))
  const mentions = (times: number) =>
    Array.from({ length: times }, (_, i) => `[@x](${people[i % people.length]?.id})`).join(' ')
  const post = (content: string) =>
    author.client.post<{ details: { field: string; rule: string }[] }>('/discussions', {
      ...{ title: 'To all', content, category: 'general' },
    })
  const { status, body } = await post(mentions(1_000))
  expect([status, body.details]).toMatchObject([422, [{ field: 'content', rule: 'mentions' }]])
  expect((await post(mentions(100))).status).toBe(201)
  await readers.idle()
  const notified = await mails.sql<{ notifications: number; members: number }>(
    `select count(*)::int as notifications, count(distinct member_id)::int as members from notifications
     where kind = 'mention' and member_id = any ($1)`,
    [people.map(({ id }) => parseId('member', id))],
  )
  expect(notified).toEqual([{ notifications: 50, members: 50 }])
})

describe('feedback', () => {
  const comment = async ({ client }: { client: Client }, item: string, input: object = {}) => {
    const body = { content: 'Words', ...input }
    return taken(await client.post<Made<{ id: string }>>(`/feedback/${item}/comments`, body)).data.id
  }
  const make = async (author: Reader, input: object = {}) =>
    new Board(side).make({ user_id: author.id, ...input })
  const kindsOf = async ({ client }: Reader) => (await readers.listOf(client)).map(({ kind }) => kind)
  const hide = async (item: string) =>
    taken(await side.admin.patch<object>(`/feedback/${item}`, { visibility: 'private' }))

  test('notifies its author of comments, with the item, its address and the words, and mails them', async () => {
    await side.write((ctx) =>
      updateFeedbackSettings(ctx, { feedbackUrl: 'https://board.example.com/f/{id}' }),
    )
    const [author, replier] = [await readers.join(), await readers.join({ full_name: 'Ada' })]
    const item = await make(author, { title: 'A dark theme' })
    await comment(replier, item, { content: `In *March*, says [@x](${replier.id}) & co` })
    await readers.idle()
    await comment(author, item, { content: 'I thank myself' })
    await comment({ client: side.admin }, item, { official: true })
    const url = `https://board.example.com/f/${item}`
    const target = { type: 'feedback', id: item, title: 'A dark theme', url }
    const [official, reply, ...rest] = await readers.listOf(author.client)
    expect(rest).toEqual([])
    expect(reply).toMatchObject({ kind: 'reply', actors: [{ id: replier.id }], count: 1, target })
    expect(reply?.text).toBe('Ada replied in “A dark theme”: In March, says @Ada & co')
    expect(official).toMatchObject({ kind: 'reply', actors: [], target })
    expect(official?.text).toBe('The team replied in “A dark theme”: Words')
    const mail = await mails.mailTo(author.email)
    expect(mail.text).toContain('Ada replied in “A dark theme”: In March')
    expect(mail.text).toContain(url)
    expect(await readers.listOf(replier.client)).toEqual([])
  })

  test('notifies members whom it or a comment on it mentions, each once, and not of themselves', async () => {
    const [author, named] = [await readers.join({ full_name: 'Grace' }), await readers.join()]
    const all = `[@](${named.id}) [@](${named.id}) [@](${author.id})`
    const item = await make(author, { title: `For [@](${named.id})`, message: `Hi ${all}` })
    await readers.idle()
    const reply = await comment(named, item, { content: all })
    const [mention, ...none] = await readers.listOf(named.client)
    expect(none).toEqual([])
    expect(mention).toMatchObject({ kind: 'mention', actors: [{ id: author.id }], target: { id: item } })
    expect(mention?.text).toMatch(/^Grace mentioned you in “For .+”: Hi @/)
    // Who is mentioned in a reply is told once.
    expect(await kindsOf(author)).toEqual(['mention'])
    taken(await named.client.delete<object>(`/feedback-comments/${reply}`))
    expect(await kindsOf(author)).toEqual([])
    expect(await readers.unreadOf(author.client)).toBe(0)
  })

  test('notifies of private notes and private items only those who may read them, at every moment', async () => {
    const [author, named] = [await readers.join(), await readers.join()]
    const [moderator, former] = [
      await readers.join({ role: 'moderator' }),
      await readers.join({ role: 'moderator' }),
    ]
    for (const { client } of [named, moderator, former])
      await readers.prefer(client, { mention: { mail: 'daily' } })
    const all = [author, named, moderator, former].map(({ id }) => `[@](${id})`).join(' ')
    const item = await make(author)
    await comment(moderator, item, { content: all, visibility: 'private' })
    await make(author, { message: all, visibility: 'private' })
    expect(await kindsOf(author)).toEqual([])
    expect(await kindsOf(named)).toEqual([])
    expect(await kindsOf(moderator)).toEqual(['mention'])
    expect(await kindsOf(former)).toEqual(['mention', 'mention'])
    const open = await make(author, { message: all })
    await comment(author, open, { content: all })
    expect(await kindsOf(named)).toEqual(['mention', 'mention'])
    await hide(open)
    taken(await side.admin.patch<object>(`/members/${former.id}`, { role: 'user' }))
    for (const reader of [named, former]) {
      expect(await kindsOf(reader)).toEqual([])
      expect(await readers.unreadOf(reader.client)).toBe(0)
    }
    await advance(side, { days: 2 })
    await readers.idle()
    const counts = [named, former, moderator].map(({ email }) => mails.countMails(email))
    expect(await Promise.all(counts)).toEqual([0, 0, 1])
  })

  test('notifies nobody across a mute, whoever of the two has muted, and no author who is gone', async () => {
    const [author, loud, muting] = [await readers.join(), await readers.join(), await readers.join()]
    taken(await author.client.put<object>(`/user/mutes/${loud.id}`))
    taken(await muting.client.put<object>(`/user/mutes/${author.id}`))
    const item = await make(author)
    await comment(loud, item, { content: `[@](${author.id})` })
    await comment(muting, item)
    expect(await kindsOf(author)).toEqual([])
    const [leaving, replier] = [await readers.join(), await readers.join()]
    const theirs = await make(leaving)
    taken(await side.admin.delete<object>(`/members/${leaving.id}?mode=anonymize`))
    await comment(replier, theirs)
    await comment(replier, item)
    await readers.idle()
    taken(await side.admin.delete<object>(`/members/${replier.id}?mode=anonymize`))
    expect((await readers.listOf(author.client)).map(({ text }) => text)).toEqual([
      'Former member replied in “Make it dark”: Words',
    ])
    const made = await mails.sql<{ count: number }>(
      'select count(*)::int as count from notifications where member_id = $1',
      [parseId('member', leaving.id)],
    )
    expect(made).toEqual([{ count: 0 }])
  })

  test('notifies once of each comment, also if two are written, and each event is worked on, at the same moment', async () => {
    const [author, one, two] = [await readers.join(), await readers.join(), await readers.join()]
    const item = await make(author)
    await Promise.all([comment(one, item), comment(two, item, { content: `[@](${author.id})` })])
    await readers.idle()
    await mails.sql('delete from notifications where member_id = $1', [parseId('member', author.id)])
    const events = await mails.sql<{ id: string }>(
      `select id from events where type = 'feedback.commented' and payload ->> 'feedback_id' = $1`,
      [item],
    )
    expect(events).toHaveLength(2)
    const run = {
      read: side.read,
      write: side.write,
      record: side.write,
      signal: new AbortController().signal,
    }
    await Promise.all(
      [...events, ...events].map(({ id }) => notify.run(run as unknown as JobRun, { event_id: id })),
    )
    expect((await kindsOf(author)).toSorted()).toEqual(['mention', 'reply'])
  })
})

describe('a digest', () => {
  test('is mailed once, at 8 in the morning of the member by the clock of the project, with all that came by then', async () => {
    const [author, daily, weekly] = [await readers.join(), await readers.join(), await readers.join()]
    await readers.prefer(daily.client, { reply: { mail: 'daily' }, time_zone: 'Asia/Tokyo' })
    await readers.prefer(weekly.client, { reply: { mail: 'weekly' }, time_zone: 'Asia/Tokyo' })
    const threads = [await forum.start(author, { title: 'One' }), await forum.start(author, { title: 'Two' })]
    for (const { id } of threads) {
      await readers.subscribe(daily, id)
      await readers.subscribe(weekly, id)
      await forum.comment(author, id, { content: 'News' })
    }
    await readers.idle()
    // 8 in the morning in Tokyo is 23 o'clock in UTC.
    const now = new Date(await timeOf(side))
    const seconds =
      (23 * 3_600 - now.getUTCHours() * 3_600 - now.getUTCMinutes() * 60 - now.getUTCSeconds() + 86_400) %
      86_400
    await advance(side, { seconds: seconds - 60 })
    await readers.idle()
    expect(await mails.countMails(daily.email)).toBe(0)
    await advance(side, { minutes: 2 })
    const mail = await mails.mailTo(daily.email)
    expect(mail.subject).toMatch(/: 2 notifications$/)
    for (const { title } of threads) expect(mail.text).toContain(`“${title}”: News`)
    await advance(side, { days: 7 })
    await readers.idle()
    expect(await mails.countMails(daily.email)).toBe(1)
    expect((await mails.mailTo(weekly.email)).subject).toMatch(/: 2 notifications$/)
    expect(await mails.countMails(weekly.email)).toBe(1)
    expect(await mails.countMails(author.email)).toBe(0)
  })
})

describe('more members than one transaction notifies', () => {
  const MANY = 1_203
  const addMembers = (plan: string) =>
    mails.sql(
      `insert into members (project_id, id, email, plan_id, plan_version, created_at, updated_at)
       select project_id, gen_random_uuid(), 'many-' || n || '-' || id || '@example.com', id, version, now(), now()
       from plans, generate_series(1, ${MANY}) n where id = $1`,
      [parseId('plan', plan)],
    )
  const notified = (kind: string, plan: string) =>
    mails.sql<{ notifications: number; members: number }>(
      `select count(*)::int as notifications, count(distinct n.member_id)::int as members from notifications n
       join members m on m.project_id = n.project_id and m.id = n.member_id where n.kind = $1 and m.plan_id = $2`,
      [kind, parseId('plan', plan)],
    )

  test('vote for the same item and are each notified once of its status', async () => {
    const plan = await side.makePlan()
    await addMembers(plan.id)
    // Their mails would take minutes.
    await mails.sql(
      `insert into notification_preferences (project_id, id, feedback_status)
       select project_id, id, '{"mail": "never"}' from members where plan_id = $1`,
      [parseId('plan', plan.id)],
    )
    const item = taken(
      await side.admin.post<{ feedback: { id: string } }>('/feedback', {
        ...{ type: 'feature', title: 'Many want it', message: 'So many' },
      }),
    ).feedback
    await mails.sql(
      `insert into feedback_votes (project_id, id, feedback_id, member_id, created_at)
       select project_id, gen_random_uuid(), $1, id, now() from members where plan_id = $2`,
      [parseId(feedbackId, item.id), parseId('plan', plan.id)],
    )
    taken(await side.admin.post<object>(`/feedback/${item.id}/status`, { status: 'planned' }))
    await readers.idle()
    expect(await notified('feedback_status', plan.id)).toEqual([{ notifications: MANY, members: MANY }])
  })

  test('have the plan of a message and get it once', async () => {
    const plan = await side.makePlan()
    await addMembers(plan.id)
    await mails.sql(
      `insert into notification_preferences (project_id, id, message)
       select project_id, id, '{"mail": "never"}' from members where plan_id = $1`,
      [parseId('plan', plan.id)],
    )
    taken(await side.admin.post<object>('/notifications', { text: 'To all', plan_id: plan.id }))
    await readers.idle()
    expect(await notified('message', plan.id)).toEqual([{ notifications: MANY, members: MANY }])
  })
})

test('a link that ends mails of some kinds still ends those, whatever kinds came since it was made', () => {
  // A link carries the place of a kind: new ones go to the end, and there is room for 16.
  expect(KIND_NAMES.slice(0, 11)).toEqual([
    ...['reply', 'mention', 'answer', 'like', 'feedback_status', 'moderation'],
    ...['order', 'course', 'certificate', 'invitation', 'message'],
  ])
  expect(KIND_NAMES.length).toBeLessThanOrEqual(16)
  const links = makeUnsubscribeLinks({
    SECRET_KEY: 'a key that stays the same for good',
    BASE_URL: 'https://x.example',
  })
  const [projectId, member] = [newUuid(), newUuid()].map((id) => stringify(parse(id)))
  for (const kind of KIND_NAMES) {
    const link = links.linkFor({ projectId: projectId ?? '', member: member ?? '', kinds: [kind] })
    expect(links.read(link.split('/').at(-1) ?? '')).toEqual({ projectId, member, kinds: [kind] })
  }
  const old = 'AZOgAAAAcACAAAAAAAAAAQGToAAAAHAAgAAAAAAAAAIEEQRV3cnGFu08mpotxWOyFG8'
  expect(links.read(old)?.kinds).toEqual(['reply', 'feedback_status', 'message'])
})
