import pg from 'pg'
import { loginOf } from '#platform/db/logins.ts'
import { Replicas } from '#platform/db/replicas/replicas.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { cloneDatabase, databaseUrl, onServer } from '#testkit/database.ts'
import { TEST_SECRET_KEY } from '#testkit/provided.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { startTransactionPooler } from '#testkit/servers/transaction-pooler.ts'
import type { Standby } from '../../postgres/standby.ts'

/** Addresses of DATABASE_REPLICA_URL, each of something else, as a process of the primary sees them. */
export interface Addresses {
  readonly replicas: Replicas
  /** Messages in the log so far. */
  messages(): string[]
  close(): Promise<void>
}

/**
 * The primary itself, its standby, the standby behind a pooler, another server, and a port that nobody listens on; all with
 * the same name of the database and its login.
 */
export async function openAddresses(primaryUrl: string, standby: Standby): Promise<Addresses> {
  const elsewhere = await cloneDatabase()
  const name = new URL(elsewhere.url).pathname.slice(1)
  const { user, password } = loginOf(elsewhere.url, 'api', TEST_SECRET_KEY)
  const login = `create role ${pg.escapeIdentifier(user)} login password ${pg.escapeLiteral(password)}`
  await onServer(primaryUrl, `create database ${name}`, login)
  await standby.untilCaughtUp()
  const pooler = await startTransactionPooler(standby.url)
  const nobody = `postgres://127.0.0.1:${await freePort()}`
  const lines: string[] = []
  const replicas = new Replicas(
    {
      DATABASE_URL: databaseUrl(primaryUrl, name),
      DATABASE_REPLICA_URL: [
        ...[primaryUrl, standby.url, pooler.url].map((url) => databaseUrl(url, name)),
        ...[elsewhere.url, databaseUrl(nobody, name)],
      ],
      REPLICA_MAX_LAG_MS: 10_000,
      SECRET_KEY: TEST_SECRET_KEY,
    },
    {
      log: makeLog('info', 'test', { write: (line) => lines.push(line) }),
      sizes: { reads: 1, reports: 1, copies: 1 },
    },
  )
  replicas.start()
  return {
    replicas,
    messages: () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    close: async () => {
      await replicas.close()
      await pooler.close()
      await elsewhere.drop()
    },
  }
}
