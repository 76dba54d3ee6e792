import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { urlOf } from '#platform/db/logins.ts'
import { openPool } from '#platform/db/pool.ts'
import { makeRow } from '#testkit/catalog/any-row.ts'
import { fingerprint, readTables, type Table, tenantTables } from '#testkit/catalog/catalogue.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every table that holds projects' rows, tried as the role that serves requests. Rows are made from the catalogue, so
// that a new table is covered the day it is added.

let database: TestDatabase
let owner: pg.Client
/** Logged in as the API is. */
let api: pg.Client
let tables: Table[]
const projects = { a: '', b: '' }
const rows: Record<'a' | 'b', Map<string, Record<string, unknown>>> = { a: new Map(), b: new Map() }

beforeAll(async () => {
  database = await cloneDatabase()
  owner = new pg.Client({ connectionString: database.url })
  api = new pg.Client({ connectionString: urlOf(database.url, 'api', database.secretKey) })
  await owner.connect()
  await api.connect()
  const config = { DATABASE_URL: database.url, SECRET_KEY: database.secretKey }
  const operators = openPool(config, { role: 'operator', size: 1, onError: () => {} })
  const all = await readTables(owner)
  tables = tenantTables(all)
  for (const side of ['a', 'b'] as const) {
    const project = await createProject(operators, { name: side, tier: 'free' })
    projects[side] = await tenantOf(operators, project.id, 'live')
    await owner.query("select set_config('app.project_id', $1, false)", [projects[side]])
    for (const { name } of tables) await makeRow(owner, all, name, projects[side], rows[side])
  }
  await operators.end()
})
afterAll(async () => {
  await api.end()
  await owner.end()
  await database.drop()
})

/** What PostgreSQL answers in a transaction in that project that is then rolled back: how many rows, or which error. */
async function answer(
  project: string | undefined,
  sql: string,
  values: unknown[] = [],
): Promise<number | string> {
  await api.query('begin')
  try {
    if (project !== undefined) await api.query("select set_config('app.project_id', $1, true)", [project])
    return (await api.query(sql, values)).rowCount ?? 0
  } catch (error) {
    return (error as pg.DatabaseError).code ?? ''
  } finally {
    await api.query('rollback')
  }
}

const CHECKED = '23514'
const DENIED = '42501'
/** Neither seen nor touched: no row, or no right to ask. */
const nothing = (outcome: number | string) => outcome === 0 || outcome === DENIED

/** Runs a statement against every table and answers those for which the outcome is wrong. */
async function leaks(
  statement: (table: Table) => { project: string | undefined; sql: string; values?: unknown[] },
  isSound: (outcome: number | string) => boolean,
): Promise<string[]> {
  const found: string[] = []
  for (const table of tables) {
    const { project, sql, values } = statement(table)
    const outcome = await answer(project, sql, values)
    if (!isSound(outcome)) found.push(`${table.name}: ${outcome}`)
  }
  return found
}

/** The same row again, in another project, as an insert. */
function insertOf(table: Table, row: Record<string, unknown>, projectId: string) {
  const columns = table.columns.filter(({ name, needed }) => needed || table.primaryKey.includes(name))
  const values = columns.map(({ name }) => (name === 'project_id' ? projectId : row[name]))
  const names = columns.map(({ name }) => pg.escapeIdentifier(name))
  return {
    sql: `insert into ${table.name} (${names}) values (${values.map((_, i) => `$${i + 1}`)})`,
    values,
  }
}

