import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { databaseUrl, dropDatabase, onServer } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { SOON } from '#testkit/soon.ts'
import { loginOf } from '../db/logins.ts'
import { openPool } from '../db/pool.ts'
import { assertInstallation } from './assert-installation.ts'
import { awaitMigrations } from './await-migrations.ts'
import { BASELINE, FILES, FOLDER, migrateToBaseline } from './baseline.fixture.ts'
import { migrate, planMigrations } from './migrate.ts'
import { fingerprintOf, SecretKeyError } from './secret-key.ts'

/** Migrations of before the first release. */
const FORMER = Object.keys(BASELINE.replaces)
/** What a version before may still use is taken away by `--contract` alone. */
const WAITING = ['20261126T0770_end_of_version_0_1_0.sql']
const LATER = FILES.filter((name) => !BASELINE.files.includes(name))

let url: string
let owner: pg.Pool

const begin = async (template = 'template1') => {
  const { postgresUrl, prefix } = inject('servers')
  const name = `${prefix}_migrate_${Math.random().toString(36).slice(2)}`
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
/** In place of an empty database one that has all migrations, and logins. */
const beginMigrated = async () => {
  await end()
  await begin(inject('servers').templateDatabase)
  await run()
}

const run = (secretKey = TEST_SECRET_KEY) => migrate({ databaseUrl: url, secretKey })
const landed = async () =>
  (await owner.query<{ name: string }>('select name from schema_migrations order by name')).rows.map(
    (row) => row.name,
  )

test('any number may migrate at once: one works, the others find it done', async () => {
  const results = await Promise.all(Array.from({ length: 4 }, () => run()))
  expect(results.map(({ applied }) => applied.length).sort((a, b) => b - a)).toEqual([FILES.length, 0, 0, 0])
  expect(await landed()).toEqual(FILES)
  expect((await run()).applied).toEqual([])
})

test('a process of the new version waits, with its own login, until another one has migrated', async () => {
  const wait = (timeoutMs: number) =>
    awaitMigrations({ databaseUrl: url, secretKey: TEST_SECRET_KEY, timeoutMs })
  await expect(wait(0)).rejects.toThrow(/^The database is not migrated after 0 s: /)
  const waiting = wait(SOON.timeout)
  await run()
  await waiting
  await owner.query('delete from schema_migrations where name = $1', [FILES.at(-1)])
  await expect(wait(0)).rejects.toThrow(`1 migrations are missing, the first is ${FILES.at(-1)}`)
})

test('a migration that was edited after it had landed is refused by its name, and nothing is applied', async () => {
  await run()
  await owner.query("update schema_migrations set checksum = 'of other text' where name = $1", [FILES[1]])
  await owner.query('delete from schema_migrations where name = $1', [FILES.at(-1)])
  await expect(run()).rejects.toThrow(`migration ${FILES[1]} was edited after it had been applied`)
  expect(await landed()).toEqual(FILES.slice(0, -1))
})

test('a migration that fails is named and leaves nothing of itself', async () => {
  await run()
  // Forgotten, so that it is applied again, on top of what it made.
  await owner.query('delete from schema_migrations where name = $1', [FILES[1]])
  await expect(run()).rejects.toThrow(`migration ${FILES[1]} failed: relation "projects" already exists`)
  expect(await landed()).not.toContain(FILES[1])
  // The built-in one alone.
  expect((await owner.query('select from projects')).rowCount).toBe(1)
})

describe('a database from before the first release', () => {
  /** What it records: in place of the baseline, the migrations that made the same schema, and nothing that came later. */
  const makeFormer = async () => {
    await migrateToBaseline(url)
    await owner.query('truncate schema_migrations')
    await owner.query(
      'insert into schema_migrations (name, checksum) select key, value from json_each_text($1)',
      [JSON.stringify(BASELINE.replaces)],
    )
    await owner.query('alter table members alter column created_at set default now()')
  }

  test('keeps its rows, records the baseline as applied, and gets what came later', async () => {
    await makeFormer()
    await owner.query(
      "insert into signing_keys (id, public_key, private_key, signs_from) values ('kept', '{}', '', now())",
    )
    expect(await run()).toEqual({
      applied: LATER.filter((name) => !WAITING.includes(name)),
      waiting: WAITING,
    })
    expect((await migrate({ databaseUrl: url, secretKey: TEST_SECRET_KEY, contract: true })).applied).toEqual(
      WAITING,
    )
    expect(await landed()).toEqual([...FORMER, ...FILES].sort())
    expect((await owner.query('select id from signing_keys')).rows).toEqual([{ id: 'kept' }])
    const { rows } = await owner.query(
      "select from information_schema.columns where table_name = 'members' and column_name = 'created_at' and column_default is not null",
    )
    expect(rows).toEqual([])
    expect((await run()).applied).toEqual([])
  })

  test('that lacks some of the migrations of that time is refused with their names, and nothing is recorded', async () => {
    await makeFormer()
    await owner.query('delete from schema_migrations where name = any ($1)', [FORMER.slice(-2)])
    await expect(run()).rejects.toThrow(
      `before version 0.1.0, and 2 of the 87 migrations of that time are missing (${FORMER.slice(-2).join(', ')})`,
    )
    expect(await landed()).toEqual(FORMER.slice(0, -2))
  })

  test('in which a migration of that time was another is refused by its name, and nothing is recorded', async () => {
    await makeFormer()
    await owner.query("update schema_migrations set checksum = 'of other text' where name = $1", [FORMER[1]])
    await expect(run()).rejects.toThrow(`migration ${FORMER[1]} was edited after it had been applied`)
    expect(await landed()).toEqual(FORMER)
  })
})

test('the baseline is the first of all migrations, and no other file has a name of before it', () => {
  expect(FILES.slice(0, BASELINE.files.length)).toEqual(BASELINE.files)
  expect(FILES.filter((name) => FORMER.includes(name))).toEqual([])
})

test('a migration that waits for a table gives way to requests, and is applied once the table is free', async () => {
  const folder = await mkdtemp(join(inject('servers').runFolder, 'migrations-'))
  await cp(FOLDER, folder, { recursive: true })
  await run()
  await writeFile(join(folder, '99991231T0000_more.sql'), 'alter table projects add column more text')
  const requests = new pg.Pool({ connectionString: url })
  const holder = await requests.connect()
  try {
    await holder.query('begin; lock table projects in access share mode')
    const migrated = migrate({
      databaseUrl: url,
      secretKey: TEST_SECRET_KEY,
      folder: pathToFileURL(`${folder}/`),
    })
    await vi.waitFor(async () => {
      const waiting = await owner.query(
        `select from pg_stat_activity where application_name = 'guildhall migrate' and wait_event_type = 'Lock'
         and datname = current_database()`,
      )
      expect(waiting.rowCount).toBe(1)
    }, SOON)
    // This waits behind the migration, until that gives way.
    expect((await requests.query('select from projects')).rowCount).toBe(1)
    await holder.query('rollback')
    expect((await migrated).applied).toEqual(['99991231T0000_more.sql'])
  } finally {
    holder.release()
    await requests.end()
    await rm(folder, { recursive: true })
  }
})

test('a database of an earlier version gets the logins and settings of this one', async () => {
  await run()
  const user = (role: 'api' | 'reports') => pg.escapeIdentifier(loginOf(url, role, TEST_SECRET_KEY).user)
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1))
  await owner.query(`alter role ${user('api')} in database ${name} reset enable_seqscan`)
  await owner.query(
    `revoke connect on database ${name} from ${user('reports')}; drop role ${user('reports')}`,
  )
  expect((await run()).applied).toEqual([])
  const ask = async (role: 'api' | 'reports') => {
    const config = { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY }
    const pool = openPool(config, { role, size: 1, onError: () => {} })
    const { rows } = await pool.query(`select current_setting('enable_seqscan') as scans,
      has_table_privilege('members', 'select') as reads`)
    await pool.end()
    return rows[0]
  }
  expect(await ask('api')).toEqual({ scans: 'off', reads: true })
  expect(await ask('reports')).toEqual({ scans: 'on', reads: true })
})

