import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import type { Api } from '../api.ts'
import { envelope } from '../envelope.ts'

const readPlans = defineQuery('read_plans_in_test', () => query.selectFrom('plans').select('id'))

let api: TestApi
let side: Side
/** Connections that were busy while the handler did something slow. */
let busy: number | undefined

/** As a login is: something is read, and then a password is hashed. */
function routes(to: Api): void {
  to.post(
    '/reads-and-hashes',
    {
      config: { access: { secret: 'any' } },
      schema: {
        tags: ['Members'],
        summary: 'For tests',
        response: { 200: envelope(Type.Object({ plans: Type.Integer() })) },
      },
    },
    async (request) => {
      const plans = await request.write((ctx) => readPlans(ctx))
      const { pool } = api.deps
      const taken = () => pool.totalCount - pool.idleCount
      // Less than the 250 ms for which a transaction that has written waits for the answer; on a machine that has stood
      // still, some turns.
      const deadline = performance.now() + 200
      for (let turn = 0; taken() > 0 && (turn < 20 || performance.now() < deadline); turn++)
        await new Promise((go) => setTimeout(go, 2))
      busy = taken()
      return { plans: plans.length }
    },
  )
}

withOwnApi(
  () => ({ extra: routes }),
  async (opened) => {
    api = opened
    side = (await makeProjects(api))[0].live
  },
)

test('a request with an Idempotency-Key holds no connection while a handler hashes after it has read', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const ask = () => side.admin.post('/reads-and-hashes', undefined, { headers })
  expect((await ask()).status).toBe(200)
  expect(busy).toBe(0)
  expect((await ask()).headers['idempotent-replayed']).toBe('true')
})
