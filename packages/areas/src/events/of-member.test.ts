import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

interface Page {
  data: { id: string; type: string; timestamp: string; data: { id: string } }[]
  pagination: { total: number }
}

let side: Side
withProjects((_api, one) => {
  side = one.live
})

const eventsOf = async (id: string, query = '') =>
  (await side.admin.get<Page>(`/members/${id}/events${query}`)).body

test('what happened to a member is listed, the newest first, and nothing that happened to others', async () => {
  const { id } = await side.makeMember()
  const other = await side.makeMember()
  const path = `/members/${id}`
  await side.admin.patch(path, { full_name: 'Ada' })
  await side.admin.patch(`/members/${other.id}`, { full_name: 'Grace' })
  const password = 'correct horse battery staple'
  const { body } = await side.admin.post<{ member: { id: string } }>('/auth/signup', {
    email: `${randomUUID()}@example.com`,
    password,
  })
  const { data, pagination } = await eventsOf(id)
  expect(data.map(({ type }) => type)).toEqual(['member.updated', 'member.created'])
  expect(data.every((event) => event.data.id === id)).toBe(true)
  expect(pagination.total).toBe(2)
  // What is a member's counts too: a session says whose it is.
  const types = (await eventsOf(body.member.id)).data.map(({ type }) => type)
  expect(types.toSorted()).toEqual(['member.created', 'member.signed_up', 'session.created'])
})

test('it comes in pages, and by type', async () => {
  const { id } = await side.makeMember()
  for (const full_name of ['A', 'B', 'C']) await side.admin.patch(`/members/${id}`, { full_name })
  const pages = [await eventsOf(id, '?limit=3'), await eventsOf(id, '?limit=3&page=2')]
  expect(pages.map(({ data }) => data.length)).toEqual([3, 1])
  const created = await eventsOf(id, '?type=member.created')
  expect(created).toMatchObject({ data: [{ type: 'member.created' }], pagination: { total: 1 } })
})
