import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Forum } from '#areas/discussions/forum.fixture.ts'
import { parseId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import { makeCertificate } from '#testkit/areas/lms.ts'
import type { MailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { deleteOldNotifications } from './delete-old.due.ts'
import { notify } from './making/notify.job.ts'
import { type List, type Reader, Readers } from './readers.fixture.ts'

let readers: Readers
let mails: MailEnvironment
let forum: Forum
let side: Side

beforeAll(async () => {
  readers = await Readers.open()
  ;({ mails, forum, side } = readers)
})
afterAll(() => mails.close())

describe('a notification', () => {
  test('is made of replies, mentions, likes, answers and decisions of moderators, for whom they concern', async () => {
    const [author, reader] = [
      await readers.join({ full_name: 'Ada' }),
      await readers.join({ full_name: 'Grace' }),
    ]
    const { id } = await forum.start(author, { title: 'Plans' })
    await readers.subscribe(reader, id)
    await forum.comment(author, id, { content: 'The *first* one' })
    const comment = await forum.comment(reader, id, { content: `Hi [@a](${author.id})` })
    await author.client.put(`/comments/${comment.id}/like`)
    await author.client.post(`/discussions/${id}/answer`, { comment_id: comment.id })
    await forum.reportOften(comment.id)
    await side.admin.post(`/moderation/${(await forum.caseOf(comment.id)).id}/approve`)
    const told = await readers.listOf(reader.client)
    // Events that happen together may be worked on in any order.
    expect(told.map(({ kind }) => kind).toSorted()).toEqual([
      ...['answer', 'like', 'moderation', 'moderation', 'reply'],
    ])
    const [reply, like] = ['reply', 'like'].map((kind) => told.find((each) => each.kind === kind))
    expect(reply).toMatchObject({
      actors: [{ id: author.id, display_name: 'Ada' }],
      count: 1,
      target: { type: 'comment', title: 'Plans', url: `https://forum.example.com/d/${id}` },
      text: 'Ada replied in “Plans”: The first one',
      read_at: null,
    })
    expect(like).toMatchObject({ text: 'Ada likes your comment in “Plans”', target: { id: comment.id } })
    expect(told.map(({ text }) => text)).toContain('Your comment in “Plans” was approved')
    const [mention, ...others] = await readers.listOf(author.client)
    expect(others).toEqual([])
    expect(mention).toMatchObject({
      kind: 'mention',
      text: expect.stringContaining('Grace mentioned you in'),
    })
  })

  test('is made of orders, courses, certificates, and feedback that somebody voted for', async () => {
    const voter = await readers.join({ full_name: 'Vera' })
    const { body } = await side.admin.post<{ feedback: { id: string } }>('/feedback', {
      type: 'feature',
      title: 'A dark theme',
      message: 'At night',
    })
    const item = body.feedback
    await voter.client.put(`/feedback/${item.id}/vote`)
    await side.admin.post(`/feedback/${item.id}/status`, { status: 'in_progress', note: 'In March' })
    await makeCertificate(side, voter.id)
    const all = await readers.listOf(voter.client)
    expect(all.map(({ kind }) => kind).toSorted()).toEqual([
      'certificate',
      'course',
      'course',
      'feedback_status',
    ])
    expect(all.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        '“A dark theme” is in progress: In March',
        'You got the certificate of “First steps”',
        'You have completed “First steps”',
      ]),
    )
    const mail = await mails.mailTo(voter.email)
    expect(mail.text).toMatch(/dark theme|certificate/)
    await side.admin.post(`/feedback/${item.id}/status`, { status: 'done', notify_voters: false })
    await side.admin.patch(`/feedback/${item.id}`, { visibility: 'private' })
    expect((await readers.listOf(voter.client)).map(({ kind }) => kind)).not.toContain('feedback_status')
  })

  test('counts likes of a post together until it is read, and does not repeat one that was taken back', async () => {
    const author = await readers.join()
    const likers = [
      await readers.join({ full_name: 'Ann' }),
      await readers.join({ full_name: 'Bob' }),
      await readers.join(),
    ]
    const { id } = await forum.start(author, { title: 'Liked' })
    for (const { client } of likers) {
      await client.put(`/discussions/${id}/like`)
      await readers.idle()
    }
    const [ann] = likers
    await ann?.client.delete(`/discussions/${id}/like`)
    await ann?.client.put(`/discussions/${id}/like`)
    const [like, ...rest] = await readers.listOf(author.client)
    expect(rest).toEqual([])
    expect(like).toMatchObject({ kind: 'like', count: 3 })
    expect(like?.actors.map(({ id: actor }) => actor)).toEqual(
      likers.map(({ id: liker }) => liker).toReversed(),
    )
    await author.client.post('/notifications/read', { ids: [like?.id] })
    await ann?.client.delete(`/discussions/${id}/like`)
    await ann?.client.put(`/discussions/${id}/like`)
    expect(await readers.listOf(author.client)).toHaveLength(1)
    await author.client.put(`/discussions/${id}/like`)
    await (await readers.join()).client.put(`/discussions/${id}/like`)
    const after = await readers.listOf(author.client)
    expect(after.map(({ count }) => count)).toEqual([1, 3])
  })

  test('counts a like that was taken back no more, and is gone with the last one', async () => {
    const [author, one, two] = [await readers.join(), await readers.join(), await readers.join()]
    const { id } = await forum.start(author)
    const { id: comment } = await forum.comment(author, id)
    for (const path of [`/discussions/${id}/like`, `/comments/${comment}/like`]) {
      await one.client.put(path)
      await readers.idle()
      await two.client.put(path)
      await readers.idle()
      await two.client.delete(path)
      const [like, ...rest] = await readers.listOf(author.client)
      expect(rest).toEqual([])
      expect(like).toMatchObject({ kind: 'like', count: 1, actors: [{ id: one.id }] })
      expect(await readers.unreadOf(author.client)).toBe(1)
      await one.client.delete(path)
      expect(await readers.listOf(author.client)).toEqual([])
      expect(await readers.unreadOf(author.client)).toBe(0)
      await two.client.put(path)
      expect(await readers.listOf(author.client)).toMatchObject([{ count: 1, actors: [{ id: two.id }] }])
      await two.client.delete(path)
    }
  })

  test('is made once, however often and by however many workers its event is worked on, and never late', async () => {
    const [author, reader, late] = [await readers.join(), await readers.join(), await readers.join()]
    const { id } = await forum.start(author)
    await readers.subscribe(reader, id)
    const comment = await forum.comment(author, id)
    await readers.subscribe(late, id)
    const gone = await forum.comment(author, id)
    await author.client.delete(`/comments/${gone.id}`)
    await readers.idle()
    const events = await mails.sql<{ id: string }>(
      `select id from events where type = 'comment.created' and payload ->> 'id' = any ($1)`,
      [[comment.id, gone.id]],
    )
    const run = {
      read: side.read,
      write: side.write,
      record: side.write,
      signal: new AbortController().signal,
    }
    await Promise.all(
      events.flatMap((event) =>
        Array.from({ length: 4 }, () => notify.run(run as unknown as JobRun, { event_id: event.id })),
      ),
    )
    expect((await readers.listOf(reader.client)).map(({ target }) => target.id)).toEqual([comment.id])
    expect(await readers.listOf(late.client)).toEqual([])
    expect(await readers.listOf(author.client)).toEqual([])
  })
})

