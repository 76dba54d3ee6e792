import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { Board } from '../votes/board.fixture.ts'

let api: TestApi
let side: Side
let board: Board

withNewProjects((opened, one) => {
  api = opened
  side = one.live
  board = new Board(side)
})

const join = async (input: object = {}): Promise<Client> => {
  const { id } = await side.makeMember(input)
  return side.as((await side.signIn(id)).token)
}

test('a comment is deleted by its author and by the team; to whoever cannot see it, it is missing', async () => {
  const id = await board.make()
  const [author, other, moderator] = [await join(), await join(), await join({ role: 'moderator' })]
  const write = async (client: Client, input: object = {}) => {
    const body = { content: 'Words', ...input }
    return (await client.post<{ data: { id: string } }>(`/feedback/${id}/comments`, body)).body.data.id
  }
  const left = async () =>
    (await side.admin.get<{ data: { id: string }[] }>(`/feedback/${id}/comments`)).body.data.map(
      (comment) => comment.id,
    )
  const remove = async (client: Client, comment: string) => {
    const answer = await client.delete(`/feedback-comments/${comment}`)
    return answer.status === 200 ? 'deleted' : refusalOf(answer)
  }
  const [mine, theirs, keyed] = [await write(author), await write(author), await write(author)]
  const note = await write(moderator, { visibility: 'private' })
  expect([await remove(other, mine), await remove(other, note), await remove(author, note)]).toEqual([
    ...['403 INSUFFICIENT_PERMISSIONS', '404 NOT_FOUND', '404 NOT_FOUND'],
  ])
  expect([await remove(author, mine), await remove(author, mine)]).toEqual(['deleted', '404 NOT_FOUND'])
  expect([await remove(moderator, theirs), await remove(side.admin, keyed)]).toEqual(['deleted', 'deleted'])
  expect(await left()).toEqual([note])
  await side.admin.patch(`/feedback/${id}`, { visibility: 'private' })
  const hidden = await write(moderator)
  expect(await remove(author, hidden)).toBe('404 NOT_FOUND')
  const { rows } = await api.owner.query<{ type: string; n: number }>(
    `select type, count(*)::int4 as n from events
      where type like 'feedback.comment%' and project_id = $1 group by 1 order by 1`,
    [side.projectId],
  )
  expect(rows).toEqual([
    { type: 'feedback.comment_removed', n: 3 },
    { type: 'feedback.commented', n: 5 },
  ])
})
