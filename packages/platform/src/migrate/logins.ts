import type { Client } from 'pg'
import pg from 'pg'
import { loginOf, ROLES, type Role } from '../db/logins.ts'
import type { Place } from './apply.ts'

/** Where BullMQ keeps its own tables in our database, for installations without a Redis. */
export const QUEUE_SCHEMA = 'bullmq'

/**
 * Brings BullMQ's schema up to date. Its own role may use rows, sequences and functions there, and nothing of ours.
 * @param client the owner's
 */
export async function migrateQueue(client: Client): Promise<void> {
  // The launcher starts PostgreSQL before it loads this.
  const { runMigrations } = await import('bullmq')
  await runMigrations(client, QUEUE_SCHEMA)
  await client.query(`
    grant usage on schema ${QUEUE_SCHEMA} to guildhall_queue;
    grant select, insert, update, delete on all tables in schema ${QUEUE_SCHEMA} to guildhall_queue;
    grant usage on all sequences in schema ${QUEUE_SCHEMA} to guildhall_queue`)
}

/** The role whose rights and policies a login has. */
export const rightsOf = (role: Role): string => `guildhall_${role === 'reports' ? 'api' : role}`

/** Sessions of the application do short work; a statement that takes longer than this hangs. */
const SESSION = {
  timezone: 'UTC',
  statement_timeout: '30s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
  // Compiling a plan to machine code pays off for reports of minutes, never for a request.
  jit: 'off',
}

/**
 * For logins whose statements all have an index: they read rows by it, one after the other, from tables of any size. A plan that is
 * made while a table is small is kept until it is analyzed. At that time a scan of the whole table, or a join of two whole ones,
 * looks as cheap as a read by key; so does another index that begins with the project, if looking a page up costs four times as much as
 * reading on. Each request would then be slower than the one before (docs/decisions/0007).
 */
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  random_page_cost: '1.1',
}
/**
 * A command of the queue is short. One that waits for a lock, or a connection that holds one and does nothing, would
 * keep the relay from its next batch; it is ended, and the sweep repeats what it was for.
 */
const QUEUE = {
  search_path: QUEUE_SCHEMA,
  lock_timeout: '2s',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '3s',
}
/**
 * The relay does not wait until its batches are on disk. A claim of deliveries or jobs commits after it and waits for
 * the disk, which writes all earlier commits. If the server loses a batch in between, its rows are in the outbox again.
 */
const RELAY = { ...BY_INDEX, synchronous_commit: 'off' }
/** An audit reads whole tables, once a night. */
const AUDITOR = { statement_timeout: '1h', default_transaction_read_only: 'on' }
const SETTINGS: { readonly [R in Role]?: Readonly<Record<string, string>> } = {
  api: BY_INDEX,
  // They have the rights of the API's login, and write nothing.
  reports: { default_transaction_read_only: 'on' },
  keys: BY_INDEX,
  relay: RELAY,
  housekeeper: BY_INDEX,
  webhooks: BY_INDEX,
  queue: QUEUE,
  auditor: AUDITOR,
}

/** Makes the logins of the runtime roles, or gives those that exist the present passwords and settings. */
export async function makeLogins(client: pg.Client, { databaseUrl, secretKey }: Place): Promise<void> {
  const database = pg.escapeIdentifier(decodeURIComponent(new URL(databaseUrl).pathname.slice(1)))
  for (const role of ROLES) {
    const { user, password } = loginOf(databaseUrl, role, secretKey)
    const login = pg.escapeIdentifier(user)
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [user])
    if (rowCount === 0)
      await client.query(`create role ${login} login in role ${pg.escapeIdentifier(rightsOf(role))}`)
    await client.query(`alter role ${login} password ${pg.escapeLiteral(password)}`)
    for (const [setting, value] of Object.entries({ ...SESSION, ...SETTINGS[role] })) {
      await client.query(
        `alter role ${login} in database ${database} set ${setting} = ${pg.escapeLiteral(value)}`,
      )
    }
    await client.query(`grant connect on database ${database} to ${login}`)
  }
}
