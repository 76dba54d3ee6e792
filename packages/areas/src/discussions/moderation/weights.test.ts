import { expect, test } from 'vitest'
import { withProjects } from '#testkit/with-api.ts'
import { codeOf, Forum, taken, type Visitor } from '../forum.fixture.ts'

// What reports weigh, by how often their members were right before.

let forum: Forum
let author: Visitor
let moderator: Visitor

withProjects(async (_api, one) => {
  forum = new Forum(one.live)
  await forum.category({ name: 'General' })
  author = await forum.join()
  moderator = await forum.join({ role: 'moderator' })
})

interface Queued {
  id: string
  target_id: string
  weight: number
  report_count: number
  reports: { member_id: string; weight: number; counts: boolean }[]
}
const report = async ({ client }: Visitor, target_id: string) =>
  taken(await client.post<object>('/reports', { target_id, reason: 'spam' }))
const queue = async (query = '') =>
  taken(await moderator.client.get<{ data: Queued[] }>(`/moderation/queue?limit=100${query}`)).data
const caseOf = async (target: string) => (await queue()).find(({ target_id }) => target_id === target)
const decide = async (caseId: string | undefined, as: 'approve' | 'remove') =>
  taken(await moderator.client.post<object>(`/moderation/${caseId}/${as}`, { reason: 'Looked at' }))
/** Reports a new post, of which a moderator then decides. */
async function judged(
  reporter: Visitor,
  as: 'approve' | 'remove',
): Promise<{ post: string; caseId: string }> {
  const { id: post } = await forum.start(author)
  await report(reporter, post)
  const { id: caseId } = await forum.caseOf(post)
  await decide(caseId, as)
  return { post, caseId }
}
/** What the next report of a member weighs. */
async function weightOf(reporter: Visitor): Promise<number | undefined> {
  const { id } = await forum.start(author)
  await report(reporter, id)
  return (await caseOf(id))?.reports[0]?.weight
}

test('a first report weighs 1, more after those that were right, and less after those that were wrong', async () => {
  const [right, wrong] = [await forum.join(), await forum.join()]
  const [ups, downs] = [[await weightOf(right)], [await weightOf(wrong)]]
  for (let i = 0; i < 3; i++) {
    await judged(right, 'remove')
    await judged(wrong, 'approve')
    ups.push(await weightOf(right))
    downs.push(await weightOf(wrong))
  }
  expect(ups).toEqual([1, 1.33, 1.5, 1.6])
  expect(downs).toEqual([1, 0.67, 0.5, 0.4])
})

test('a post is hidden by the sum of the weights: by two who are often right, and not by three who are often wrong', async () => {
  const [rights, wrongs] = [await join(2), await join(3)]
  for (let i = 0; i < 2; i++) {
    for (const each of rights) await judged(each, 'remove')
    for (const each of wrongs) await judged(each, 'approve')
  }
  const [kept, hidden] = [await forum.start(author), await forum.start(author)]
  for (const each of wrongs) await report(each, kept.id)
  for (const each of rights) await report(each, hidden.id)
  expect([(await forum.get(kept.id)).status, await caseOf(kept.id)]).toMatchObject([
    'visible',
    { report_count: 3, weight: 1.5 },
  ])
  expect([(await forum.get(hidden.id)).status, await caseOf(hidden.id)]).toMatchObject([
    'pending',
    { report_count: 2, weight: 3 },
  ])
  const sorted = (await queue('&sort=weight')).map(({ weight }) => weight)
  expect(sorted).toEqual(sorted.toSorted((a, b) => b - a))
  expect(await codeOf(moderator.client.get('/moderation/queue?sort=weight&status=resolved'))).toBe(
    '400 INVALID_PARAMETERS',
  )
})

test('no weight comes of reports of own posts, of the same post twice, and of posts that their authors remove', async () => {
  const member = await forum.join()
  const { id } = await forum.start(member)
  await report(member, id)
  await decide((await forum.caseOf(id)).id, 'remove')
  expect(await weightOf(member)).toBe(1)

  const { post } = await judged(member, 'approve')
  await report(member, post)
  await decide((await forum.caseOf(post)).id, 'remove')
  expect(await weightOf(member)).toBe(0.67)

  const gone = await forum.start(author)
  await report(member, gone.id)
  taken(await author.client.delete<object>(`/discussions/${gone.id}`))
  expect(await weightOf(member)).toBe(0.67)
})

test('an appeal that is granted judges the reports anew', async () => {
  const member = await forum.join()
  const { caseId } = await judged(member, 'remove')
  expect(await weightOf(member)).toBe(1.33)
  taken(await author.client.post<object>(`/moderation/${caseId}/appeal`, { text: 'It is no spam' }))
  await decide(caseId, 'approve')
  expect(await weightOf(member)).toBe(0.67)
})

test('a member who is erased takes the weight of their reports along', async () => {
  const [one, two] = [await forum.join(), await forum.join()]
  await judged(one, 'remove')
  const { id } = await forum.start(author)
  for (const each of [one, two]) await report(each, id)
  expect((await caseOf(id))?.weight).toBe(2.33)
  taken(await forum.side.admin.delete<object>(`/members/${one.id}?mode=anonymize`))
  expect(await caseOf(id)).toMatchObject({ weight: 1, report_count: 1 })
})

const join = (n: number) => Promise.all(Array.from({ length: n }, () => forum.join()))
