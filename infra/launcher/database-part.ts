/** The database: an embedded PostgreSQL in the data folder, or one that runs elsewhere. */
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '../postgres/server.ts'
import { StartError } from '../start-error.ts'
import type { Part } from './part.ts'

/** Runs PostgreSQL in the data folder; `onLost` hears of its end when nobody asked for it. */
export function embeddedDatabase(dataDir: string, onLost: (reason: string) => void): Part {
  let server: Postgres | undefined
  let stopping = false
  let starting: Promise<Postgres> | undefined
  return {
    name: 'PostgreSQL',
    async start() {
      starting = startPostgres({ dataDir: join(dataDir, 'postgres') })
      server = await starting
      server.onEnd(() => {
        if (!stopping)
          onLost(`PostgreSQL has ended unexpectedly (its log: ${join(dataDir, 'postgres', 'server.log')}).`)
      })
      return { DATABASE_URL: server.url, DATABASE_OWNER_URL: server.url }
    },
    async stop(milliseconds) {
      stopping = true
      // Interrupted while it starts: wait for it, so that nothing is left running.
      server ??= await starting?.catch(() => undefined)
      await server?.stop(milliseconds)
    },
  }
}

/** Uses the PostgreSQL at DATABASE_URL after a look whether it answers. */
export function externalDatabase(url: string): Part {
  return {
    name: 'the database',
    async start() {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
      client.on('error', () => undefined)
      try {
        await client.connect()
      } catch (error) {
        const { code, message } = error as { code?: string; message: string }
        throw new StartError(`The database at ${placeOf(url)} cannot be reached: ${message || code}`)
      } finally {
        await client.end().catch(() => undefined)
      }
      return { DATABASE_URL: url }
    },
    stop: () => Promise.resolve(),
  }
}

/** Names a database without the credentials in its address. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
