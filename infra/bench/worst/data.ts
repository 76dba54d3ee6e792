/** One project with as many members as are asked for, half as many events, and a tenth of what else grows. */
import type pg from 'pg'
import { commentId, discussionId } from '#areas/discussions/ids.ts'
import { feedbackId } from '#areas/feedback/ids.ts'
import { formId } from '#areas/forms/ids.ts'
import { articleId } from '#areas/help/ids.ts'
import { toId } from '#platform/ids.ts'
import { loadCommunity, withoutWordIndexes } from '../community/data.ts'
import { loadMembers, type Tenant } from '../data.ts'

/** Loads as the owner of the tables. What lists show of counters is kept by triggers, or written by the loading itself. */
export async function loadProject(owner: pg.Client, tenant: Tenant, rows: number): Promise<void> {
  await loadMembersAtOnce(owner, tenant, rows)
  await withoutWordIndexes(owner, () =>
    loadCommunity(owner, tenant, {
      discussions: rows / 40,
      comments: rows / 10,
      votes: rows / 20,
      articles: rows / 100,
    }),
  )
  await loadEvents(owner, rows / 2)
  await loadMails(owner, rows / 10)
  await loadFiles(owner, rows / 10)
  await loadOrders(owner, rows / 10)
  await loadSubmissions(owner, rows / 10)
  await owner.query('analyze')
  await owner.query('checkpoint')
}

/** Without indexes, foreign keys and triggers, which take most of the time; the counter is written by the loading itself. */
async function loadMembersAtOnce(owner: pg.Client, tenant: Tenant, rows: number): Promise<void> {
  const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'members'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await owner.query(`drop index ${name}`)
  await owner.query("set session_replication_role = 'replica'")
  await loadMembers(owner, [tenant], rows)
  await owner.query(
    `insert into member_counts (status, plan_id, role, slot, members)
     select status, plan_id, role, 0, count(*) from members where project_id = app.current_project() group by 1, 2, 3`,
  )
  await owner.query("set session_replication_role = 'origin'")
  await owner.query("set maintenance_work_mem = '256MB'")
  for (const { definition } of indexes) await owner.query(definition)
}

/** Of one member as well as of all. */
const loadEvents = (owner: pg.Client, rows: number) =>
  owner.query(
    `insert into events (id, type, payload, occurred_at, member_id)
     select uuidv7(at - now()), 'member.updated', '{"data": {"id": "mem_none"}}', at,
       case when n % 2 = 0 then (select id from members where project_id = app.current_project() and status = 'active' order by id limit 1) end
     from generate_series(1, $1::int) n, lateral (select now() - ($1::int - n) * interval '1 second' as at) t`,
    [rows],
  )

const loadMails = (owner: pg.Client, rows: number) =>
  owner.query(
    `insert into mails (id, mail, to_address, state, finished_at)
     select uuidv7(), 'invitation', 'member-' || n || '@example.com', 'sent', now() from generate_series(1, $1::int) n`,
    [rows],
  )

/** Without the trigger that adds up what is stored: it changes the same row for each file. No list shows the sum. */
async function loadFiles(owner: pg.Client, rows: number): Promise<void> {
  await owner.query("set session_replication_role = 'replica'")
  await owner.query(
    `insert into files (id, name, size, content_type, checksum_sha256, status, object_id)
     select uuidv7(), 'Report of member ' || n || '.pdf', 1000, 'application/pdf', repeat('0', 64), 'ready', uuidv7()
     from generate_series(1, $1::int) n`,
    [rows],
  )
  await owner.query("set session_replication_role = 'origin'")
}

const loadOrders = (owner: pg.Client, rows: number) =>
  owner.query(
    `insert into orders (id, number, member_id, cart_id, cart_version, status, currency, subtotal_minor, discount_minor,
       tax_minor, total_minor, reserved_until, created_at, updated_at)
     select uuidv7(), 'ORD-' || n, m.id, uuidv7(), 1, 'paid', 'EUR', 100, 0, 0, 100, now(), now(), now()
     from generate_series(1, $1::int) n,
       (select id from members where project_id = app.current_project() order by id limit 1) m`,
    [rows],
  )

/** All of one form, with its words. */
async function loadSubmissions(owner: pg.Client, rows: number): Promise<void> {
  const { rows: found } = await owner.query<{ id: string }>(
    `insert into forms (id, name, type, status, version, created_at, updated_at)
     values (uuidv7(), 'Contact', 'contact', 'published', 1, now(), now()) returning id`,
  )
  const form = found[0]?.id
  await owner.query(
    'insert into form_versions (form_id, version, fields, settings, created_at) values ($1, 1, $2, $3, now())',
    [form, '[]', '{}'],
  )
  await owner.query('drop index form_submissions_search')
  await owner.query(
    `insert into form_submissions (id, form_id, form_version, data, created_at)
     select uuidv7(at - now()), $2, 1, jsonb_build_object('name', 'Member ' || n, 'email', 'member-' || n || '@example.com'), at
     from generate_series(1, $1::int) n, lateral (select now() - ($1::int - n) * interval '1 second' as at) t`,
    [rows, form],
  )
  await owner.query(
    'create index form_submissions_search on form_submissions using gin (form_id, search_text gin_trgm_ops)',
  )
}

/** What paths name, by its table. */
const NAMED = {
  members: 'member',
  discussions: discussionId,
  comments: commentId,
  feedback: feedbackId,
  forms: formId,
  help_articles: articleId,
} as const

/** One id of each, as the API shows it, by its prefix. */
export async function pickIds(owner: pg.Client): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const [table, resource] of Object.entries(NAMED)) {
    const { rows } = await owner.query<{ id: string }>(
      // Of members the first that is active: they act.
      `select id from ${table} where project_id = app.current_project() ${table === 'members' ? "and status = 'active'" : ''}
       order by id limit 1`,
    )
    const id = rows[0] && toId(resource, rows[0].id)
    if (id !== undefined) ids[id.slice(0, id.lastIndexOf('_'))] = id
  }
  return ids
}