describe('every table of projects', () => {
  test('has a row of each of the two projects, so that the tests below can fail', async () => {
    expect(tables.length).toBeGreaterThan(5)
    for (const { name } of tables) {
      const { rows: found } = await owner.query(
        `select distinct project_id from ${name} where project_id = any ($1)`,
        [Object.values(projects)],
      )
      expect({ name, projects: found.length }).toEqual({ name, projects: 2 })
    }
  })

  test('shows its own project’s rows', async () => {
    const own = await leaks(
      ({ name }) => ({ project: projects.a, sql: `select 1 from ${name}` }),
      (outcome) => outcome === DENIED || Number(outcome) > 0,
    )
    expect(own).toEqual([])
  })

  test('shows nothing, takes nothing and gives nothing up where no project is set', async () => {
    expect(
      await leaks(({ name }) => ({ project: undefined, sql: `select 1 from ${name}` }), nothing),
    ).toEqual([])
    expect(await leaks(({ name }) => ({ project: '', sql: `select 1 from ${name}` }), nothing)).toEqual([])
    expect(await leaks(({ name }) => ({ project: undefined, sql: `delete from ${name}` }), nothing)).toEqual(
      [],
    )
    const inserted = await leaks(
      (table) => ({ project: undefined, ...insertOf(table, rows.a.get(table.name) ?? {}, projects.a) }),
      (outcome) => outcome === DENIED,
    )
    expect(inserted).toEqual([])
  })

  test('hides another project’s rows from reading, locking, changing and deleting', async () => {
    for (const verb of ['select 1 from', 'delete from'] as const) {
      const found = await leaks(
        ({ name }) => ({
          project: projects.a,
          sql: `${verb} ${name} where project_id = $1`,
          values: [projects.b],
        }),
        nothing,
      )
      expect(found).toEqual([])
    }
    const changed = await leaks(
      ({ name, primaryKey }) => ({
        project: projects.a,
        sql: `update ${name} set ${primaryKey[1]} = ${primaryKey[1]} where project_id = $1`,
        values: [projects.b],
      }),
      nothing,
    )
    expect(changed).toEqual([])
  })

  test('takes no row for another project', async () => {
    const found = await leaks(
      (table) => ({ project: projects.a, ...insertOf(table, rows.b.get(table.name) ?? {}, projects.b) }),
      (outcome) => outcome === DENIED,
    )
    expect(found).toEqual([])
  })

  test('lets no row move to another project', async () => {
    const found = await leaks(
      ({ name }) => ({
        project: projects.a,
        sql: `update ${name} set project_id = $1`,
        values: [projects.b],
      }),
      // Where no row can be changed there is nothing to refuse.
      nothing,
    )
    expect(found).toEqual([])
  })

  test('cannot refer to another project’s row', async () => {
    const found: string[] = []
    for (const table of tables) {
      for (const { name, columns, target, targetColumns } of table.foreignKeys) {
        if (target === 'projects') continue
        const own = rows.a.get(table.name) ?? {}
        const foreign = rows.b.get(target) ?? {}
        const set = columns.flatMap((column, i) =>
          column === 'project_id' ? [] : [{ column, value: foreign[targetColumns[i] ?? ''] }],
        )
        const change = (changes: readonly { column: string; value: unknown }[]) =>
          answer(
            projects.a,
            `update ${table.name} set ${changes.map(({ column }, i) => `${column} = $${i + 1}`)}
             where ${table.primaryKey.map((column, i) => `${column} = $${changes.length + i + 1}`).join(' and ')}`,
            [...changes.map(({ value }) => value), ...table.primaryKey.map((column) => own[column])],
          )
        let outcome = await change(set)
        // A check allows one reference of several: the others are unset.
        const others = table.foreignKeys
          .flatMap((key) => key.columns)
          .filter((column) => column !== 'project_id' && !columns.includes(column))
          .filter((column) => table.columns.some((each) => each.name === column && each.nullable))
        if (outcome === CHECKED)
          outcome = await change([...set, ...[...new Set(others)].map((column) => ({ column, value: null }))])
        // Refused by the key itself, or by there being no right to change it.
        if (outcome !== '23503' && outcome !== DENIED) found.push(`${table.name}.${name}: ${outcome}`)
      }
    }
    expect(found).toEqual([])
  })

  test('is as it was', async () => {
    const before = await fingerprint(database)
    await answer(projects.a, 'delete from members')
    expect(await fingerprint(database)).toBe(before)
  })
})
