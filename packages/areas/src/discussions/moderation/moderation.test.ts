import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { withProjects } from '#testkit/with-api.ts'
import { codeOf, Forum, taken, type Visitor } from '../forum.fixture.ts'
import type { CommentWithReplies } from '../schema.ts'

// What reports, holds and removals leave behind.

let api: TestApi
let forum: Forum

withProjects(async (opened, one) => {
  api = opened
  forum = new Forum(one.live)
  await forum.category({ name: 'General' })
})

describe('a post', () => {
  test('that is hidden and then deleted lowers the count once', async () => {
    const author = await forum.join()
    const { id } = await forum.start(author)
    const comment = await forum.comment(author, id)
    await forum.comment(author, id)
    await forum.reportOften(comment.id)
    expect((await forum.get(id)).comment_count).toBe(1)
    expect(await codeOf(author.client.delete(`/comments/${comment.id}`))).toBe('200')
    expect((await forum.get(id)).comment_count).toBe(1)
  })

  test('that is removed waits for no moderator any more, nor does anything in it', async () => {
    const author = await forum.join()
    const { id } = await forum.start(author)
    const [one, two] = [await forum.comment(author, id), await forum.comment(author, id)]
    for (const target_id of [id, one.id, two.id])
      taken(
        await forum.side.admin.post<object>('/reports', { target_id, reason: 'spam' }, asMember(author.id)),
      )
    const waiting = async () => (await forum.queue()).map(({ target_id }) => target_id)
    await author.client.delete(`/comments/${one.id}`)
    expect(await waiting()).not.toContain(one.id)
    expect(await waiting()).toEqual(expect.arrayContaining([id, two.id]))
    await author.client.delete(`/discussions/${id}`)
    for (const target of [id, two.id]) expect(await waiting()).not.toContain(target)
    const { rows } = await api.owner.query<{ n: number }>(
      "select count(*)::int4 as n from events where type = 'report.resolved' and payload ->> 'target_id' = any ($1)",
      [[id, one.id, two.id]],
    )
    expect(rows).toEqual([{ n: 3 }])
  })

  test('that answers a discussion is the answer again when a moderator shows it again', async () => {
    const author = await forum.join()
    const { id } = await forum.start(author)
    const comment = await forum.comment(author, id)
    await author.client.post(`/discussions/${id}/answer`, { comment_id: comment.id })
    await forum.reportOften(comment.id)
    expect((await forum.get(id)).answer_id).toBeNull()
    await forum.side.admin.post(`/moderation/${(await forum.caseOf(comment.id)).id}/approve`)
    expect((await forum.get(id)).answer_id).toBe(comment.id)
  })

  test('that somebody else edits has a row in the audit log, and one that its author edits has none', async () => {
    const author = await forum.join()
    const moderator = await forum.join({ role: 'moderator' })
    const { id } = await forum.start(author)
    const comment = await forum.comment(author, id)
    for (const { client } of [author, moderator]) {
      await client.patch(`/discussions/${id}`, { content: 'Other words' })
      await client.patch(`/comments/${comment.id}`, { content: 'Other words' })
    }
    const { rows } = await api.owner.query(
      'select action, actor_id from audit_log where target = any ($1) order by action',
      [[id, comment.id]],
    )
    expect(rows).toEqual([
      { action: 'comment.edit', actor_id: moderator.id },
      { action: 'discussion.edit', actor_id: moderator.id },
    ])
  })

  test('keeps those reports whose members were not erased', async () => {
    const [author, one, two] = [await forum.join(), await forum.join(), await forum.join()]
    const { id } = await forum.start(author)
    for (const { client } of [one, two]) await client.post('/reports', { target_id: id, reason: 'spam' })
    expect((await forum.caseOf(id)).report_count).toBe(2)
    await forum.side.admin.delete(`/members/${one.id}?mode=anonymize`)
    expect((await forum.caseOf(id)).report_count).toBe(1)
  })
})

describe('a moderated category', () => {
  test('cannot be entered past its moderators, by moving a discussion into it', async () => {
    const { slug } = await forum.category({ name: 'Careful', moderated: true })
    const author = await forum.join()
    const { id } = await forum.start(author)
    expect(await codeOf(author.client.patch(`/discussions/${id}`, { category: slug }))).toBe(
      '422 VALIDATION_ERROR',
    )
    expect(await codeOf(forum.side.admin.patch(`/discussions/${id}`, { category: slug }))).toBe('200')
  })

  test('shows a comment that waits for a moderator to its author and to moderators, and counts it for nobody', async () => {
    const { slug } = await forum.category({ name: 'Watched', moderated: true })
    const [author, other, moderator] = [
      await forum.join(),
      await forum.join(),
      await forum.join({ role: 'moderator' }),
    ]
    const { id } = await forum.start(moderator, { category: slug })
    await forum.comment(moderator, id)
    await forum.comment(author, id)
    await forum.comment(moderator, id)
    const pages = async (client = other.client) => {
      const path = `/discussions/${id}/comments?limit=2`
      const sizes: number[] = []
      let total: number | undefined
      for (const page of [1, 2]) {
        const { body } = await client.get<{ data: CommentWithReplies[]; pagination: { total: number } }>(
          `${path}&page=${page}`,
        )
        sizes.push(body.data.length)
        total = body.pagination.total
      }
      return { sizes, total }
    }
    expect(await pages()).toEqual({ sizes: [2, 0], total: 2 })
    for (const client of [author.client, moderator.client, forum.side.admin])
      expect(await pages(client)).toEqual({ sizes: [2, 1], total: 3 })
    for (const client of [author.client, moderator.client, other.client])
      expect((await forum.get(id, client)).comment_count).toBe(2)
  })
})

