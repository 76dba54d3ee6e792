import { describe, expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import type { FeedbackItem } from '../schema.ts'
import { Board } from './board.fixture.ts'

let side: Side
let other: Side
let board: Board
let members: string[]

withNewProjects(async (_api, one, two) => {
  side = one.live
  other = two.live
  board = new Board(side)
  members = await Promise.all(Array.from({ length: 12 }, async () => (await side.makeMember()).id))
})

const member = (i: number) => members[i] ?? ''
interface Refused {
  code: string
}

describe('a vote', () => {
  test('counts once, however often it is given, and is taken back once', async () => {
    const id = await board.make()
    expect(await board.vote(id, member(0))).toEqual({ voted: true, vote_count: 1 })
    expect(await board.vote(id, member(0))).toEqual({ voted: true, vote_count: 1 })
    expect(await board.vote(id, member(1))).toEqual({ voted: true, vote_count: 2 })
    expect(await board.unvote(id, member(0))).toEqual({ voted: false, vote_count: 1 })
    expect(await board.unvote(id, member(0))).toEqual({ voted: false, vote_count: 1 })
  })

  test('given twice at once counts once; fifty at once count fifty', async () => {
    const id = await board.make()
    await Promise.all(Array.from({ length: 10 }, () => board.vote(id, member(0))))
    expect(await board.count(id)).toBe(1)
    const crowd = await Promise.all(Array.from({ length: 50 }, async () => (await side.makeMember()).id))
    await Promise.all(crowd.map((each) => board.vote(id, each)))
    expect(await board.count(id)).toBe(51)
    await Promise.all(crowd.slice(20).map((each) => board.unvote(id, each)))
    expect(await board.count(id)).toBe(21)
  })

  test('is a member’s: a key names one, a token is one', async () => {
    const id = await board.make()
    const path = `/feedback/${id}/vote`
    const tried = async (headers: Record<string, string>) => {
      const { status, body } = await side.admin.put<Refused>(path, undefined, { headers })
      return `${status} ${body.code}`
    }
    expect(await tried({})).toBe('400 INVALID_PARAMETERS')
    expect(await tried({ 'x-user-id': (await other.makeMember()).id })).toBe('422 MEMBER_NOT_FOUND')
    const { token, memberId } = await side.signIn()
    const own = await side.as(token).put<{ data: object }>(path)
    expect(own.body.data).toEqual({ voted: true, vote_count: 1 })
    const { body } = await side.as(token).get<{ data: FeedbackItem }>(`/feedback/${id}`)
    expect(body.data.viewer).toEqual({ voted: true })
    const voters = await side.admin.get<{ data: object[] }>(`/feedback/${id}/voters`)
    expect(voters.body.data).toEqual([
      { member_id: memberId, feedback_id: id, created_at: expect.any(String) },
    ])
  })
})

describe('a merge', () => {
  test('counts each voter once, moves no vote, and is undone without a trace', async () => {
    const [a, b, c] = [await board.make(), await board.make(), await board.make()]
    for (const i of [0, 1]) await board.vote(a, member(i))
    for (const i of [1, 2]) await board.vote(b, member(i))
    for (const i of [0, 2, 3]) await board.vote(c, member(i))
    expect(await board.merge(a, b)).toMatchObject({ merged_into: b, status: 'duplicate', vote_count: 2 })
    expect(await board.count(b)).toBe(3)
    await board.merge(b, c)
    expect([await board.count(a), await board.count(b), await board.count(c)]).toEqual([2, 3, 4])
    expect(await board.merge(b, null)).toMatchObject({ merged_into: null, status: 'new', vote_count: 3 })
    await board.merge(a, null)
    expect([await board.count(a), await board.count(b), await board.count(c)]).toEqual([2, 2, 3])
  })

  test('lets votes go on, for the duplicate and for what it is merged into', async () => {
    const [a, b] = [await board.make(), await board.make()]
    await board.vote(a, member(0))
    await board.merge(a, b)
    expect(await board.vote(a, member(1))).toEqual({ voted: true, vote_count: 2 })
    expect(await board.vote(b, member(0))).toEqual({ voted: true, vote_count: 2 })
    expect(await board.unvote(b, member(1))).toEqual({ voted: false, vote_count: 1 })
    await board.merge(a, null)
    expect([await board.count(a), await board.count(b)]).toEqual([1, 1])
  })

  test('into itself, in a circle, or into what is not there is refused', async () => {
    const [a, b, c] = [await board.make(), await board.make(), await board.make()]
    await board.merge(a, b)
    await board.merge(b, c)
    const refusal = async (id: string, into: string) => {
      const { status, body } = await side.admin.post<Refused>(`/feedback/${id}/merge`, { into })
      return `${status} ${body.code}`
    }
    for (const [id, into] of [
      [a, a],
      [b, a],
      [c, a],
      [c, b],
    ] as const)
      expect(await refusal(id, into)).toBe('422 MERGE_CIRCLE')
    const theirs = await new Board(other).make()
    for (const into of [theirs, 'fb_01jcq3k8f7e8qtk4m3hbw7rn2d', 'x', member(0)])
      expect(await refusal(a, into)).toBe('422 VALIDATION_ERROR')
    expect(await refusal(theirs, a)).toBe('404 NOT_FOUND')
    expect(await board.merge(a, b)).toMatchObject({ merged_into: b })
  })

  test('of many at once makes no circle and loses no vote', async () => {
    const items = await Promise.all(Array.from({ length: 6 }, () => board.make()))
    await Promise.all(items.map((id, i) => board.vote(id, member(i))))
    const next = (i: number) => items[(i + 1) % items.length] ?? ''
    const merges = items.map((id, i) => side.admin.post(`/feedback/${id}/merge`, { into: next(i) }))
    const votes = items.map((id, i) => board.vote(id, member(i + 6)))
    const [statuses] = await Promise.all([Promise.all(merges), Promise.all(votes)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 422])
    expect(await board.drift()).toEqual([])
    const root = items[statuses.findIndex(({ status }) => status === 422)] ?? ''
    expect(await board.count(root)).toBe(12)
  })

  test('ends for the duplicates of an item that is deleted, and their votes are as before', async () => {
    const [a, b, c] = [await board.make(), await board.make(), await board.make()]
    await board.vote(a, member(0))
    await board.vote(b, member(1))
    await board.merge(a, b)
    await board.merge(b, c)
    await side.admin.delete(`/feedback/${b}`)
    expect([await board.count(a), await board.count(c)]).toEqual([1, 0])
    const { body } = await side.admin.get<{ data: FeedbackItem }>(`/feedback/${a}`)
    expect(body.data).toMatchObject({ merged_into: null, status: 'new' })
  })

  test('into a private item does not tell others where it went', async () => {
    const [open, hidden] = [await board.make(), await board.make({ type: 'bug' })]
    await board.merge(open, hidden)
    const { token } = await side.signIn()
    const { body } = await side.as(token).get<{ data: FeedbackItem }>(`/feedback/${open}`)
    expect(body.data).toMatchObject({ status: 'duplicate', merged_into: null })
  })
})

test('whoever is forgotten has no vote any more, and the item stays', async () => {
  const [a, b] = [await board.make({ user_id: member(10) }), await board.make()]
  await board.vote(b, member(10))
  await board.vote(b, member(11))
  await board.merge(a, b)
  await side.admin.delete(`/members/${member(10)}?mode=anonymize`)
  expect([await board.count(a), await board.count(b)]).toEqual([0, 1])
  expect(await board.drift()).toEqual([])
})
