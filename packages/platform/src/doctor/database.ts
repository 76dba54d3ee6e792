import pg from 'pg'
import { loginOf, ROLES, urlOf } from '../db/logins.ts'
import { planMigrations } from '../migrate/migrate.ts'
import { SecretKeyError } from '../migrate/secret-key.ts'
import { examineClock } from './clock.ts'
import { isBehindPooler } from './database-address.ts'
import { type Finding, fault, ok, type Patient, reasonOf, warning } from './finding.ts'
import { examineIndexes } from './missing-indexes.ts'

const CONNECT_MS = 5_000
const OLDEST_VERSION = 15
/** Minutes after which a transaction keeps vacuum from its work. */
const LONG_MINUTES = 10
/** Transactions of 2,100,000,000 after which PostgreSQL stops taking writes. */
const WRAPAROUND_SOON = 1_000_000_000

/** Looks at PostgreSQL with the login of the owner, who can tell the causes of a refused login apart. */
export async function examineDatabase(patient: Patient): Promise<Finding[]> {
  const owner = new pg.Client({
    connectionString: patient.directUrl,
    application_name: 'guildhall doctor',
    connectionTimeoutMillis: CONNECT_MS,
  })
  owner.on('error', () => undefined)
  try {
    await owner.connect()
  } catch (error) {
    // One without a password would be kept by PostgreSQL until its authentication_timeout, and holds up DROP DATABASE.
    await owner.end().catch(() => undefined)
    return [whyNotConnected(error as pg.DatabaseError)]
  }
  try {
    const server = await examineServer(owner)
    const schema = await examineSchema(owner, patient)
    const isWhole = schema.some(({ check, state }) => check === 'schema' && state === 'ok')
    const indexes = isWhole ? await examineIndexes(owner) : []
    return [...server, ...schema, ...indexes, ...(await examineHealth(owner))]
  } finally {
    await owner.end().catch(() => undefined)
  }
}

/** What the driver says where PostgreSQL asks for a password, and the address has none. It has no code. */
const NO_PASSWORD = /client password must be a string/

function whyNotConnected(error: pg.DatabaseError): Finding {
  if (NO_PASSWORD.test(error.message))
    return fault(
      'postgresql',
      'it asks for a password of the owner, and its address has none',
      'Set DATABASE_DIRECT_URL, or DATABASE_URL without it, with the login of the owner: postgres://owner:password@host:port/database',
    )
  const cures: Record<string, string> = {
    '28P01': "Set the owner's password in DATABASE_URL: the server is there and refuses it",
    '28000': "Set the owner's login in DATABASE_URL, or let it in by pg_hba.conf",
    '3D000':
      'Create the database with `createdb`, then run `guildhall migrate`; or correct its name in DATABASE_URL',
    '53300': 'PostgreSQL has no free connection: raise max_connections, or end connections that nobody uses',
    ECONNREFUSED: 'Start PostgreSQL, or correct host and port of DATABASE_URL',
    ENOTFOUND: 'Correct the host of DATABASE_URL: no name server knows it',
  }
  return fault(
    'postgresql',
    `it cannot be reached with the login of the owner: ${reasonOf(error)}`,
    cures[error.code ?? ''] ??
      'Look at the log of PostgreSQL, and at the network between this machine and it',
  )
}