describe('another secret key', () => {
  beforeEach(beginMigrated)
  const OTHER = 'another secret key, of 32 characters or more'
  const login = (secretKey: string) => {
    const pool = openPool(
      { DATABASE_URL: url, SECRET_KEY: secretKey },
      { role: 'api', size: 1, onError: () => {} },
    )
    return pool.query('select 1').finally(() => pool.end())
  }
  /** A server that asks nobody for a password cannot refuse one. */
  const asksForPasswords = async () => {
    const { rows } = await owner.query<{ trusts: boolean }>(
      `select bool_or(auth_method = 'trust') as trusts from pg_hba_file_rules`,
    )
    return rows[0]?.trusts !== true
  }
  const start = async (secretKey: string) =>
    (await assertInstallation({ DATABASE_URL: url, SECRET_KEY: secretKey })).remark

  test('is refused before anything is changed, and by processes that start', async () => {
    await owner.query('delete from schema_migrations where name = $1', [FILES.at(-1)])
    await expect(run(OTHER)).rejects.toThrow(SecretKeyError)
    await expect(planMigrations({ databaseUrl: url, secretKey: OTHER })).rejects.toThrow(SecretKeyError)
    expect(await landed()).toEqual(FILES.slice(0, -1))
    await expect(login(TEST_SECRET_KEY)).resolves.toMatchObject({ rowCount: 1 })
    await expect(start(TEST_SECRET_KEY)).resolves.toBeUndefined()
    if (await asksForPasswords())
      await expect(start(OTHER)).resolves.toMatch(
        /SECRET_KEY is not the one .*`guildhall doctor`, with the login of the owner, tells which\. This process asks again/,
      )
    else await expect(start(OTHER)).rejects.toThrow(SecretKeyError)
  })

  test('is told apart from a database that is not there, by whoever has the login of the owner', async () => {
    const nowhere = `${url}_nowhere`
    const remark = async () =>
      (await assertInstallation({ DATABASE_URL: nowhere, SECRET_KEY: TEST_SECRET_KEY })).remark
    expect(await remark()).toMatch(/, or there is no such database, or .*`guildhall doctor`/)
    const { user, password } = loginOf(nowhere, 'api', TEST_SECRET_KEY)
    await owner.query(`create role ${user} login password '${password}'`)
    try {
      expect(await remark()).toMatch(/ \(database ".*_nowhere" does not exist\)\. Make it with `createdb`/)
    } finally {
      await owner.query(`drop role ${user}`)
    }
  })

  test('is refused in a database without a fingerprint, because its logins have other passwords', async () => {
    await owner.query('drop table installation')
    if (await asksForPasswords()) await expect(run(OTHER)).rejects.toThrow(SecretKeyError)
    await expect(login(TEST_SECRET_KEY)).resolves.toMatchObject({ rowCount: 1 })
  })

  test('stops a process that the server lets in', async () => {
    await owner.query('update installation set key_fingerprint = $1', [fingerprintOf(OTHER)])
    await expect(start(TEST_SECRET_KEY)).rejects.toThrow(SecretKeyError)
  })

  test('is taken over where that is asked for, and gives the logins other passwords', async () => {
    await migrate({ databaseUrl: url, secretKey: OTHER, replaceSecretKey: true })
    await expect(login(OTHER)).resolves.toMatchObject({ rowCount: 1 })
    if (await asksForPasswords())
      await expect(login(TEST_SECRET_KEY)).rejects.toMatchObject({ code: '28P01' })
    await expect(run(OTHER)).resolves.toEqual({ applied: [], waiting: [] })
    await expect(run()).rejects.toThrow(SecretKeyError)
  })
})

