/** What the community is measured against: a bare Fastify handler with a `pg` pool. No keys, isolation or events. */
import { env } from 'node:process'
import Fastify from 'fastify'
import pg from 'pg'
import { newUuid } from '#platform/ids.ts'
import { render } from '#platform/markdown/render.ts'
import {
  COMMENTS,
  COMMENTS_TOTAL,
  INSERT_COMMENT,
  ITEM,
  LIST,
  LIST_TOTAL,
  LOCK_THREAD,
  MEMBER,
  ONE_THREAD,
  SEARCH,
  TAKE_PART,
  VOTE,
  VOTES,
} from './sql.ts'

const { BYPASSING_URL, DATABASE_POOL_SIZE, HOST, PORT, PROJECT_ID } = env
const pool = new pg.Pool({
  connectionString: BYPASSING_URL,
  max: Number(DATABASE_POOL_SIZE),
  // The triggers that count votes ask for the project.
  options: `-c app.project_id=${PROJECT_ID}`,
})
type Asked = { name: string; text: string }
const ask = (statement: Asked, ...values: unknown[]) =>
  pool.query({ ...statement, values: [PROJECT_ID, ...values] })

/** Does it all in one transaction. */
async function within<T>(
  work: (ask: (statement: Asked, ...values: unknown[]) => Promise<pg.QueryResult>) => Promise<T>,
) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const done = await work((statement, ...values) =>
      client.query({ ...statement, values: [PROJECT_ID, ...values] }),
    )
    await client.query('commit')
    return done
  } finally {
    client.release()
  }
}

const api = Fastify()

api.get('/discussions', async () => {
  const [page, total] = await Promise.all([ask(LIST, 21), ask(LIST_TOTAL)])
  return { success: true, data: page.rows.slice(0, 20), total: total.rows[0].total }
})

api.get<{ Params: { id: string } }>('/discussions/:id/comments', async ({ params: { id } }) => {
  const [thread, page, total] = await Promise.all([
    ask(ONE_THREAD, id),
    ask(COMMENTS, id, 21),
    ask(COMMENTS_TOTAL, id),
  ])
  return { success: thread.rows.length === 1, data: page.rows.slice(0, 20), total: total.rows[0].total }
})

api.get<{ Querystring: { q: string } }>('/help/search', async ({ query }) => {
  const { rows } = await ask(SEARCH, query.q, 20)
  return { success: true, data: rows }
})

api.put<{ Params: { id: string } }>('/feedback/:id/vote', async ({ params: { id }, headers }) => {
  const member = headers['x-user-id']
  const votes = await within(async (ask) => {
    await ask(ITEM, id)
    await ask(MEMBER, member)
    await ask(VOTE, newUuid(), id, member)
    return ask(VOTES, id)
  })
  return { success: true, data: { voted: true, vote_count: votes.rows[0].vote_count } }
})

type Body = { content: string; author_id: string }

api.post<{ Params: { id: string }; Body: Body }>('/discussions/:id/comments', async (request, reply) => {
  const { content, author_id } = request.body
  const { id } = request.params
  const rendered = render({ typed: content, keepsLabels: false })
  const html = typeof rendered === 'string' ? '' : rendered.html
  const comment = await within(async (ask) => {
    await ask(LOCK_THREAD, id)
    await ask(MEMBER, author_id)
    const { rows } = await ask(INSERT_COMMENT, newUuid(), id, author_id, content, html)
    await ask(TAKE_PART, id, author_id)
    return rows[0]
  })
  return reply
    .code(201)
    .send({ success: true, comment: { ...comment, discussion_id: id, content, author_id } })
})

api.get('/healthz', async () => ({}))
await api.listen({ host: HOST ?? '', port: Number(PORT) })
process.once('SIGTERM', () => process.exit())
