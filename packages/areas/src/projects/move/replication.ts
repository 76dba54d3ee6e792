import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inTransaction } from '../transaction.ts'
import { asReplica, type Installation, oneValue } from './installation.ts'
import type { Move } from './move.ts'
import { TENANT_TABLES } from './published.ts'

const POLL_MS = 20
/** An applied write is seen after that time at the latest where all is well. */
const APPLIED_MS = 60_000

/**
 * The statement has the password of the source in it, and a server writes what fails into its log. A superuser alone may say that it
 * does not; before PostgreSQL 16 nobody else may subscribe.
 */
const LOG_NO_STATEMENTS = `
  do $$ begin
    perform set_config('log_min_error_statement', 'panic', true), set_config('log_statement', 'none', true),
      set_config('log_min_duration_statement', '-1', true), set_config('log_duration', 'off', true);
  exception when insufficient_privilege then null;
  end $$`

/** Replication stands still; the message says why. */
export class ReplicationFault extends Error {
  override name = 'ReplicationFault'
}

/**
 * Publishes all tables of projects with a filter for both sides, and keeps the write-ahead log from now on. Computed columns are left
 * out by PostgreSQL. May be repeated.
 */
export async function publish({ source, sides, shapes, replication }: Move): Promise<void> {
  const { owner } = source
  if (!(await exists(source, 'pg_publication where pubname', replication))) {
    const { rows } = await owner.query<{ name: string; id: string }>(
      `${TENANT_TABLES} union all select 'projects', 'id'`,
    )
    const columnsOf = new Map(shapes.map(({ name, columns }) => [name, columns]))
    const tables = rows.map(({ name, id }) => {
      // Numbers of transactions are those of one server.
      const columns =
        name === 'events'
          ? ` (${columnsOf
              .get(name)
              ?.map((column) => column.name)
              .join(', ')})`
          : ''
      return `${name}${columns} where (${sides.map((side) => `${id} = '${side}'`).join(' or ')})`
    })
    await owner.query(
      `create publication ${replication} for table ${tables.join(', ')} with (publish_via_partition_root = true)`,
    )
  }
  if (!(await exists(source, 'pg_replication_slots where slot_name', replication)))
    await owner.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [replication])
}

/** Whether the other PostgreSQL has begun to follow. */
export const isSubscribed = ({ target, replication }: Move): Promise<boolean> =>
  exists(target, 'pg_subscription where subname', replication)

/** Begins to copy what is published. May be repeated. */
export async function subscribe(move: Move): Promise<void> {
  const { source, target, replication } = move
  if (await isSubscribed(move)) {
    await target.owner.query(`alter subscription ${replication} enable`)
    return
  }
  const address = new URL(source.address)
  const connection = Object.entries({
    host: address.hostname,
    port: address.port || '5432',
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    dbname: decodeURIComponent(address.pathname.slice(1)),
    ...Object.fromEntries(address.searchParams),
  })
    .map(([name, value]) => `${name}='${value.replaceAll(/(['\\])/g, '\\$1')}'`)
    .join(' ')
  await inTransaction(target.owner, async (client) => {
    await client.query(LOG_NO_STATEMENTS)
    await client.query(
      `create subscription ${replication} connection ${pg.escapeLiteral(connection)} publication ${replication}
       with (create_slot = false, slot_name = '${replication}', disable_on_error = true)`,
    )
  }).catch((error: Error) => {
    // A message of libpq may name the address; none of them has the password.
    throw new ReplicationFault(`the other PostgreSQL cannot follow this one: ${error.message}`)
  })
}

/** Waits until all tables are copied. */
export async function awaitCopy(move: Move): Promise<void> {
  const { target, replication, say } = move
  for (let told = 0; ; ) {
    await assertFollowing(move)
    const { rows } = await target.owner.query<{ ready: number; all: number }>(
      `select count(*) filter (where r.srsubstate = 'r')::int as ready, count(*)::int as all
       from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
       where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`,
      [replication],
    )
    const { ready = 0, all = 0 } = rows[0] ?? {}
    if (all > 0 && ready === all) return
    if (ready - told >= 40) {
      told = ready
      say(`${ready} of ${all} tables are copied`)
    }
    await sleep(100)
  }
}

/**
 * Waits until all that was committed here before is there.
 * @returns milliseconds that it took
 */
export async function awaitApplied(move: Move, timeoutMs = APPLIED_MS): Promise<number> {
  const { source, target, sides, replication } = move
  const begun = performance.now()
  // A write of no effect, whose commit comes after all others.
  const position = await asReplica(source.owner, async (client) => {
    const { rows } = await client.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')
    await client.query('update projects set name = name where id = $1', [sides[0]])
    return rows[0]?.at
  })
  for (;;) {
    const isThere = await oneValue<boolean>(
      target.owner,
      `select coalesce(pg_replication_origin_progress('pg_' || oid, false) > $2::pg_lsn, false) as value
       from pg_subscription where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())`,
      [replication, position],
    )
    const took = performance.now() - begun
    if (isThere) return took
    await assertFollowing(move)
    if (took > timeoutMs)
      throw new ReplicationFault(`what was written is not there after ${Math.round(timeoutMs / 1_000)} s`)
    await sleep(POLL_MS)
  }
}

/** @throws ReplicationFault */
async function assertFollowing({ target, replication }: Move): Promise<void> {
  const isEnabled = await oneValue<boolean>(
    target.owner,
    'select subenabled as value from pg_subscription where subname = $1',
    [replication],
  )
  if (isEnabled !== true)
    throw new ReplicationFault(
      'the other PostgreSQL has refused a row: its log says which. Often an id or a hash of the project is there already',
    )
}

/** Ends replication and leaves nothing of it on either server. May be repeated. */
export async function endReplication({
  source,
  target,
  replication,
}: Pick<Move, 'source' | 'target' | 'replication'>): Promise<void> {
  const number = await oneValue<string>(
    target.owner,
    'select oid::text as value from pg_subscription where subname = $1',
    [replication],
  )
  if (number !== undefined) {
    await target.owner.query(`alter subscription ${replication} disable`)
    await target.owner.query(`alter subscription ${replication} set (slot_name = none)`)
    await target.owner.query(`drop subscription ${replication}`)
  }
  for (let attempt = 1; ; attempt++) {
    // With those by which single tables were being copied.
    const { rows } = await source.owner.query<{ name: string; pid: number | null }>(
      `select slot_name as name, active_pid as pid from pg_replication_slots
       where slot_name = $1 or slot_name like 'pg\\_' || $2 || '\\_sync\\_%'`,
      [replication, number ?? '-'],
    )
    if (rows.length === 0) break
    for (const { name, pid } of rows) {
      if (pid !== null) await source.owner.query('select pg_terminate_backend($1)', [pid])
      await source.owner.query('select pg_drop_replication_slot($1)', [name]).catch((error) => {
        // Its last reader is still ending.
        if (attempt > 100) throw error
      })
    }
    await sleep(POLL_MS)
  }
  await source.owner.query(`drop publication if exists ${replication}`)
}

const exists = async ({ owner }: Installation, where: string, name: string): Promise<boolean> =>
  (await oneValue<boolean>(owner, `select exists (select from ${where} = $1) as value`, [name])) === true