describe('a migration of one statement', () => {
  let folder: string
  const withFile = (secretKey = TEST_SECRET_KEY) =>
    migrate({ databaseUrl: url, secretKey, folder: pathToFileURL(`${folder}/`) })
  const write = (sql: string) => writeFile(join(folder, '99991231T0000_more.sql'), sql)
  const isValid = async () => {
    const { rows } = await owner.query(
      "select indisvalid as valid from pg_index where indexrelid = to_regclass('more')",
    )
    return rows[0]?.valid
  }
  const INDEX = '-- runs: alone\ncreate index concurrently more on projects (name);'

  beforeEach(async () => {
    folder = await mkdtemp(join(inject('servers').runFolder, 'migrations-'))
    await cp(FOLDER, folder, { recursive: true })
    await beginMigrated()
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('that builds an index concurrently lets writers in while it runs', async () => {
    await write(INDEX)
    const writer = new pg.Client({ connectionString: url })
    await writer.connect()
    try {
      // The build waits for this transaction, and has the table meanwhile.
      await writer.query('begin; lock table projects in row exclusive mode')
      const migrated = withFile()
      await vi.waitFor(async () => {
        const { rowCount } = await owner.query(
          'select from pg_stat_progress_create_index where datname = current_database()',
        )
        expect(rowCount).toBe(1)
      }, SOON)
      await owner.query("set lock_timeout = '1s'; begin; lock table projects in row exclusive mode; commit")
      await writer.query('commit')
      expect((await migrated).applied).toEqual(['99991231T0000_more.sql'])
    } finally {
      await writer.end()
    }
    expect(await isValid()).toBe(true)
  })

  test('is finished by whoever comes next, where a killed run left an index half built or did not record it', async () => {
    await write(INDEX)
    await owner.query('create index more on projects (name)')
    await owner.query("update pg_index set indisvalid = false where indexrelid = 'more'::regclass")
    expect((await withFile()).applied).toEqual(['99991231T0000_more.sql'])
    expect(await isValid()).toBe(true)
    await owner.query("delete from schema_migrations where name like '9999%'")
    expect((await withFile()).applied).toEqual(['99991231T0000_more.sql'])
  })

  test('is applied once by several at once, who do not keep it from its end', async () => {
    await write(INDEX)
    const results = await Promise.all([withFile(), withFile(), withFile()])
    expect(results.flatMap(({ applied }) => applied)).toEqual(['99991231T0000_more.sql'])
  })

  test('that runs in batches changes all rows of all projects, some in a transaction', async () => {
    const projects = ['1', '2'].map((n) => `00000000-0000-7000-8000-00000000000${n}`)
    for (const id of projects) {
      await owner.query("select set_config('app.project_id', $1, false)", [id])
      await owner.query(
        "insert into mails (id, mail, to_address, state, finished_at) select gen_random_uuid(), 'x', 'a@example.com', 'sent', now() from generate_series(1, 25)",
      )
    }
    const operator = openPool(
      { DATABASE_URL: url, SECRET_KEY: TEST_SECRET_KEY },
      { role: 'operator', size: 1, onError: () => {} },
    )
    for (const id of projects)
      await operator.query(
        "insert into projects (id, live_id, environment, name, tier) values ($1, $1, 'live', 'P', 'free')",
        [id],
      )
    await operator.end()
    await write(`-- runs: in batches
      update mails set to_name = 'done' where (project_id, id) in
        (select project_id, id from mails where to_name <> 'done' and project_id = app.current_project() limit 10);`)
    expect((await withFile()).applied).toEqual(['99991231T0000_more.sql'])
    for (const id of projects) {
      await owner.query("select set_config('app.project_id', $1, false)", [id])
      const { rows } = await owner.query(
        `select to_name, count(*)::int as n, count(distinct xmin::text)::int as batches from mails
         where project_id = $1 group by 1`,
        [id],
      )
      expect(rows).toEqual([{ to_name: 'done', n: 25, batches: 3 }])
    }
  })

  test('must have one statement', async () => {
    await write('-- runs: alone\ncreate index concurrently more on projects (name);\nselect 1;')
    await expect(withFile()).rejects.toThrow('99991231T0000_more.sql runs alone: it must have one statement')
  })

  test('is in the plan, with what it locks, and the plan changes nothing', async () => {
    await write(
      `-- locks: projects against writes, 1 s at 1,000,000 rows\n-- contract: nothing reads it\n${INDEX}`,
    )
    const place = { databaseUrl: url, secretKey: TEST_SECRET_KEY, folder: pathToFileURL(`${folder}/`) }
    expect(await planMigrations(place)).toEqual({
      recorded: [],
      steps: [
        {
          name: '99991231T0000_more.sql',
          runs: 'alone',
          locks: 'projects against writes, 1 s at 1,000,000 rows',
          rows: expect.stringMatching(/^about \d+ in projects$/),
          way_back: 'the version before runs on it: nothing reads it',
        },
      ],
      no_way_back_from: undefined,
      of_newer_version: [],
    })
    expect(await landed()).toEqual(FILES)
  })
})
