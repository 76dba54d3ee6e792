import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loginOf, ROLES } from '#platform/db/logins.ts'
import { rightsOf } from '#platform/migrate/logins.ts'
import { isTenanted, readTables, type Table } from '#testkit/catalog/catalogue.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { ALL_ROWS, API_GRANTS, GRANTS, SHARED_TABLES } from './grants.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Walks every table that the migrations make: a new one is covered the day it is added.

let database: TestDatabase
let owner: pg.Client
let tables: Table[]
/** The roles that processes act as, and the logins of this database. */
let runtime: string[]

beforeAll(async () => {
  database = await cloneDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  tables = await readTables(owner)
  const roles = new Set(ROLES.map(rightsOf))
  runtime = [...roles, ...ROLES.map((role) => loginOf(database.url, role, database.secretKey).user)]
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

/** Names of what breaks a rule; none is what every test here wants. */
const broken = <T extends { name: string }>(all: readonly T[], isSound: (each: T) => boolean) =>
  all.filter((each) => !isSound(each)).map((each) => each.name)

/** The tenant policy as app.tenant_table writes it: of rows that are there, and of those that are written. */
const TENANT = '(project_id = ( SELECT app.current_project() AS current_project))'
const TENANT_CHECK = '(project_id = app.current_project())'

describe('every table', () => {
  test('belongs to projects, or is listed with the reason why it cannot', () => {
    expect(tables.length).toBeGreaterThan(5)
    expect(broken(tables, isTenanted)).toEqual(Object.keys(SHARED_TABLES).sort())
  })

  test('of projects forces row-level security, on its parts too unless no role reaches them', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select distinct table_name as name from information_schema.role_table_grants where grantee = any ($1)`,
      [runtime],
    )
    const reachable = new Set(rows.map((row) => row.name))
    const mustBeSecured = tables.filter((table) => !table.isPartition || reachable.has(table.name))
    expect(broken(mustBeSecured.filter(isTenanted), (table) => table.secured && table.forced)).toEqual([])
  })

  test('of projects has the tenant policy, and no other one lets the api role or everybody in', () => {
    const isSound = ({ policies, isPartition }: Table) =>
      isPartition ||
      (policies.some(
        ({ using, check, roles }) => using === TENANT && check === TENANT_CHECK && roles.includes('public'),
      ) &&
        policies.every(
          ({ using, check, roles }) =>
            (using === TENANT && check === TENANT_CHECK) ||
            !roles.some((role) => role === 'public' || role === 'guildhall_api'),
        ))
    expect(broken(tables.filter(isTenanted), isSound)).toEqual([])
  })

  test('of projects has a plan that reads the project anew each time, whichever it was made under', async () => {
    const isRead = ({ name }: Table) => (API_GRANTS[name] ?? ALL_ROWS).includes('select')
    const names = tables.filter((each) => isTenanted(each) && !each.isPartition && isRead(each))
    const first = '01a00000-0000-7000-8000-000000000001'
    const plansOf = async (mode: string, name: string) => {
      await owner.query(`set local plan_cache_mode = ${mode}`)
      await owner.query(`prepare rows (text) as select count(*) from "${name}" where $1 <> ''`)
      const { rows } = await owner.query<Record<string, string>>("explain (verbose) execute rows ('text')")
      await owner.query('deallocate rows')
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    await owner.query('begin')
    await owner.query('set local role guildhall_api')
    await owner.query("select set_config('app.project_id', $1, true)", [first])
    const kept: string[] = []
    for (const { name } of names)
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const plan = await plansOf(mode, name)
        if (!plan.includes("current_setting('app.project_id'::text, true)") || plan.includes(first))
          kept.push(`${name}, ${mode}:\n${plan}`)
      }
    await owner.query('rollback')
    expect(kept).toEqual([])
  })

  test('of projects has a primary key that begins with the project', () => {
    expect(broken(tables.filter(isTenanted), ({ primaryKey }) => primaryKey[0] === 'project_id')).toEqual([])
  })

  test('of projects refers to others with the project in the key, because no policy guards a foreign key', () => {
    const keys = tables
      .filter(isTenanted)
      .flatMap((table) => table.foreignKeys.map((key) => ({ ...key, name: `${table.name}.${key.name}` })))
    expect(keys.length).toBeGreaterThan(3)
    const carriesProject = ({ columns, target, targetColumns }: (typeof keys)[number]) =>
      targetColumns[columns.indexOf('project_id')] === (target === 'projects' ? 'id' : 'project_id')
    expect(broken(keys, carriesProject)).toEqual([])
  })

  test('does nothing at the commit, when a batch of several projects has only the last one set', async () => {
    const { rows } = await owner.query(
      `select conname from pg_constraint where condeferrable union all select tgname from pg_trigger where tgdeferrable`,
    )
    expect(rows).toEqual([])
  })

  test('of projects fills the project in by itself', async () => {
    const { rows } = await owner.query<{ name: string; default: string }>(
      `select table_name as name, column_default as default from information_schema.columns
       where table_schema = 'public' and column_name = 'project_id'`,
    )
    expect(broken(rows, (row) => row.default === 'app.current_project()')).toEqual([])
  })
})

describe('what the processes act as', () => {
  test('is no superuser, passes no policy, and makes no role or database', async () => {
    const { rows } = await owner.query<{ name: string; can: boolean }>(
      `select rolname as name, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as can
       from pg_roles where rolname = any ($1)`,
      [runtime],
    )
    expect(rows.map((row) => row.name).sort()).toEqual([...runtime].sort())
    expect(broken(rows, (row) => !row.can)).toEqual([])
  })

  test('is a member of nothing but the role whose rights it has', async () => {
    const { rows } = await owner.query<{ member: string; role: string }>(
      `select pg_get_userbyid(member) as member, pg_get_userbyid(roleid) as role from pg_auth_members
       where pg_get_userbyid(member) = any ($1)`,
      [runtime],
    )
    expect(rows.map(({ member, role }) => `${member} is ${role}`).sort()).toEqual(
      ROLES.map(
        (role) => `${loginOf(database.url, role, database.secretKey).user} is ${rightsOf(role)}`,
      ).sort(),
    )
  })

  test('owns nothing', async () => {
    const { rows } = await owner.query(
      `select 1 from pg_shdepend d join pg_roles r on r.oid = d.refobjid
       where d.deptype = 'o' and d.refclassid = 'pg_authid'::regclass and r.rolname = any ($1)`,
      [runtime],
    )
    expect(rows).toEqual([])
  })

  test('can make nothing in any schema of ours', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select role || ' in ' || nspname as name from unnest($1::text[]) role, pg_namespace
       where nspname !~ '^pg_(temp|toast)' and has_schema_privilege(role, oid, 'create')`,
      [runtime],
    )
    expect(rows).toEqual([])
  })

  test('has no grant beyond reading and writing rows, and everybody has none at all', async () => {
    const { rows } = await owner.query<{ name: string; grantee: string; privilege: string }>(
      `select grantee || ' ' || privilege_type || ' ' || table_name as name, grantee, privilege_type as privilege
       from information_schema.role_table_grants
       where table_schema in ('public', 'app') and (grantee = any ($1) or grantee = 'PUBLIC')`,
      [runtime],
    )
    expect(rows.length).toBeGreaterThan(0)
    const rowWork = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
    expect(broken(rows, (row) => row.grantee !== 'PUBLIC' && rowWork.includes(row.privilege))).toEqual([])
  })

  test('has the rights that are listed for it, and no others', async () => {
    const ownTables = tables.filter((table) => isTenanted(table) && !table.isPartition)
    const usual = Object.fromEntries(ownTables.map(({ name }) => [name, ALL_ROWS]))
    const api = { ...usual, ...API_GRANTS }
    // They have the rights of the API's login.
    const wanted = { ...GRANTS, api, reports: api }
    const actual: Record<string, Record<string, string>> = {}
    for (const role of ROLES) actual[role] = await grantsOf(rightsOf(role))
    expect(actual).toEqual(wanted)
  })
})

