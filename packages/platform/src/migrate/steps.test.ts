import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { databaseUrl, dropDatabase, onServer } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { awaitMigrations } from './await-migrations.ts'
import { FILES, FOLDER, migrateToBaseline } from './baseline.fixture.ts'
import { migrate, planMigrations } from './migrate.ts'

/** What a version before may still use is taken away by `--contract` alone. */
const WAITING = ['20261126T0770_end_of_version_0_1_0.sql']

let url: string
let owner: pg.Pool

const begin = async (template = 'template1') => {
  const { postgresUrl, prefix } = inject('servers')
  const name = `${prefix}_steps_${Math.random().toString(36).slice(2)}`
  url = databaseUrl(postgresUrl, name)
  await onServer(postgresUrl, `create database ${name} template ${template}`)
  owner = new pg.Pool({ connectionString: url, max: 1 })
}
const end = async () => {
  await owner.end()
  await dropDatabase(url)
}
beforeEach(() => begin())
afterEach(end)

const run = () => migrate({ databaseUrl: url, secretKey: TEST_SECRET_KEY })
const landed = async () =>
  (await owner.query<{ name: string }>('select name from schema_migrations order by name')).rows.map(
    (row) => row.name,
  )

describe('steps in place of a migration', () => {
  let folder: string
  const inFolder = () =>
    migrate({ databaseUrl: url, secretKey: TEST_SECRET_KEY, folder: pathToFileURL(`${folder}/`) })
  beforeEach(async () => {
    folder = await mkdtemp(join(inject('servers').runFolder, 'migrations-'))
    await cp(FOLDER, folder, { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Everything that statements can tell apart, as PostgreSQL spells it. */
  const schemaOf = async () => {
    const { rows } = await owner.query<{ line: string }>(`
      select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
          pg_get_expr(d.adbin, d.adrelid)) as line
        from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      union all select pg_get_indexdef(indexrelid) || ' ' || indisvalid from pg_index
        where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
        where connamespace = 'public'::regnamespace
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select pg_get_functiondef(oid) || array_to_string(proacl, ' ') from pg_proc where pronamespace = 'app'::regnamespace and prokind in ('f', 'p')
      union all select concat_ws(' ', relname, relacl, relrowsecurity, relforcerowsecurity) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      union all select concat_ws(' ', tablename, policyname, roles, cmd, qual, with_check) from pg_policies
      order by 1`)
    // The days of a log are made by the clock.
    return rows.map(({ line }) => line).filter((line) => !/_\d{8}/.test(line))
  }

  test('make the same schema as the migration itself, in a new database and in one of version 0.1.0', async () => {
    await rm(join(folder, 'steps'), { recursive: true })
    await inFolder()
    const whole = await schemaOf()
    expect(whole.length).toBeGreaterThan(2_000)
    await end()
    await begin()
    await run()
    expect(await schemaOf()).toEqual(whole)
    await end()
    await begin()
    await migrateToBaseline(url)
    await migrate({ databaseUrl: url, secretKey: TEST_SECRET_KEY, contract: true })
    expect(await schemaOf()).toEqual(whole)
    expect(await landed()).toEqual(FILES)
  })

  test('go on after the last one that was done, where a run was killed', async () => {
    await run()
    await writeFile(
      join(folder, '99991231T0000_more.sql'),
      'alter table projects add column more text;\nselect 1;',
    )
    const steps = join(folder, 'steps/99991231T0000_more')
    await mkdir(steps, { recursive: true })
    // It cannot be repeated.
    await writeFile(join(steps, '1_column.sql'), '-- without: select 1')
    await writeFile(join(steps, '2_index.sql'), 'create index more on projects (fewer)')
    await expect(inFolder()).rejects.toThrow('migration 99991231T0000_more/2_index.sql failed')
    expect(await landed()).toContain('99991231T0000_more/1_column.sql')
    await writeFile(join(steps, '2_index.sql'), 'create index more on projects (more)')
    expect((await inFolder()).applied).toEqual(['99991231T0000_more.sql'])
    expect(await landed()).toEqual([...FILES, '99991231T0000_more.sql'])
  })

  test('leave out what is there, or say that it is not', async () => {
    await writeFile(join(folder, '99991231T0000_more.sql'), 'select 1;')
    await mkdir(join(folder, 'steps/99991231T0000_more'), { recursive: true })
    await writeFile(join(folder, 'steps/99991231T0000_more/1.sql'), '-- without: drop table members')
    await expect(inFolder()).rejects.toThrow('no statement begins with drop table members')
  })
})

test('what version 0.1.0 sets of a project is read by this version, and the other way round, until --contract', async () => {
  await migrateToBaseline(url)
  await run()
  const [id] = ['00000000-0000-7000-8000-000000000000']
  await owner.query("select set_config('app.project_id', $1, false)", [id])
  await owner.query(
    "insert into projects (id, live_id, environment, name, tier) values ($1, $1, 'live', 'P', 'free') on conflict do nothing",
    [id],
  )
  await owner.query(
    "update projects set report_threshold = 7, feedback_url = 'https://a.example/{id}' where id = $1",
    [id],
  )
  const settings = async () =>
    (
      await owner.query(
        'select report_threshold, feedback_url from discussion_settings d join feedback_settings f using (project_id) where project_id = $1',
        [id],
      )
    ).rows
  expect(await settings()).toEqual([{ report_threshold: 7, feedback_url: 'https://a.example/{id}' }])
  await owner.query('update discussion_settings set report_threshold = null where project_id = $1', [id])
  await owner.query(
    'insert into analytics_settings (project_id, id, respect_do_not_track) values ($1, gen_random_uuid(), true)',
    [id],
  )
  expect(
    (
      await owner.query('select report_threshold, respect_do_not_track as rest from projects where id = $1', [
        id,
      ])
    ).rows,
  ).toEqual([{ report_threshold: 3, rest: true }])
  const plan = await planMigrations({ databaseUrl: url, secretKey: TEST_SECRET_KEY })
  expect(plan.no_way_back_from).toBe(WAITING[0])
  expect(plan.steps).toEqual([
    expect.objectContaining({ name: WAITING[0], way_back: expect.stringMatching(/^none from here: /) }),
  ])
  // Processes of this version do not wait for it.
  await awaitMigrations({ databaseUrl: url, secretKey: TEST_SECRET_KEY, timeoutMs: 0 })
})
