import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import { withProjects } from '#testkit/with-api.ts'
import { codeOf, Forum, taken, type Visitor } from '../forum.fixture.ts'

// What authors can say against a decision about a post of theirs, and what follows from it.

let api: TestApi
let forum: Forum
let moderator: Visitor
let reporter: Visitor

withProjects(async (opened, one) => {
  api = opened
  forum = new Forum(one.test)
  await forum.category({ name: 'General' })
  moderator = await forum.join({ role: 'moderator' })
  reporter = await forum.join()
})

interface Queued {
  id: string
  target_id: string
  decision: string | null
  appeal: { id: string; text: string; decision: string | null } | null
}
const queue = async (status: string) =>
  taken(await moderator.client.get<{ data: Queued[] }>(`/moderation/queue?status=${status}&limit=100`)).data
const waits = async (target: string) =>
  (await queue('appealed')).some(({ target_id }) => target_id === target)
const appeal = ({ client }: Pick<Visitor, 'client'>, id: string, text = 'It is no spam') =>
  client.post<{ data: { id: string; case_id: string; target_id: string } }>(`/moderation/${id}/appeal`, {
    text,
  })
const refusal = async (answer: ReturnType<typeof appeal>) => {
  const { status, body } = await answer
  const { code, reason } = body as { code?: string; reason?: string }
  return [status, code, reason]
}
const decide = (caseId: string, as: 'approve' | 'remove', reason = 'Looked at') =>
  moderator.client.post<object>(`/moderation/${caseId}/${as}`, { reason })

/** A comment of an author that a moderator has removed. */
async function removed() {
  const author = await forum.join()
  const thread = await forum.start(moderator)
  const { id } = await forum.comment(author, thread.id, { content: 'Perfectly ordinary zebras' })
  taken(await reporter.client.post<object>('/reports', { target_id: id, reason: 'spam' }))
  const { id: caseId } = await forum.caseOf(id)
  taken(await decide(caseId, 'remove', 'Advertising'))
  return { author, thread: thread.id, id, caseId }
}
const auditOf = async (target: string) => {
  const { rows } = await api.owner.query<{ action: string; actor_id: string }>(
    'select action, actor_id from audit_log where project_id = $1 and target = $2 order by id',
    [forum.side.projectId, target],
  )
  return rows.map(({ action, actor_id }) => [action, actor_id])
}