test('no function runs with its owner’s rights unless its search path is fixed and not everybody may call it', async () => {
  const { rows } = await owner.query<{ name: string; sound: boolean }>(
    `select p.proname as name, not p.prosecdef or (p.proconfig::text ~ 'search_path='
         and not exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0)) as sound
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'app')`,
  )
  expect(broken(rows, (row) => row.sound)).toEqual([])
})

test('every view asks with the rights of whoever reads it', async () => {
  const { rows } = await owner.query<{ name: string; sound: boolean }>(
    `select c.relname as name, coalesce(c.reloptions::text ~ 'security_invoker=(true|on|1)', false) as sound
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'app') and c.relkind in ('v', 'm')`,
  )
  expect(broken(rows, (row) => row.sound)).toEqual([])
})

/** What a role may do with the tables of ours: `insert select update(one, two)`. */
async function grantsOf(role: string): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ table: string; rights: string }>(
    `select relname as table, string_agg(distinct right_to, ' ' order by right_to) as rights
     from (
       select c.oid, lower(privilege_type) as right_to from pg_class c, aclexplode(c.relacl)
       where pg_get_userbyid(grantee) = $1
       union all
       select a.attrelid, lower(privilege_type) || '(' || string_agg(a.attname, ', ' order by a.attname) || ')'
       from pg_attribute a, aclexplode(a.attacl)
       where pg_get_userbyid(grantee) = $1 group by a.attrelid, privilege_type
     ) as rights join pg_class c on c.oid = rights.oid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' group by relname order by relname`,
    [role],
  )
  return Object.fromEntries(rows.map((row) => [row.table, row.rights]))
}
