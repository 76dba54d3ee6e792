import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { Board } from './board.fixture.ts'

// Whatever several members and moderators do at once, counters equal a recount after each step.

let side: Side
let board: Board

withProjects((_api, one) => {
  side = one.live
  board = new Board(side)
})

const ITEMS = 5
const MEMBERS = 4
const item = fc.nat(ITEMS - 1)
const member = fc.nat(MEMBERS - 1)
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('vote' as const), item, member }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unvote' as const), item, member }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('merge' as const), item, into: item }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unmerge' as const), item }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), item }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), member }) },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Each is one request; what is refused, or gone by then, is none of the counters' business. */
function perform(items: string[], members: string[], act: Act): Promise<{ status: number }> {
  const { admin } = side
  const path = 'item' in act ? `/feedback/${items[act.item]}` : ''
  const headers = 'member' in act ? { 'x-user-id': members[act.member] ?? '' } : {}
  switch (act.kind) {
    case 'vote':
      return admin.put(`${path}/vote`, undefined, { headers })
    case 'unvote':
      return admin.delete(`${path}/vote`, { headers })
    case 'merge':
      return admin.post(`${path}/merge`, { into: items[act.into] })
    case 'unmerge':
      return admin.post(`${path}/merge`, { into: null })
    case 'delete':
      return admin.delete(path)
    case 'forget':
      return admin.delete(`/members/${members[act.member]}?mode=anonymize`)
  }
}

test('counters equal a recount after each step of random acts at once', async () => {
  // A step is some acts that happen at the same moment.
  const steps = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const items = await Promise.all(Array.from({ length: ITEMS }, () => board.make()))
      const members = await Promise.all(
        Array.from({ length: MEMBERS }, async () => (await side.makeMember()).id),
      )
      for (const step of all) {
        const answers = await Promise.all(step.map((each) => perform(items, members, each)))
        expect(answers.filter(({ status }) => status >= 500)).toEqual([])
        expect(await board.drift()).toEqual([])
      }
    }),
    { numRuns: 6, seed: 20261122, endOnFailure: true },
  )
})
