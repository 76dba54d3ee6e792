/** What the run's global setup hands to every test file, through vitest's `inject`. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The real servers of this run. */
    servers: {
      /** The owner's address of the PostgreSQL server, in its maintenance database. */
      postgresUrl: string
      /** A migrated database that is never connected to, only cloned. */
      templateDatabase: string
      /** Names that belong to this run begin with it. */
      prefix: string
      /** The path of a redis-server program; empty where the machine has none. */
      redisServer: string
      /** The path of a Chromium; empty where the machine has none. */
      browser: string
      /** A folder that is removed, and whose servers are stopped, when the run ends. */
      runFolder: string
    }
    /** How long fuzzing goes on after its one round, and with which seed it begins. */
    fuzz: { seconds: number; seed: number }
    /** How many random walks there are of each kind, and with which seed they begin; with 0 it is chosen anew. */
    walks: { count: number; seed: number }
    /** How many rows each table has when the reads of every statement are counted. */
    plans: { rows: number }
  }
}

/** The secret that the runtime logins of every test database derive from. */
export const TEST_SECRET_KEY = 'a secret for tests only, of 32 characters or more'
