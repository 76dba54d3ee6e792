import { expect, test, vi } from 'vitest'
import { loginOf } from '#platform/db/logins.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'

let api: TestApi
let side: Side
withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one] = await makeProjects(api)
    side = one.live
  },
)

let made = 0
const write = () => side.admin.post<{ error?: string }>('/members', { email: `m${++made}@example.com` })

test('a server that takes no writes: they get 503, reads go on, and connections to it are not kept for writes', async () => {
  const { user } = loginOf(api.database.url, 'api', api.database.secretKey)
  const database = new URL(api.database.url).pathname.slice(1)
  const login = `alter role "${user}" in database "${database}"`
  // Each connection has this for good, as one to a standby.
  await api.owner.query(`${login} set default_transaction_read_only = on`)
  await api.owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [user])
  await vi.waitFor(async () => {
    const { status, body, headers } = await write()
    expect([status, body.error, headers['retry-after']]).toEqual([
      503,
      'The database takes no writes now: try again',
      '1',
    ])
  }, SOON)
  expect((await side.admin.get('/members')).status).toBe(200)
  await Promise.all(Array.from({ length: 20 }, () => side.admin.get('/members')))

  await api.owner.query(`${login} reset default_transaction_read_only`)
  await vi.waitFor(async () => expect((await write()).status).toBe(201), SOON)
})
