/** What Guildhall is measured against: Fastify and `pg` with the same SQL. No keys, limits, isolation, validation or effects. */
import { env } from 'node:process'
import Fastify from 'fastify'
import pg from 'pg'
import type { Ask, Bare } from './bare.ts'
import { communityRoutes } from './community.ts'
import { lmsRoutes } from './lms.ts'
import { memberRoutes } from './members.ts'
import { shopRoutes } from './shop.ts'

const ROUTES: Readonly<Record<string, (bare: Bare) => void>> = {
  community: communityRoutes,
  lms: lmsRoutes,
  members: memberRoutes,
  shop: shopRoutes,
}

const { BYPASSING_URL, DATABASE_POOL_SIZE, HOST, PORT, PROJECT_ID, BARE_ROUTES = '' } = env
const pool = new pg.Pool({
  connectionString: BYPASSING_URL,
  max: Number(DATABASE_POOL_SIZE),
  // The triggers that count votes ask for the project.
  options: `-c app.project_id=${PROJECT_ID}`,
})
const asking =
  (on: pg.Pool | pg.PoolClient, project = PROJECT_ID): Ask =>
  (statement, ...values) =>
    on.query({ ...statement, values: [project, ...values] })

const api = Fastify()
ROUTES[BARE_ROUTES]?.({
  api,
  askFor: ({ headers: { authorization } }) => asking(pool, authorization?.slice('Bearer '.length)),
  ask: asking(pool),
  within: async (work) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const done = await work(asking(client))
      await client.query('commit')
      return done
    } finally {
      client.release()
    }
  },
})
api.get('/healthz', async () => ({}))
await api.listen({ host: HOST ?? '', port: Number(PORT) })
process.once('SIGTERM', () => process.exit())