describe('what a member may not read', () => {
  test('is in no list, no count and no mail: a random walk over gates, removals and plans', async () => {
    const plan = await side.makePlan()
    const other = await side.makePlan()
    const { slug } = await forum.category({ name: 'Gold', required_plans: [plan.id] })
    const people = [
      await readers.join({ plan_id: plan.id }),
      await readers.join({ plan_id: plan.id }),
      await readers.join({ plan_id: plan.id }),
    ]
    const threads = [
      await forum.start(people[0] as Reader, { category: slug, title: 'Secret one' }),
      await forum.start(people[1] as Reader, { title: 'Open one' }),
    ]
    for (const each of people) for (const { id } of threads) await readers.subscribe(each, id)
    const comments: string[] = []
    let seed = 42
    const pick = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * n)
    }
    for (let step = 0; step < 40; step++) {
      const who = people[pick(3)] as Reader
      const thread = threads[pick(2)]?.id ?? ''
      const what = pick(6)
      if (what < 3) {
        const content = pick(2) === 0 ? 'Words' : `[@x](${people[pick(3)]?.id})`
        const { status, body } = await who.client.post<{ comment: { id: string } }>(
          `/discussions/${thread}/comments`,
          { content },
        )
        if (status === 201) comments.push(body.comment.id)
      } else if (what === 3 && comments.length > 0)
        await side.admin.delete(`/comments/${comments.splice(pick(comments.length), 1)[0]}`)
      else if (what === 4)
        await side.admin.patch(`/members/${who.id}`, { plan_id: pick(2) === 0 ? plan.id : other.id })
      else if (comments.length > 0) await who.client.put(`/comments/${comments[pick(comments.length)]}/like`)
    }
    for (const { client } of people) {
      const listed = await readers.listOf(client)
      expect(await readers.unreadOf(client)).toBe(listed.length)
      expect((await client.get<List>('/notifications')).body.pagination.total).toBe(listed.length)
      for (const { target, kind } of listed) {
        expect(comments).toContain(target.id)
        const revisions = await client.get(`/comments/${target.id}/revisions`)
        // 403: it can be read, but it is somebody else's.
        expect([kind, revisions.status]).toEqual([
          kind,
          expect.toSatisfy((status) => status === 200 || status === 403),
        ])
      }
    }
    // Those who lose the plan read nothing of the gated discussion any more, and those who get it read it again.
    const [one] = people
    await side.admin.patch(`/members/${one?.id}`, { plan_id: other.id })
    const outside = JSON.stringify(await readers.listOf(one?.client as Client))
    expect(outside).not.toContain('Secret one')
    await readers.hourLater()
    await side.admin.patch(`/members/${one?.id}`, { plan_id: plan.id })
    expect((await readers.listOf(one?.client as Client)).length).toBeGreaterThan(
      (JSON.parse(outside) as unknown[]).length - 1,
    )
  })

  test('is another member’s, and another project’s: their ids are not marked, their lists are not shown', async () => {
    const [author, reader, stranger] = [await readers.join(), await readers.join(), await readers.join()]
    const { id } = await forum.start(author)
    await readers.subscribe(reader, id)
    await forum.comment(author, id)
    const [mine] = await readers.listOf(reader.client)
    expect(await readers.listOf(stranger.client)).toEqual([])
    await stranger.client.post('/notifications/read', { ids: [mine?.id] })
    await mails.other.live.admin.post(
      '/notifications/read',
      { ids: [mine?.id] },
      { headers: { 'x-user-id': await mails.other.live.member() } },
    )
    expect(await readers.unreadOf(reader.client)).toBe(1)
    const asKey = await side.admin.get<List>('/notifications', { headers: { 'x-user-id': reader.id } })
    expect(asKey.body.data.map((each) => each.id)).toEqual([mine?.id])
    expect(refusalOf(await side.admin.get('/notifications'))).toBe('400 INVALID_PARAMETERS')
    expect(
      await mails.other.live.admin.get('/notifications', { headers: { 'x-user-id': reader.id } }),
    ).toMatchObject({ status: 422, body: { code: 'MEMBER_NOT_FOUND' } })
  })
})

