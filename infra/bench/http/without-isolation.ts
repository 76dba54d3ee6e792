/**
 * Guildhall's API with everything but isolation: keys, limits, validation, headers, log and metrics are the real ones;
 * the members' endpoints ask for the same rows in the same number of round trips, but name the project in the
 * statement and log in past row-level security.
 */
import pg, { type PoolClient } from 'pg'
import { Type } from 'typebox'
import { ListQuery } from '#areas/members/list/schema.ts'
import {
  type MemberRow,
  type MemberWithPlanRow,
  toCreatedMember,
  toMember,
  toMemberData,
  toMemberWithPlan,
} from '#areas/members/rows.ts'
import {
  ById,
  CreatedMember,
  Member,
  MemberChanges,
  MemberWithPlan,
  NewMember,
  UpdatedMember,
} from '#areas/members/schema.ts'
import { readConfig } from '#platform/config.ts'
import { Batch, type Rows } from '#platform/db/batch.ts'
import { types } from '#platform/db/types.ts'
import { makeDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { listed } from '#platform/http/page.ts'
import { keyOf } from '#platform/http/server/authenticate.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { idFromPath, newUuid } from '#platform/ids.ts'
import { EVENT, GET, INSERT, KEPT_TOTAL, OUTBOX, PAGE, UPDATE } from './sql.ts'

type Asked = readonly [statement: { name: string; sql: string }, ...values: unknown[]]

const config = readConfig()
const deps = await makeDeps(config)
const pool = new pg.Pool({
  connectionString: process.env.BYPASSING_URL,
  max: config.DATABASE_POOL_SIZE,
  types,
})

function send(client: PoolClient, ...asked: Asked[]): Promise<Rows[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Rows[]>()
  const statements = asked.map(([statement, ...values]) => ({ ...statement, values }))
  client.query(new Batch(statements, (error, results) => (error ? reject(error) : resolve(results))))
  return promise
}

async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

const BEGIN: Asked = [{ name: 'begin', sql: 'begin' }]
const COMMIT: Asked = [{ name: 'commit', sql: 'commit' }]

/** A write, and its event with its outbox row, in one transaction of two round trips. */
async function write(projectId: string, event: string, change: Asked): Promise<MemberRow & { role: string }> {
  return withClient(async (client) => {
    const row = (await send(client, BEGIN, change))[1]?.[0] as unknown as MemberRow & { role: string }
    const id = newUuid()
    const payload = JSON.stringify(toMemberData(row))
    await send(client, [EVENT, projectId, id, event, payload], [OUTBOX, projectId, id, event], COMMIT)
    return row
  })
}

const read = { access: { secret: 'read:members' } } as const
const change = { access: { secret: 'write:members' } } as const
const summary = 'Measured'

function memberRoutes(api: Api): void {
  api.get(
    '/members/:id',
    { config: read, schema: { summary, params: ById, response: { 200: envelope(MemberWithPlan) } } },
    async (request) => {
      const asked: Asked = [GET, keyOf(request).projectId, idFromPath('member', request.params.id)]
      const [rows] = await withClient((client) => send(client, asked))
      return ok(toMemberWithPlan(rows?.[0] as unknown as MemberWithPlanRow))
    },
  )

  api.get(
    '/members',
    { config: read, schema: { summary, querystring: ListQuery, response: { 200: listEnvelope(Member) } } },
    async (request) => {
      const { projectId } = keyOf(request)
      const { status, limit, page: number } = request.query
      const page: Asked = [PAGE, projectId, status, limit, (number - 1) * limit]
      const [rows = [], totals] = await withClient((client) =>
        send(client, page, [KEPT_TOTAL, projectId, status]),
      )
      const total = totals?.[0]?.total as number
      const pagination = {
        page: number,
        limit,
        total,
        total_pages: Math.ceil(total / limit),
        next_cursor: null,
      }
      return listed({ rows: rows as unknown as MemberRow[], pagination }, toMember)
    },
  )

  api.post(
    '/members',
    {
      config: change,
      schema: { summary, body: NewMember, response: { 201: Type.Object({ member: CreatedMember }) } },
    },
    async (request, reply) => {
      const { projectId } = keyOf(request)
      const { email, full_name, metadata } = request.body
      const insert: Asked = [INSERT, projectId, newUuid(), email, full_name, JSON.stringify(metadata)]
      return reply
        .code(201)
        .send({ member: toCreatedMember(await write(projectId, 'member.created', insert)) })
    },
  )

  api.patch(
    '/members/:id',
    {
      config: change,
      schema: { summary, params: ById, body: MemberChanges, response: { 200: envelope(UpdatedMember) } },
    },
    async (request) => {
      const { projectId } = keyOf(request)
      const id = idFromPath('member', request.params.id)
      const update: Asked = [UPDATE, projectId, id, JSON.stringify(request.body.metadata), []]
      return ok({ ...toMemberData(await write(projectId, 'member.updated', update)) })
    },
  )
}

const api = await buildApi(deps, [{ name: 'members', routes: memberRoutes }])
await api.listen({ host: config.HOST, port: config.PORT })
process.once('SIGTERM', () => process.exit())
