import { newUuid } from '#platform/ids.ts'
import type { Bare } from './bare.ts'

const COLUMNS = 'id, email, full_name, avatar_url, status, plan_id, metadata, created_at, updated_at'
const GET = {
  name: 'get',
  text: `select ${COLUMNS.replace(/\w+/g, 'm.$&')}, m.last_login_at, p.name as plan_name, v.price_minor, v.currency
    from members m
    join plans p on p.project_id = m.project_id and p.id = m.plan_id
    join plan_versions v
      on v.project_id = m.project_id and v.plan_id = m.plan_id and v.version = m.plan_version
    where m.project_id = $1 and m.id = $2 and m.deleted_at is null`,
}
const PAGE = {
  name: 'page',
  text: `select ${COLUMNS} from members
    where project_id = $1 and status = $2 and deleted_at is null
    order by created_at desc, id desc limit $3 offset $4`,
}
/** The exact total as Guildhall keeps it. */
const TOTAL = {
  name: 'total',
  text: `select coalesce(sum(members), 0)::int8 as total from member_counts where project_id = $1 and status = $2`,
}
const INSERT = {
  name: 'insert',
  text: `insert into members (project_id, id, email, full_name, avatar_url, role, status, plan_id, plan_version, metadata,
      created_at, updated_at)
    select $1, $2, $3, $4, null, 'member', 'active', p.id, p.version, $5::jsonb, now(), now()
    from plans p where p.project_id = $1 and p.is_default
    returning ${COLUMNS}, role`,
}
const UPDATE = {
  name: 'update',
  text: `update members set metadata = (metadata || $3::jsonb) - $4::text[], updated_at = now()
    where project_id = $1 and id = $2 and deleted_at is null
    returning ${COLUMNS}, role`,
}

type Body = { email: string; full_name: string; metadata: object }

export function memberRoutes({ api, askFor }: Bare): void {
  api.get<{ Params: { id: string } }>('/members/:id', async (request) => {
    const { rows } = await askFor(request)(GET, request.params.id)
    return { success: true, data: rows[0] }
  })

  api.get<{ Querystring: { status: string; limit: string } }>('/members', async (request) => {
    const { status, limit } = request.query
    const [page, total] = await Promise.all([
      askFor(request)(PAGE, status, Number(limit), 0),
      askFor(request)(TOTAL, status),
    ])
    return { success: true, data: page.rows, total: Number(total.rows[0].total) }
  })

  api.post<{ Body: Body }>('/members', async (request, reply) => {
    const { email, full_name, metadata } = request.body
    const { rows } = await askFor(request)(INSERT, newUuid(), email, full_name, JSON.stringify(metadata))
    return reply.code(201).send({ member: rows[0] })
  })

  api.patch<{ Params: { id: string }; Body: Body }>('/members/:id', async (request) => {
    const changes = JSON.stringify(request.body.metadata)
    const { rows } = await askFor(request)(UPDATE, request.params.id, changes, [])
    return { success: true, data: rows[0] }
  })
}
