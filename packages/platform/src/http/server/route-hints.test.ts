import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

const ask = async (method: string, path: string) => {
  const { status, body, headers } = await api.send<{ error: string }>(method, path, { key: side.key })
  return { status, error: body.error, allow: headers['allow'] }
}

test('a path that exists below /api/v1 is pointed at', async () => {
  expect(await ask('GET', '/members')).toEqual({
    status: 404,
    error: 'GET /members not found: it is at /api/v1/members',
    allow: undefined,
  })
})

test('a path that takes other methods names them', async () => {
  expect(await ask('PUT', '/api/v1/plans/plan_1')).toEqual({
    status: 404,
    error: 'PUT /api/v1/plans/plan_1 not found: this path takes DELETE, GET, HEAD, PATCH',
    allow: 'DELETE, GET, HEAD, PATCH',
  })
  expect((await ask('POST', '/api/v1/members/stats')).allow).toBe('GET, HEAD')
})

test('a path that is nowhere is not found, without a hint', async () => {
  expect(await ask('GET', '/api/v1/nothing')).toMatchObject({ error: 'GET /api/v1/nothing not found' })
})
