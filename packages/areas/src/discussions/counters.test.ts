import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { type Client, makeProjects, type Side } from '#testkit/factories.ts'
import type { Comment, Discussion } from './schema.ts'

// Counters of discussions and comments, whatever happens at once.

let api: TestApi
let side: Side

beforeAll(async () => {
  api = await startApi()
  const [one] = await makeProjects(api)
  side = one.live
})
afterAll(() => api.close())

interface Member {
  id: string
  client: Client
}
const join = async (): Promise<Member> => {
  const { id } = await side.makeMember()
  return { id, client: side.as((await side.signIn(id)).token) }
}
const start = async (client: Client) => {
  const input = { title: 'A title', content: 'Words', category: 'general' }
  return (await client.post<{ discussion: Discussion }>('/discussions', input)).body.discussion
}
const comment = async (client: Client, id: string) =>
  (await client.post<{ comment: Comment }>(`/discussions/${id}/comments`, { content: 'Words' })).body.comment

test('counters equal a recount after any sequence of acts of several members at once', async () => {
  await side.admin.post('/discussion-categories', { name: 'General' })
  const members = await Promise.all(Array.from({ length: 4 }, () => join()))
  const threads = await Promise.all(members.map(({ client }) => start(client)))
  const written: string[] = []
  let seed = 20261122
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const act = async () => {
    const { client } = members[random(members.length)] as Member
    const { id } = threads[random(threads.length)] as Discussion
    const target = written[random(written.length || 1)]
    const kind = random(7)
    if (kind <= 1 || target === undefined) {
      const made = await comment(client, id)
      if (made) written.push(made.id)
    } else if (kind === 2) await client.put(`/discussions/${id}/like`)
    else if (kind === 3) await client.delete(`/discussions/${id}/like`)
    else if (kind === 4) await client.put(`/comments/${target}/like`)
    else if (kind === 5) await side.admin.delete(`/comments/${target}`)
    else await client.delete(`/comments/${target}/like`)
  }
  const drifts = async () =>
    (
      await api.owner.query(
        `select d.id from discussions d where project_id = $1 and (
           d.comment_count <> (select count(*) from comments c where c.discussion_id = d.id and c.status = 'visible')
           or d.likes <> (select count(*) from discussion_members m where m.discussion_id = d.id and m.liked)
           or d.last_activity_at <> greatest(d.created_at, (select max(c.created_at) from comments c
             where c.discussion_id = d.id and c.status = 'visible')))
         union all
         select c.id from comments c where project_id = $1 and (
           c.likes <> (select count(*) from comment_likes l where l.comment_id = c.id)
           or c.reply_count <> (select count(*) from comments r where r.parent_id = c.id and r.status = 'visible'))`,
        [side.projectId],
      )
    ).rows
  for (let round = 0; round < 8; round++) {
    await Promise.all(Array.from({ length: 8 }, act))
    expect(await drifts()).toEqual([])
  }
  await side.admin.delete(`/members/${members[0]?.id}?mode=anonymize`)
  expect(await drifts()).toEqual([])
  const { rows } = await api.owner.query(
    'select count(*)::int4 as rows from discussion_members where member_id = $1',
    [parseId('member', members[0]?.id ?? '')],
  )
  expect(rows).toEqual([{ rows: 0 }])
})