describe('an appeal of a removed post', () => {
  test('is granted by an approval: the post is seen, counted and found again, and the case says so', async () => {
    const { author, thread, id, caseId } = await removed()
    const made = taken(await appeal(author, caseId))
    expect(made.data).toMatchObject({ case_id: caseId, target_id: id })
    expect((await queue('appealed')).find(({ target_id }) => target_id === id)).toMatchObject({
      decision: 'removed',
      appeal: { id: made.data.id, text: 'It is no spam', decision: null },
    })
    expect((await forum.get(thread)).comment_count).toBe(0)
    expect(taken(await decide(caseId, 'approve'))).toMatchObject({ data: { decision: 'approved' } })
    expect([await waits(id), (await forum.get(thread)).comment_count]).toEqual([false, 1])
    const found = taken(
      await reporter.client.get<{ data: { id: string }[] }>('/search?q=ordinary+zebras'),
    ).data.map((each) => each.id)
    expect(found).toContain(id)
    expect((await queue('resolved')).find((each) => each.id === caseId)).toMatchObject({
      decision: 'approved',
      appeal: { decision: 'overturned' },
    })
    expect(await auditOf(id)).toEqual([
      ['moderation.remove', moderator.id],
      ['moderation.appeal', author.id],
      ['moderation.approve', moderator.id],
    ])
    expect(await codeOf(decide(caseId, 'remove'))).toBe('422 CASE_DECIDED')
  })

  test('is refused by a removal: the first reason stands, and neither can be changed again', async () => {
    const { author, thread, id, caseId } = await removed()
    taken(await appeal(author, id))
    expect(taken(await decide(caseId, 'remove', 'Still advertising'))).toMatchObject({
      data: { decision: 'removed', reason: 'Advertising' },
    })
    expect((await forum.get(thread)).comment_count).toBe(0)
    expect(await codeOf(decide(caseId, 'approve'))).toBe('422 CASE_DECIDED')
    expect(await refusal(appeal(author, id))).toEqual([422, 'APPEAL_REFUSED', 'appealed'])
    expect(await auditOf(id)).toHaveLength(3)
  })

  test('is decided once by two moderators at once, and sent once by two requests at once', async () => {
    const { author, caseId } = await removed()
    const sent = await Promise.all([codeOf(appeal(author, caseId)), codeOf(appeal(author, caseId))])
    expect(sent.sort()).toEqual(['201', '422 APPEAL_REFUSED'])
    const decided = await Promise.all([codeOf(decide(caseId, 'approve')), codeOf(decide(caseId, 'remove'))])
    expect(decided.sort()).toEqual(['200', '422 CASE_DECIDED'])
    const { rows } = await api.owner.query<{ n: number }>(
      "select count(*)::int4 as n from events where type = 'appeal.decided' and payload ->> 'case_id' = $1",
      [caseId],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  test('ends 30 days after the decision', async () => {
    const { author, caseId } = await removed()
    await advance(forum.side, { days: 31 })
    expect(await refusal(appeal(author, caseId))).toEqual([422, 'APPEAL_REFUSED', 'late'])
  })
})

describe('an appeal', () => {
  test('of a post that waits for a moderator is decided with it', async () => {
    const { slug } = await forum.category({ name: 'Careful', moderated: true })
    const [one, two] = [await forum.join(), await forum.join()]
    for (const [author, as, decision] of [
      [one, 'approve', 'overturned'],
      [two, 'remove', 'upheld'],
    ] as const) {
      const { id } = await forum.start(author, { category: slug })
      taken(await appeal(author, id))
      expect(await waits(id)).toBe(true)
      const { id: caseId } = await forum.caseOf(id)
      taken(await decide(caseId, as))
      const decided = (await queue('resolved')).find((each) => each.id === caseId)
      expect([decided?.appeal?.decision, await waits(id)]).toEqual([decision, false])
    }
  })

  test('is over when its author removes the post, and of what the author removed there is none', async () => {
    const { slug } = await forum.category({ name: 'Withdrawn', moderated: true })
    const author = await forum.join()
    const [kept, gone] = [
      await forum.start(author, { category: slug }),
      await forum.start(author, { category: slug }),
    ]
    taken(await appeal(author, kept.id))
    for (const { id } of [kept, gone]) taken(await author.client.delete<object>(`/discussions/${id}`))
    expect(await waits(kept.id)).toBe(false)
    expect(await refusal(appeal(author, gone.id))).toEqual([422, 'APPEAL_REFUSED', 'own'])
  })

  test('is for the author alone, and for posts that others cannot see', async () => {
    const { author, caseId, id } = await removed()
    for (const other of [reporter, moderator])
      for (const named of [caseId, id]) expect(await codeOf(appeal(other, named))).toBe('404 NOT_FOUND')
    for (const named of [missingId('rep'), missingId('cmt'), missingId('fb'), 'no-id'])
      expect(await codeOf(appeal(author, named))).toBe('404 NOT_FOUND')
    const thread = await forum.start(author)
    expect(await codeOf(appeal(author, thread.id))).toBe('404 NOT_FOUND')
    taken(await reporter.client.post<object>('/reports', { target_id: thread.id, reason: 'spam' }))
    expect(await refusal(appeal(author, thread.id))).toEqual([422, 'APPEAL_REFUSED', 'visible'])
    const asKey = forum.side.admin
    expect(await codeOf(asKey.post(`/moderation/${caseId}/appeal`, { text: 'Mine' }))).toBe(
      '400 INVALID_PARAMETERS',
    )
    const headers = { 'x-user-id': author.id }
    expect(await codeOf(asKey.post(`/moderation/${caseId}/appeal`, { text: 'Mine' }, { headers }))).toBe(
      '201',
    )
  })

  test('can be sent by a suspended member, and is forgotten with the member', async () => {
    const { author, caseId, id } = await removed()
    taken(await forum.side.admin.post<object>(`/members/${author.id}/suspend`, { reason: 'Insults' }))
    taken(await appeal(author, caseId, 'Words to forget'))
    expect(await waits(id)).toBe(true)
    taken(await forum.side.admin.delete<object>(`/members/${author.id}?mode=anonymize`))
    expect(await waits(id)).toBe(false)
    const { rows } = await api.owner.query("select id from appeals where text = 'Words to forget'")
    expect(rows).toEqual([])
  })
})
