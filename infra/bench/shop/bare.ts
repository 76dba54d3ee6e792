/** What the shop is measured against: a bare Fastify handler with a `pg` pool. No keys, limits, isolation or validation. */
import { env } from 'node:process'
import Fastify from 'fastify'
import pg from 'pg'

const { BYPASSING_URL, DATABASE_POOL_SIZE, HOST, PORT, PROJECT_ID } = env
const pool = new pg.Pool({ connectionString: BYPASSING_URL, max: Number(DATABASE_POOL_SIZE) })
const LIST = {
  name: 'products',
  text: `select id, name, description, category, currency, price_minor, is_active, created_at from products
    where project_id = $1 and deleted_at is null and is_active = true order by id desc limit 51`,
}

const api = Fastify()

api.get('/products', async () => {
  const { rows } = await pool.query({ ...LIST, values: [PROJECT_ID] })
  return { success: true, products: rows.slice(0, 50) }
})

await api.listen({ host: HOST ?? '', port: Number(PORT) })
process.once('SIGTERM', () => process.exit())
