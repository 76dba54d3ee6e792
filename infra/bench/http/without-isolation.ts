/**
 * Guildhall's API with everything but isolation: keys, limits, validation, headers, log and metrics are the real ones;
 * the members' endpoints ask for the same rows in the same number of round trips, but name the project in the
 * statement and log in past row-level security.
 */
import pg from 'pg'
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
import { Batch, type Bound, type Rows } from '#platform/db/batch.ts'
import { SharedBatches } from '#platform/db/shared-batches.ts'
import type { StatementGroup } from '#platform/db/statement.ts'
import { types } from '#platform/db/types.ts'
import { makeDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { listed } from '#platform/http/page.ts'
import { keyOf } from '#platform/http/server/authenticate.ts'
import { buildApi } from '#platform/http/server/build-api.ts'
import { idFromPath, newUuid, toId } from '#platform/ids.ts'
import { GET, INSERT_ANNOUNCED, KEPT_TOTAL, PAGE, UPDATE_ANNOUNCED } from './sql.ts'

type CreatedRow = MemberRow & { role: string }

const config = await readConfig()
const deps = await makeDeps(config)
const pool = new pg.Pool({
  connectionString: process.env.BYPASSING_URL,
  max: config.DATABASE_POOL_SIZE,
  types,
})
/** The round trips of the real one: those of all projects share theirs. No project is set. */
const batches = new SharedBatches(pool, (batch) => batch.map((asked) => ({ ...asked.item, asked })))

interface Named {
  readonly name: string
  readonly sql: string
}

/** The row of a statement that shares its round trip. The first value is the project. */
async function rowOf<R>(group: StatementGroup, { name, sql }: Named, ...values: [string, ...unknown[]]) {
  const rows = await batches.ask({ projectId: values[0], group, bound: { name, sql, values } })
  return rows[0] as unknown as R
}

/** Statements that are sent alone, in one round trip. */
async function together(...bound: Bound[]): Promise<Rows[]> {
  const client = await pool.connect()
  try {
    return await new Promise((resolve, reject) => {
      client.query(new Batch(bound, (error, results) => (error ? reject(error) : resolve(results))))
    })
  } finally {
    client.release()
  }
}

const read = { access: { secret: 'read:members' } } as const
const change = { access: { secret: 'write:members' } } as const
const summary = 'Measured'

function memberRoutes(api: Api): void {
  api.get(
    '/members/:id',
    { config: read, schema: { summary, params: ById, response: { 200: envelope(MemberWithPlan) } } },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      return ok(toMemberWithPlan(await rowOf<MemberWithPlanRow>('lookup', GET, keyOf(request).projectId, id)))
    },
  )

  api.get(
    '/members',
    { config: read, schema: { summary, querystring: ListQuery, response: { 200: listEnvelope(Member) } } },
    async (request) => {
      const { projectId } = keyOf(request)
      const { status, limit, page: number } = request.query
      const [rows = [], totals] = await together(
        { ...PAGE, values: [projectId, status, limit, (number - 1) * limit] },
        { ...KEPT_TOTAL, values: [projectId, status] },
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
      const id = newUuid()
      const values = [id, email, full_name, JSON.stringify(metadata), newUuid(), toId('member', id)]
      const member = await rowOf<CreatedRow>('insert', INSERT_ANNOUNCED, projectId, ...values)
      return reply.code(201).send({ member: toCreatedMember(member) })
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
      const values = [id, JSON.stringify(request.body.metadata), [], newUuid(), request.params.id]
      const member = await rowOf<CreatedRow>('change', UPDATE_ANNOUNCED, projectId, ...values)
      return ok({ ...toMemberData(member) })
    },
  )
}

const api = await buildApi(deps, [{ name: 'members', routes: memberRoutes }])
await api.listen({ host: config.HOST, port: config.PORT })
process.once('SIGTERM', () => process.exit())
