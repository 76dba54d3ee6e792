import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeCase } from '#testkit/areas/community.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withApi } from '#testkit/with-api.ts'
import { codeOf, Forum, taken, type Visitor } from '../forum.fixture.ts'
import type { Comment, Discussion } from '../schema.ts'

// Which reports count, which decision stands, and what events tell of it.

let api: TestApi
let forum: Forum
let author: Visitor
let moderator: Visitor
/** The side of another project. */
let other: Side

withApi(async (opened) => {
  api = opened
  const [one, two] = await makeProjects(api)
  forum = new Forum(one.live)
  other = two.live
  await forum.category({ name: 'General' })
  author = await forum.join()
  moderator = await forum.join({ role: 'moderator' })
})

const SPAM = { reason: 'spam' }
const report = async ({ client }: Visitor, target_id: string) =>
  taken(await client.post<{ data: { id: string; is_new: boolean } }>('/reports', { target_id, ...SPAM })).data
const reportAll = async (reporters: readonly Visitor[], target: string) => {
  for (const each of reporters) await report(each, target)
}
const join = (n: number) => Promise.all(Array.from({ length: n }, () => forum.join()))
const decide = (caseId: string, as: 'approve' | 'remove', reason = 'Looked at') =>
  moderator.client.post<object>(`/moderation/${caseId}/${as}`, { reason })
const approve = async (target: string) => taken(await decide((await forum.caseOf(target)).id, 'approve'))
/** The status of a discussion, or of a comment in it. */
const statusOf = async (discussion: string, target: string) => {
  const path = `/discussions/${discussion}`
  const comments = taken(await forum.side.admin.get<{ data: Comment[] }>(`${path}/comments`)).data
  return [await forum.get(discussion), ...comments].find(({ id }) => id === target)?.status
}
/** The types of the events that name one of these, in their order. */
const eventsOf = async (...ids: string[]): Promise<string[]> => {
  const { rows } = await api.owner.query<{ type: string }>(
    `select type from events where project_id = $1
       and (payload ->> 'id' = any ($2) or payload ->> 'target_id' = any ($2)) order by id`,
    [forum.side.projectId, ids],
  )
  return rows.map(({ type }) => type)
}
const payloadOf = async (type: string, id: string): Promise<unknown[]> => {
  const { rows } = await api.owner.query<{ payload: unknown; member_id: string | null }>(
    "select payload, member_id from events where project_id = $1 and type = $2 and payload ->> 'id' = $3",
    [forum.side.projectId, type, id],
  )
  return rows.map(({ payload, member_id }) => [payload, member_id !== null])
}

describe('a report does not count', () => {
  test('if the same member had reported the post before a moderator approved it: only others hide it again', async () => {
    const before = await join(3)
    const { id } = await forum.start(author)
    const comment = await forum.comment(author, id)
    for (const target of [comment.id, id]) {
      await reportAll(before, target)
      await approve(target)
      await reportAll(before, target)
      expect((await forum.caseOf(target)).report_count).toBe(0)
      const others = await join(3)
      await reportAll(others.slice(0, 2), target)
      expect([target, await statusOf(id, target)]).toEqual([target, 'visible'])
      await reportAll(others.slice(2), target)
      expect([target, await statusOf(id, target)]).toEqual([target, 'pending'])
      await approve(target)
    }
  })

  test('if the author of the post sends it: it waits for a moderator, and two more do not hide it', async () => {
    const { id } = await forum.start(author)
    const { is_new } = await report(author, id)
    expect([is_new, (await forum.caseOf(id)).report_count]).toEqual([true, 0])
    const others = await join(3)
    await reportAll(others.slice(0, 2), id)
    expect((await forum.get(id)).status).toBe('visible')
    const waiting = taken(
      await moderator.client.get<{ data: { target_id: string; reports: object[] }[] }>('/moderation/queue'),
    ).data.find(({ target_id }) => target_id === id)
    expect(waiting).toMatchObject({
      report_count: 2,
      reports: [
        { member_id: author.id, counts: false },
        { member_id: others[0]?.id, counts: true },
        { member_id: others[1]?.id, counts: true },
      ],
    })
    await reportAll(others.slice(2), id)
    expect((await forum.get(id)).status).toBe('pending')
  })

  test('and its erasure lowers no count', async () => {
    const [writer, other] = [await forum.join(), await forum.join()]
    const { id } = await forum.start(writer)
    await reportAll([writer, other], id)
    taken(await forum.side.admin.delete<object>(`/members/${writer.id}?mode=anonymize`))
    expect((await forum.caseOf(id)).report_count).toBe(1)
  })

  test('only for the approved post: reports of another comment by the same members count', async () => {
    const [members, { id }] = [await join(3), await forum.start(author)]
    const [one, two] = [await forum.comment(author, id), await forum.comment(author, id)]
    await reportAll(members, one.id)
    await approve(one.id)
    await reportAll(members, two.id)
    expect((await forum.caseOf(two.id)).report_count).toBe(3)
  })
})

