import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { driftsOf } from './drifts.fixture.ts'
import { Forum, type Visitor } from './forum.fixture.ts'
import { commentId, discussionId } from './ids.ts'
import { updateDiscussionSettings } from './settings.ts'

// Counters of discussions, comments and cases equal a recount, whatever happens at once.

let api: TestApi
let side: Side
let forum: Forum

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  forum = new Forum(side)
  await forum.category({ name: 'General' })
  await forum.category({ name: 'Other' })
  // So that a single report hides.
  await side.write((ctx) => updateDiscussionSettings(ctx, { reportThreshold: 1 }))
})

/** What counters say wrongly. */
const drifts = () => driftsOf(api.owner, side.projectId)

const THREADS = 3
const MEMBERS = 4
const thread = fc.nat(THREADS - 1)
const member = fc.nat(MEMBERS - 1)
/** One of what has been written so far. */
const nth = fc.nat(30)
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('comment' as const), member, thread }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reply' as const), member, nth }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('like' as const), member, thread }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unlike' as const), member, thread }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('like comment' as const), member, nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unlike comment' as const), member, nth }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove comment' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('report' as const), member, nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('report thread' as const), member, thread }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('approve' as const, 'remove' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), thread, to: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove thread' as const), thread }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), member }) },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** One forum, in which members do things. */
class Play {
  readonly written: string[] = []
  readonly cases: string[] = []
  readonly #members: Visitor[]
  readonly #threads: string[]
  constructor(members: Visitor[], threads: string[]) {
    this.#members = members
    this.#threads = threads
  }

  /** Each is one request; what is refused, or gone by then, is none of the counters' business. */
  perform(act: Act): Promise<{ status: number }> {
    const { admin } = side
    const client = 'member' in act ? (this.#members[act.member] as Visitor).client : admin
    const discussion = 'thread' in act ? `/discussions/${this.#threads[act.thread]}` : ''
    const named = 'nth' in act ? this.written[act.nth % Math.max(1, this.written.length)] : undefined
    switch (act.kind) {
      case 'comment':
        return this.#write(client, `${discussion}/comments`, {})
      case 'reply':
        return this.#reply(client, named)
      case 'like':
        return client.put(`${discussion}/like`)
      case 'unlike':
        return client.delete(`${discussion}/like`)
      case 'like comment':
        return client.put(`/comments/${named}/like`)
      case 'unlike comment':
        return client.delete(`/comments/${named}/like`)
      case 'remove comment':
        return admin.delete(`/comments/${named}`)
      case 'report':
        return this.#report(client, named)
      case 'report thread':
        return this.#report(client, this.#threads[act.thread])
      case 'approve':
      case 'remove':
        return admin.post(`/moderation/${this.cases[act.nth % Math.max(1, this.cases.length)]}/${act.kind}`, {
          reason: 'So it is',
        })
      case 'move':
        return admin.patch(discussion, { category: act.to ? 'other' : 'general' })
      case 'remove thread':
        return admin.delete(discussion)
      case 'erase':
        return admin.delete(`/members/${this.#members[act.member]?.id}?mode=anonymize`)
    }
  }

  async #write(client: Visitor['client'], path: string, input: object) {
    const answer = await client.post<{ comment?: { id: string } }>(path, { content: 'Words', ...input })
    if (answer.body.comment) this.written.push(answer.body.comment.id)
    return answer
  }

  async #reply(client: Visitor['client'], to: string | undefined) {
    const { rows } = await api.owner.query<{ id: string }>(
      'select discussion_id as id from comments where id = $1',
      [parseId(commentId, to ?? '') ?? null],
    )
    const path = this.#threads.find((id) => parseId(discussionId, id) === rows[0]?.id)
    return this.#write(client, `/discussions/${path}/comments`, { parent_id: to })
  }

  async #report(client: Visitor['client'], target_id = '') {
    const answer = await client.post<{ data?: { id: string } }>('/reports', { target_id, reason: 'spam' })
    if (answer.body.data) this.cases.push(answer.body.data.id)
    return answer
  }
}

test('counters equal a recount after each step of random acts of several members at once', async () => {
  // A step is some acts that happen at the same moment.
  const steps = fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const members = await Promise.all(Array.from({ length: MEMBERS }, () => forum.join()))
      const threads = await Promise.all(
        Array.from({ length: THREADS }, async () => (await forum.start(members[0] as Visitor)).id),
      )
      const play = new Play(members, threads)
      for (const id of threads)
        await forum.comment(members[1] as Visitor, id).then((c) => play.written.push(c.id))
      for (const step of all) {
        const answers = await Promise.all(step.map((each) => play.perform(each)))
        expect(answers.filter(({ status }) => status >= 500)).toEqual([])
        expect(await drifts()).toEqual([])
      }
    }),
    { numRuns: 6, seed: 20261122, endOnFailure: true },
  )
})

test('fifty members who write and like at the same moment are fifty', async () => {
  const members = await Promise.all(Array.from({ length: 50 }, () => forum.join()))
  const { id } = await forum.start(members[0] as Visitor)
  const { id: comment } = await forum.comment(members[0] as Visitor, id)
  const answers = await Promise.all(
    members.map(async ({ client }) => [
      await client.post(`/discussions/${id}/comments`, { content: 'Words', parent_id: comment }),
      await client.put(`/discussions/${id}/like`),
      await client.put(`/comments/${comment}/like`),
      await client.put(`/discussions/${id}/like`),
      await client.put(`/discussions/${id}/subscription`),
    ]),
  ).then((all) => all.flat())
  expect(answers.filter(({ status }) => status > 201).map(({ body }) => body)).toEqual([])
  expect(await forum.get(id)).toMatchObject({ comment_count: 51, likes: 50 })
  const { body } = await side.admin.get<{ data: object[] }>(`/discussions/${id}/comments`)
  expect(body.data).toMatchObject([{ id: comment, likes: 50, reply_count: 50 }])
  await Promise.all(members.map(({ client }) => client.delete(`/discussions/${id}/like`)))
  expect((await forum.get(id)).likes).toBe(0)
  expect(await drifts()).toEqual([])
})

test('whoever is erased leaves no like, no subscription and no report behind', async () => {
  const { id: gone, client } = await forum.join()
  const { id } = await forum.start(await forum.join())
  await client.put(`/discussions/${id}/like`)
  await client.post(`/discussions/${id}/comments`, { content: 'Words' })
  await side.admin.delete(`/members/${gone}?mode=anonymize`)
  expect(await forum.get(id)).toMatchObject({ likes: 0, comment_count: 1 })
  const { rows } = await api.owner.query(
    `select from discussion_members where member_id = $1 union all select from reports where member_id = $1`,
    [parseId('member', gone)],
  )
  expect(rows).toEqual([])
  expect(await drifts()).toEqual([])
})