async function examineServer(owner: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = []
  const { rows } = await owner.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('server_version', 'server_version_num', 'fsync', 'full_page_writes', 'autovacuum', 'wal_level')`,
  )
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]))
  const major = Math.floor(Number(settings.get('server_version_num')) / 10_000)
  const version = `PostgreSQL ${settings.get('server_version')}`
  findings.push(
    major < OLDEST_VERSION
      ? fault('postgresql', version, `Upgrade to PostgreSQL ${OLDEST_VERSION} or later`)
      : ok('postgresql', `${version}, wal_level = ${settings.get('wal_level')}`),
  )
  for (const name of ['fsync', 'full_page_writes', 'autovacuum'])
    if (settings.get(name) === 'off')
      findings.push(
        fault(
          'postgresql',
          `${name} is off`,
          `Set ${name} = on: without it data is lost, or tables grow for ever`,
        ),
      )
  if (await isBehindPooler(owner))
    findings.push(
      fault(
        'postgresql',
        'the address of the owner leads to a pooler',
        'Set DATABASE_DIRECT_URL to PostgreSQL itself',
      ),
    )
  return [...findings, await examineClock(owner)]
}

async function examineSchema(owner: pg.Client, patient: Patient): Promise<Finding[]> {
  const { directUrl, databaseUrl, secretKey } = patient
  try {
    const {
      recorded,
      steps,
      of_newer_version: younger,
    } = await planMigrations({ databaseUrl: directUrl, secretKey })
    // What waits for the end of the version before is no fault.
    const due = steps.filter(({ runs }) => !runs.startsWith('with '))
    const pending = recorded.length + due.length
    if (pending > 0)
      return [
        fault(
          'schema',
          `${pending} migrations are pending, the first is ${recorded[0] ?? due[0]?.name}`,
          'Run `guildhall migrate`; `guildhall migrate --plan` says what it locks',
        ),
      ]
    if (younger.length > 0)
      return [
        warning(
          'schema',
          `a newer version of Guildhall has migrated it: ${younger.length} migrations are not of this version, the last is ${younger.at(-1)}`,
          'Run the newer version everywhere; this one goes on until `guildhall migrate --contract` of the newer one',
        ),
      ]
  } catch (error) {
    if (error instanceof SecretKeyError)
      return [
        fault(
          'secret key',
          'SECRET_KEY is not the one that this database was made with',
          'Set the right SECRET_KEY. `migrate --replace-secret-key` takes over a new one, and what the old one sealed is lost',
        ),
      ]
    return [
      fault(
        'schema',
        reasonOf(error),
        'Run the version of Guildhall that made this schema, or restore the file',
      ),
    ]
  }
  const refused = []
  for (const role of ROLES) {
    const reason = await refusalOf(urlOf(databaseUrl, role, secretKey))
    if (reason !== undefined) refused.push({ user: loginOf(databaseUrl, role, secretKey).user, reason })
  }
  const [first] = refused
  if (first !== undefined) {
    const { rows } = await owner.query('select from pg_roles where rolname = $1', [first.user])
    const isThere = rows.length > 0
    return [
      ok('schema', 'every migration is applied'),
      fault(
        'logins',
        `${refused.length} of ${ROLES.length} logins of processes are refused, such as ${first.user}: ${isThere ? first.reason : 'there is no such login'}`,
        'Run `guildhall migrate`: it makes the logins, and sets their passwords anew. With a pooler, add them to its list of users',
      ),
    ]
  }
  return [
    ok('secret key', 'it is the one of this database'),
    ok('schema', 'every migration is applied'),
    ok('logins', `all ${ROLES.length} logins of processes are let in`),
  ]
}

/** Why a login is refused; undefined where it is let in. */
async function refusalOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => undefined)
  return client
    .connect()
    .then(
      () => undefined,
      (error: unknown) => reasonOf(error),
    )
    .finally(() => client.end().catch(() => undefined))
}

async function examineHealth(owner: pg.Client): Promise<Finding[]> {
  const findings: Finding[] = []
  const { rows: invalid } = await owner.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid order by 1',
  )
  if (invalid.length > 0)
    findings.push(
      fault(
        'indexes',
        `${invalid.map(({ name }) => name).join(', ')}: building did not end`,
        'Run `guildhall migrate` if it was cut off; otherwise `reindex index concurrently` each of them',
      ),
    )
  const { rows: long } = await owner.query<{ pid: number; name: string; minutes: number }>(
    `select pid, coalesce(nullif(application_name, ''), usename) as name,
       floor(extract(epoch from clock_timestamp() - xact_start) / 60)::int as minutes
     from pg_stat_activity
     where datname = current_database() and xact_start < clock_timestamp() - $1 * interval '1 minute'
     order by xact_start limit 5`,
    [LONG_MINUTES],
  )
  for (const { pid, name, minutes } of long)
    findings.push(
      warning(
        'transactions',
        `${name} (process ${pid}) has had a transaction open for ${minutes} minutes; vacuum removes nothing newer`,
        `End it, or its process: select pg_terminate_backend(${pid})`,
      ),
    )
  const { rows: prepared } = await owner.query<{ gid: string }>(
    'select gid from pg_prepared_xacts where database = current_database()',
  )
  if (prepared.length > 0)
    findings.push(
      warning(
        'transactions',
        `${prepared.length} prepared transactions wait for their end, the first is ${prepared[0]?.gid}`,
        'Guildhall makes none: end each with `rollback prepared`',
      ),
    )
  findings.push(...(await examineMoves(owner)))
  const { rows: age } = await owner.query<{ age: number }>(
    'select age(datfrozenxid)::int as age from pg_database where datname = current_database()',
  )
  if ((age[0]?.age ?? 0) > WRAPAROUND_SOON)
    findings.push(
      fault(
        'wraparound',
        `the oldest row is ${age[0]?.age} transactions old; PostgreSQL takes no writes after 2,100,000,000`,
        'Find what keeps autovacuum from its work (long transactions, replication slots), then run `vacuum freeze`',
      ),
    )
  return findings.length > 0 ? findings : [ok('database', 'no broken index, no long transaction')]
}

/** A slot that nobody reads keeps the write-ahead log until the disk is full. */
async function examineMoves(owner: pg.Client): Promise<Finding[]> {
  const { rows } = await owner.query<{ name: string; megabytes: number }>(
    `select slot_name as name, coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) / 1048576, 0)::int as megabytes
     from pg_replication_slots where slot_name like 'guildhall\\_move\\_%' and database = current_database() and not active`,
  )
  return rows.map(({ name, megabytes }) =>
    warning(
      'moves',
      `the move of a project was cut off: nobody reads the slot ${name}, for which ${megabytes} MB of the write-ahead log are kept`,
      'Run the same `guildhall project move` again, or with --abort',
    ),
  )
}