describe('reading', () => {
  test('by ids, or all up to a moment, lowers the count and ends the mail', async () => {
    const [author, reader] = [await readers.join(), await readers.join()]
    const { id } = await forum.start(author)
    await readers.subscribe(reader, id)
    for (let i = 0; i < 4; i++) {
      await forum.comment(author, id)
      await readers.idle()
    }
    const [newest, second, third] = await readers.listOf(reader.client)
    const read = (body: object) =>
      reader.client.post<{ data: { count: number } }>('/notifications/read', body)
    expect(await read({ ids: [newest?.id, 'ntf_x', id] })).toMatchObject({
      status: 422,
      body: {
        details: [
          { field: 'ids[1]', rule: 'id' },
          { field: 'ids[2]', rule: 'id' },
        ],
      },
    })
    expect((await read({ ids: [newest?.id, newest?.id] })).body.data.count).toBe(3)
    expect((await readers.listOf(reader.client, '&unread=false')).map((each) => each.id)).toEqual([
      newest?.id,
    ])
    expect((await read({ before: third?.created_at })).body.data.count).toBe(1)
    expect((await readers.listOf(reader.client, '&unread=true')).map((each) => each.id)).toEqual([second?.id])
    for (const wrong of [
      {},
      { ids: [], before: second?.created_at },
      { ids: [second?.id], before: second?.created_at },
    ])
      expect(await read(wrong)).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
    expect(await read({ before: 'yesterday' })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR' },
    })
    await readers.hourLater()
    // The first one was mailed at once; of the others only the unread one is.
    expect((await mails.mailTo(reader.email)).subject).not.toContain('notifications')
    expect((await mails.mailTo(reader.email)).subject).not.toContain('notifications')
    expect(await mails.countMails(reader.email)).toBe(2)
  })

  test('ends after 90 days: what is older is deleted', async () => {
    const [author, reader] = [await readers.join(), await readers.join()]
    const { id } = await forum.start(author)
    await readers.subscribe(reader, id)
    await forum.comment(author, id)
    expect(await readers.listOf(reader.client)).toHaveLength(1)
    await mails.sql(
      `update notifications set created_at = created_at - interval '91 days' where member_id = $1`,
      [parseId('member', reader.id)],
    )
    await deleteOldNotifications.workOff(readers.run)
    expect(await readers.listOf(reader.client)).toEqual([])
  })
})