describe('a comment that waits for a moderator', () => {
  /** A thread that a member has read, in which somebody else's first post waits for a moderator. */
  const watched = async () => {
    const { slug } = await forum.category({ name: `Watched ${++rooms}`, moderated: true })
    const [author, reader] = [await forum.join(), await forum.join()]
    const moderator = await forum.join({ role: 'moderator' })
    const { id } = await forum.start(moderator, { category: slug })
    const pending = await forum.comment(author, id, { content: 'Held' })
    const after = await forum.comment(moderator, id, { content: 'Written after it' })
    const list = async ({ client }: Pick<Visitor, 'client'>, query = '') =>
      taken(await client.get<{ data: CommentWithReplies[] }>(`/discussions/${id}/comments?${query}`))
    const ids = async (visitor: Visitor) => (await list(visitor)).data.map((comment) => comment.id)
    const decide = async (as: string) =>
      taken(
        await moderator.client.post<object>(`/moderation/${(await forum.caseOf(pending.id)).id}/${as}`, YES),
      )
    return { id, author, reader, moderator, pending, after, list, ids, decide }
  }

  test('that is shown is dated by then: it comes last, is unread by who read the rest, and tops the list', async () => {
    const { id, author, reader, pending, after, list, ids, decide } = await watched()
    expect(await ids(reader)).toEqual([after.id])
    expect((await forum.get(id, reader.client)).viewer?.unread).toBe(false)
    await decide('approve')
    const { last_activity_at, viewer } = await forum.get(id, reader.client)
    expect(viewer?.unread).toBe(true)
    for (const visitor of [reader, author]) expect(await ids(visitor)).toEqual([after.id, pending.id])
    const shown = (await list(reader)).data[1]
    expect(shown?.created_at).toBe(last_activity_at)
    const dates = [pending, after, shown].map((comment) => Date.parse(comment?.created_at ?? ''))
    expect(dates).toEqual(dates.toSorted((a, b) => a - b))
  })

  test('that is refused leaves a place for its author and moderators alone', async () => {
    const { author, reader, moderator, pending, after, list, ids, decide } = await watched()
    await decide('remove')
    expect(await ids(reader)).toEqual([after.id])
    expect(await ids(moderator)).toEqual([pending.id, after.id])
    expect((await list(author)).data).toMatchObject([
      { id: pending.id, status: 'removed', content: '' },
      { id: after.id },
    ])
  })

  test('that has replies keeps an empty place for them, as one does that reports have hidden', async () => {
    const { id, reader, moderator, pending, after, list } = await watched()
    for (const parent of [pending, after])
      await forum.comment(moderator, id, { parent_id: parent.id, content: 'A reply' })
    await forum.reportOften(after.id)
    const empty = { status: 'pending', content: '', content_html: '', author_id: null, attachments: [] }
    expect((await list(reader)).data).toMatchObject(
      [pending, after].map((comment) => ({ id: comment.id, ...empty, replies: [{ content: 'A reply' }] })),
    )
    expect((await forum.get(id)).comment_count).toBe(2)
  })
})

test('a discussion that was pending is the newest when it is shown', async () => {
  const { slug } = await forum.category({ name: 'Careful lists', moderated: true })
  const [author, moderator] = [await forum.join(), await forum.join({ role: 'moderator' })]
  const pending = await forum.start(author, { category: slug })
  const others = [
    await forum.start(moderator, { category: slug }),
    await forum.start(moderator, { category: slug }),
  ]
  await forum.side.admin.post(`/moderation/${(await forum.caseOf(pending.id)).id}/approve`)
  for (const sort of ['latest', 'newest', 'unanswered']) {
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/discussions?category=${slug}&sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`
      const page: Page = taken(await author.client.get<Page>(path))
      walked.push(...page.data.map(({ id }) => id))
      cursor = page.pagination.next_cursor
    }
    expect([sort, walked]).toEqual([sort, [pending.id, others[1]?.id, others[0]?.id]])
  }
})

interface Page {
  data: { id: string }[]
  pagination: { next_cursor: string | null }
}
const YES = { reason: 'Looked at' }
let rooms = 0
const asMember = (id: string) => ({ headers: { 'x-user-id': id } })