describe('a decided case', () => {
  test.each([
    ['approve', 'remove', 'approved'],
    ['remove', 'approve', 'removed'],
  ] as const)(
    '%s refuses %s with the decision that stands, and answers the same decision again',
    async (first, other, stands) => {
      const { id } = await forum.start(author)
      await report(await forum.join(), id)
      const { id: caseId } = await forum.caseOf(id)
      const decided = taken(await decide(caseId, first, 'The first'))
      const again = await decide(caseId, first, 'The second')
      expect([again.status, again.body]).toEqual([200, decided])
      const refused = await decide(caseId, other)
      expect([refused.status, refused.body]).toMatchObject([
        422,
        { code: 'CASE_DECIDED', reason: stands, error: expect.stringContaining(stands) },
      ])
      expect((await forum.get(id)).status).toBe(first === 'approve' ? 'visible' : 'removed')
    },
  )

  test('refuses one of two different decisions that are sent at once', async () => {
    const { id } = await forum.start(author)
    await report(await forum.join(), id)
    const { id: caseId } = await forum.caseOf(id)
    const codes = await Promise.all([codeOf(decide(caseId, 'approve')), codeOf(decide(caseId, 'remove'))])
    expect(codes.sort()).toEqual(['200', '422 CASE_DECIDED'])
  })

  test('tells its decision to no member who does not moderate', async () => {
    const { id } = await forum.start(author)
    await report(author, id)
    const { id: caseId } = await forum.caseOf(id)
    taken(await decide(caseId, 'approve'))
    expect(await codeOf(author.client.post(`/moderation/${caseId}/remove`, SPAM))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })
})

test('a locked discussion stays with the comments of others: its author cannot remove it, and staff can', async () => {
  const { id } = await forum.start(author)
  await forum.comment(await forum.join(), id)
  await moderator.client.post(`/discussions/${id}/lock`, { locked: true })
  expect(await codeOf(author.client.delete(`/discussions/${id}`))).toBe('422 DISCUSSION_LOCKED')
  expect(await forum.get(id)).toMatchObject({ status: 'visible', comment_count: 1 })
  expect(await codeOf(moderator.client.delete(`/discussions/${id}`))).toBe('200')
})

test('a post that waits for a moderator shows it when it is written, and a later one does not', async () => {
  const { slug } = await forum.category({ name: 'Watched', moderated: true })
  const writer = await forum.join()
  const open = await forum.start(moderator, { category: slug })
  expect(open).not.toHaveProperty('status')
  const comment = await forum.comment(writer, open.id)
  const thread = await forum.start(writer, { category: slug })
  expect([comment.status, thread.status]).toEqual(['pending', 'pending'])
  await approve(comment.id)
  for (const later of [await forum.comment(writer, open.id), await forum.start(writer, { category: slug })])
    expect(later).not.toHaveProperty('status')
})

describe('events tell', () => {
  test('that a first post waits for a moderator, and that it is shown', async () => {
    const { slug } = await forum.category({ name: 'Careful', moderated: true })
    const writer = await forum.join()
    const open = await forum.start(moderator, { category: slug })
    const comment = await forum.comment(writer, open.id)
    const thread = await forum.start(writer, { category: slug })
    const names = { id: comment.id, discussion_id: open.id, author_id: writer.id }
    expect(await payloadOf('post.held', comment.id)).toEqual([[names, true]])
    expect([await eventsOf(comment.id), await eventsOf(thread.id)]).toEqual([['post.held'], ['post.held']])
    for (const { id } of [comment, thread]) await approve(id)
    expect(await eventsOf(comment.id)).toEqual([
      'post.held',
      'post.shown',
      'comment.created',
      'report.resolved',
    ])
    expect(await eventsOf(thread.id)).toEqual([
      ...['post.held', 'post.shown', 'discussion.created', 'report.resolved'],
    ])
  })

  test('that reports hide a post, and that a moderator shows it again', async () => {
    const { id } = await forum.start(author)
    const comment = await forum.comment(author, id)
    for (const target of [comment.id, id]) {
      await reportAll(await join(3), target)
      await approve(target)
      const announced = (await eventsOf(target)).filter((type) => type.startsWith('post.'))
      expect([target, announced]).toEqual([target, ['post.hidden', 'post.shown']])
    }
    const names = { id, discussion_id: id, author_id: author.id }
    for (const type of ['post.hidden', 'post.shown'])
      expect(await payloadOf(type, id)).toEqual([[names, true]])
  })

  test('that a held comment is published, also while its discussion is hidden', async () => {
    const { slug } = await forum.category({ name: 'Held comments', moderated: true })
    const thread = await forum.start(moderator, { category: slug })
    const comment = await forum.comment(await forum.join(), thread.id)
    await reportAll(await join(3), thread.id)
    await approve(comment.id)
    expect(await eventsOf(comment.id)).toEqual([
      ...['post.held', 'post.shown', 'comment.created', 'report.resolved'],
    ])
  })

  test('that an answer is cleared, by whatever clears it, and that it is back', async () => {
    const { id } = await forum.start(author)
    const [one, two] = [await forum.comment(author, id), await forum.comment(author, id)]
    const answer = async (comment_id: string | null) =>
      taken(await author.client.post<object>(`/discussions/${id}/answer`, { comment_id }))
    const since = async (work: () => Promise<unknown>) => {
      const before = await eventsOf(id)
      await work()
      return (await eventsOf(id)).slice(before.length)
    }
    const [answered, unanswered] = [['discussion.answered'], ['discussion.unanswered']]
    expect(await since(() => answer(null))).toEqual([])
    expect(await since(() => answer(one.id))).toEqual(answered)
    expect(await since(() => answer(one.id))).toEqual([])
    expect(await since(() => answer(null))).toEqual(unanswered)
    expect(await since(() => answer(one.id))).toEqual(answered)
    expect(await since(() => answer(two.id))).toEqual(answered)
    expect(await since(() => forum.reportOften(two.id))).toEqual(unanswered)
    expect(await since(() => approve(two.id))).toEqual(answered)
    expect(await since(() => author.client.delete(`/comments/${one.id}`))).toEqual([])
    expect(await since(() => author.client.delete(`/comments/${two.id}`))).toEqual(unanswered)
    const three = await forum.comment(author, id)
    await answer(three.id)
    await report(await forum.join(), three.id)
    const { id: caseId } = await forum.caseOf(three.id)
    expect(await since(() => decide(caseId, 'remove'))).toEqual(unanswered)
  })
})

describe('a category that a key makes by naming it', () => {
  test('is named in the answer, once, where a discussion is started and where it is moved', async () => {
    const key = forum.side.admin
    const start = async (category: string) => {
      const body = { title: 'A title', content: 'Words', author_id: author.id, category }
      return taken(await key.post<{ discussion: Discussion }>('/discussions', body)).discussion
    }
    const typo = await start('Genral')
    expect(typo).toMatchObject({ category: 'genral', category_created: true })
    for (const category of ['genral', 'general'])
      expect(await start(category)).not.toHaveProperty('category_created')
    const move = async (category: string) =>
      taken(await key.patch<{ data: Discussion }>(`/discussions/${typo.id}`, { category })).data
    expect(await move('Gneral')).toMatchObject({ category: 'gneral', category_created: true })
    expect(await move('general')).not.toHaveProperty('category_created')
    expect(await forum.get(typo.id)).not.toHaveProperty('category_created')
  })

  test('is named in one of two answers that make it at once', async () => {
    const start = async () => {
      const body = { title: 'A title', content: 'Words', author_id: author.id, category: 'At once' }
      return taken(await forum.side.admin.post<{ discussion: object }>('/discussions', body)).discussion
    }
    const made = await Promise.all([start(), start(), start()])
    expect(made.filter((discussion) => 'category_created' in discussion)).toHaveLength(1)
  })
})

describe('decisions in bulk', () => {
  interface Decided {
    data: { succeeded: number; failed: number; results: { id: string; success: boolean; code?: string }[] }
  }
  const bulk = async (operations: readonly object[], { client }: Pick<Visitor, 'client'> = moderator) =>
    taken(await client.post<Decided>('/moderation/bulk', { operations })).data
  const codes = ({ results }: Decided['data']) =>
    results.map(({ id, success, code }) => [id, code ?? success])
  /** The cases of some reported discussions. */
  const reported = async (n: number) => {
    const posts = await Promise.all(Array.from({ length: n }, () => forum.start(author)))
    const reporter = await forum.join()
    for (const { id } of posts) await report(reporter, id)
    return Promise.all(posts.map(async (post) => ({ post: post.id, id: (await forum.caseOf(post.id)).id })))
  }
  const auditOf = async (target: string) => {
    const { rows } = await api.owner.query<{ action: string }>(
      'select action, actor_id, reason, ip from audit_log where project_id = $1 and target = $2',
      [forum.side.projectId, target],
    )
    return rows
  }

  test('answer a result for each in their order, and each is announced and audited, with the address, as a single one is', async () => {
    const [shown, gone] = await reported(2)
    const missing = missingId('rep')
    const foreign = await makeCase(other)
    const decided = await bulk([
      { id: shown?.id, action: 'approve' },
      { id: gone?.id, action: 'remove', reason: 'Advertising' },
      { id: gone?.id, action: 'remove', reason: 'The second' },
      { id: gone?.id, action: 'approve' },
      ...[missing, foreign.id, gone?.post, 'no id'].map((id) => ({ id, action: 'approve' })),
    ])
    expect(codes(decided)).toEqual([
      [shown?.id, true],
      [gone?.id, true],
      [gone?.id, true],
      [gone?.id, 'CASE_DECIDED'],
      ...[missing, foreign.id, gone?.post, 'no id'].map((id) => [id, 'NOT_FOUND']),
    ])
    expect([decided.succeeded, decided.failed]).toEqual([3, 5])
    expect([
      await statusOf(shown?.post ?? '', shown?.post ?? ''),
      (await forum.get(gone?.post ?? '')).status,
    ]).toEqual(['visible', 'removed'])
    expect(await auditOf(shown?.post ?? '')).toEqual([
      {
        action: 'moderation.approve',
        actor_id: moderator.id,
        reason: null,
        ip: expect.stringMatching(/^\d+(\.\d+){3}$/),
      },
    ])
    expect(await auditOf(gone?.post ?? '')).toEqual([
      {
        action: 'moderation.remove',
        actor_id: moderator.id,
        reason: 'Advertising',
        ip: expect.stringMatching(/^\d+(\.\d+){3}$/),
      },
    ])
    expect((await eventsOf(gone?.post ?? '')).filter((type) => type === 'report.resolved')).toHaveLength(1)
    const { rows } = await api.owner.query('select decision from moderation_cases where project_id = $1', [
      other.projectId,
    ])
    expect(rows).toEqual([{ decision: null }])
  })

  test('that are sent twice at once, beside a single one, decide each case once', async () => {
    const cases = await reported(3)
    const operations = cases.map(({ id }) => ({ id, action: 'remove', reason: 'Spam' }))
    const answers = await Promise.all([
      bulk(operations),
      bulk(operations.toReversed()),
      decide(cases[1]?.id ?? '', 'remove', 'Spam'),
    ])
    expect(answers.slice(0, 2)).toMatchObject([{ succeeded: 3 }, { succeeded: 3 }])
    for (const { post } of cases) expect(await auditOf(post)).toHaveLength(1)
  })

  test('are refused as a whole for a removal without a reason, and for whoever is no moderator', async () => {
    const [one] = await reported(1)
    const operations = [
      { id: one?.id, action: 'approve' },
      { id: one?.id, action: 'remove' },
    ]
    const { status, body } = await moderator.client.post('/moderation/bulk', { operations })
    expect([status, body]).toMatchObject([
      422,
      { details: [{ field: 'operations[1].reason', rule: 'required' }] },
    ])
    const sent = { operations: operations.slice(0, 1) }
    expect(await codeOf(author.client.post('/moderation/bulk', sent))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect((await forum.caseOf(one?.post ?? '')).id).toBe(one?.id)
  })
})
