import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { lockFault } from './lock-rule.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** Migrations before this rule. */
const FIRST = '20261125T0600'

test('every migration that locks a table for long says for how long', async () => {
  const all = await readdir(FOLDER, { recursive: true })
  const names = all.filter((name) => name.endsWith('.sql') && name >= FIRST)
  expect(names.some((name) => name.startsWith('steps/'))).toBe(true)
  const faults = await Promise.all(
    names.map(async (name) => [name, lockFault(await readFile(new URL(name, FOLDER), 'utf8'))] as const),
  )
  expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([])
})

test.each([
  'create index members_by_name on members (project_id, full_name);',
  'alter table members add column name_key text generated always as (lower(full_name)) stored;',
  'alter table members alter column full_name type varchar(200);',
  'alter table members alter column avatar_url set not null;',
  "alter table members add constraint members_name check (full_name <> '');",
  'alter table members add foreign key (project_id, plan_id) references plans (project_id, id);',
  "update members set full_name = '';",
  "create table notes (id uuid);\ndelete from members where full_name = '';",
])('%s must say for how long it locks', (sql) => {
  expect(lockFault(sql)).toMatch(/members/)
  expect(lockFault(`-- locks: members against writes, 4 s at 1,000,000 rows\n${sql}`)).toBeUndefined()
})

test.each([
  '-- runs: alone\ncreate index concurrently members_by_name on members (project_id, full_name);',
  "-- runs: in batches\nupdate members set full_name = '' where full_name = 'x';",
  'create table notes (id uuid);\ncreate index notes_by_id on notes (id);',
  "alter table members add column nick text not null default '';",
  "alter table members add constraint members_name check (full_name <> '') not valid;",
  'create function app.f() returns void language sql as $$ update members set full_name = full_name $$;',
  'create function app.f() returns void language sql begin atomic update members set role = role; end;',
])('%s need not', (sql) => {
  expect(lockFault(sql)).toBeUndefined()
})
