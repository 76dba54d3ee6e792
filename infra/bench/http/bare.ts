/** What Guildhall is measured against: a bare Fastify handler with a `pg` pool. No keys, limits, isolation or effects. */
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { newUuid } from '#platform/ids.ts'
import { COUNT, GET, INSERT, KEPT_TOTAL, PAGE, UPDATE } from './sql.ts'

const { BYPASSING_URL, DATABASE_POOL_SIZE, HOST, PORT, PROJECT_ID } = process.env
const pool = new pg.Pool({ connectionString: BYPASSING_URL, max: Number(DATABASE_POOL_SIZE) })
type Statement = { name: string; sql: string }
/** The caller names the project where there are many, and is nobody's secret here. */
const askFor =
  ({ headers: { authorization } }: FastifyRequest) =>
  ({ name, sql: text }: Statement, ...values: unknown[]) =>
    pool.query({ name, text, values: [authorization?.slice('Bearer '.length) ?? PROJECT_ID, ...values] })

const api = Fastify()

api.get<{ Params: { id: string } }>('/members/:id', async (request) => {
  const { rows } = await askFor(request)(GET, request.params.id)
  return { success: true, data: rows[0] }
})

api.get<{ Querystring: { status: string; limit: string } }>('/members', async (request) => {
  const { status, limit } = request.query
  const [page, count] = await Promise.all([
    askFor(request)(PAGE, status, Number(limit), 0),
    askFor(request)(COUNT, status),
  ])
  return { success: true, data: page.rows, total: Number(count.rows[0].total) }
})

/** The same with the total that Guildhall keeps. */
api.get<{ Querystring: { status: string; limit: string } }>('/members/kept', async (request) => {
  const { status, limit } = request.query
  const [page, total] = await Promise.all([
    askFor(request)(PAGE, status, Number(limit), 0),
    askFor(request)(KEPT_TOTAL, status),
  ])
  return { success: true, data: page.rows, total: Number(total.rows[0].total) }
})

type Body = { email: string; full_name: string; metadata: object }

api.post<{ Body: Body }>('/members', async (request, reply) => {
  const { email, full_name, metadata } = request.body
  const { rows } = await askFor(request)(INSERT, newUuid(), email, full_name, JSON.stringify(metadata))
  return reply.code(201).send({ member: rows[0] })
})

api.patch<{ Params: { id: string }; Body: Body }>('/members/:id', async (request) => {
  const { rows } = await askFor(request)(UPDATE, request.params.id, JSON.stringify(request.body.metadata), [])
  return { success: true, data: rows[0] }
})

await api.listen({ host: HOST ?? '', port: Number(PORT) })
process.once('SIGTERM', () => process.exit())
