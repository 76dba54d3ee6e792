import { NOT_MOVED } from '../transfer/tables.ts'

/** The tables that move, by the column that names the side. */
export const TENANT_TABLES = `
  select c.oid::regclass::text as name, 'project_id' as id from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped)
    and c.relname not in (${NOT_MOVED.map((name) => `'${name}'`).join(', ')})`

/**
 * What is compared of a table whose days are dropped as a whole, each installation at its own time. What is older was copied, too, and is
 * dropped soon.
 */
export const COMPARED_DAYS: Readonly<Record<string, string>> = {
  stream_log: `numbered_at > $2::timestamptz - interval '24 hours'`,
  request_log: `at > $2::timestamptz - interval '6 days'`,
  webhook_attempts: `started_at > $2::timestamptz - interval '29 days'`,
}
