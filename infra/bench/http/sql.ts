/** The statements of the members' endpoints as they are without row-level security: each names its project. */
const COLUMNS = 'id, email, full_name, avatar_url, status, plan_id, metadata, created_at, updated_at'

export const GET = {
  name: 'get',
  sql: `select ${COLUMNS.replace(/\w+/g, 'm.$&')}, m.last_login_at, p.name as plan_name, v.price_minor, v.currency
    from members m
    join plans p on p.project_id = m.project_id and p.id = m.plan_id
    join plan_versions v
      on v.project_id = m.project_id and v.plan_id = m.plan_id and v.version = m.plan_version
    where m.project_id = $1 and m.id = $2 and m.deleted_at is null`,
}

export const PAGE = {
  name: 'page',
  sql: `select ${COLUMNS} from members
    where project_id = $1 and status = $2 and deleted_at is null
    order by created_at desc, id desc limit $3 offset $4`,
}

/** The exact total as one counts it without counters. */
export const COUNT = {
  name: 'count',
  sql: 'select count(*) as total from members where project_id = $1 and status = $2 and deleted_at is null',
}

/** The exact total as Guildhall keeps it. */
export const KEPT_TOTAL = {
  name: 'kept_total',
  sql: `select coalesce(sum(members), 0)::int8 as total from member_counts where project_id = $1 and status = $2`,
}

export const INSERT = {
  name: 'insert',
  sql: `insert into members (project_id, id, email, full_name, avatar_url, role, status, plan_id, plan_version, metadata,
      created_at, updated_at)
    select $1, $2, $3, $4, null, 'member', 'active', p.id, p.version, $5::jsonb, now(), now()
    from plans p where p.project_id = $1 and p.is_default
    returning ${COLUMNS}, role`,
}

export const UPDATE = {
  name: 'update',
  sql: `update members set metadata = (metadata || $3::jsonb) - $4::text[], updated_at = now()
    where project_id = $1 and id = $2 and deleted_at is null
    returning ${COLUMNS}, role`,
}

/** A write together with its event, in the one statement that Guildhall makes of them. */
const withEvent = (write: string, type: string, eventId: string, publicId: string) =>
  `with written as (${write}),
    member as (select *, (select p.public_id from plans p where p.project_id = $1 and p.id = written.plan_id) as plan_public_id
      from written offset 0),
    event as (insert into events (project_id, id, type, payload, member_id)
      select $1, ${eventId}::uuid, '${type}', json_build_object('id', ${publicId}::text, 'email', email,
        'full_name', full_name, 'status', status, 'plan_id', plan_public_id, 'metadata', metadata::jsonb,
        'created_at', created_at, 'updated_at', updated_at, 'role', role), id from member),
    effect as (insert into outbox (project_id, id, kind, name)
      select $1, ${eventId}::uuid, 'event', '${type}' from written)
    select * from written`

export const INSERT_ANNOUNCED = {
  name: 'insert_announced',
  sql: withEvent(INSERT.sql, 'member.created', '$6', '$7'),
}
export const UPDATE_ANNOUNCED = {
  name: 'update_announced',
  sql: withEvent(UPDATE.sql, 'member.updated', '$5', '$6'),
}
