import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { makeProjects, type TestProject } from './factories.ts'

let api: TestApi
let one: TestProject
let other: TestProject

beforeAll(async () => {
  api = await startApi({
    extra: (routes) => {
      routes.get(
        '/undocumented',
        {
          config: { access: 'open' },
          schema: { summary: 'Answers what it does not describe', response: { 200: Type.Object({}) } },
        },
        (_request, reply) => reply.code(418 as 200).send({}),
      )
      routes.get(
        '/misfit',
        {
          config: { access: 'open' },
          schema: { summary: 'Lies about its body', response: { 200: Type.Object({ n: Type.Number() }) } },
        },
        async (_request, reply) => {
          await reply
            .type('application/json')
            .serializer(JSON.stringify)
            .send({ n: 'none' } as never)
        },
      )
    },
  })
  ;[one, other] = await makeProjects(api)
})
afterAll(() => api.close())

test('an answer that the document does not allow is an error of the test', async () => {
  await expect(api.send('GET', '/api/v1/undocumented')).rejects.toThrow('the status is not documented')
  await expect(api.send('GET', '/api/v1/misfit')).rejects.toThrow('does not fit the documented schema')
})

test('the sides of the projects are four tenants', async () => {
  const sides = [one.live, one.test, other.live, other.test]
  expect(new Set(sides.map((side) => side.projectId)).size).toBe(4)
  await one.live.makeMember()
  const totals = await Promise.all(
    sides.map((side) => side.admin.get<{ pagination: { total: number } }>('/members')),
  )
  expect(totals.map((answer) => answer.body.pagination.total)).toEqual([1, 0, 0, 0])
})

test('requests over a real connection and without one are answered alike', async () => {
  const { id } = await other.test.makeMember({ email: 'both@example.com' })
  const [injected, real] = await Promise.all([
    api.send('GET', `/api/v1/members/${id}`, { key: other.test.key }),
    api.fetch('GET', `/api/v1/members/${id}`, { key: other.test.key }),
  ])
  expect(injected.status).toBe(200)
  expect(real.body).toEqual(injected.body)
})
