import pg from 'pg'
import { urlOf } from '../pool.ts'
import { types } from '../types.ts'

/** A server that does not answer within so many milliseconds counts as unreachable. */
const ANSWER_MS = 1_000

/** A connection that asks one server for its status. It is opened for the first question, and again after it was lost. */
export class StatusConnection {
  readonly #url: string
  readonly #name: string
  readonly #onLost: (error: unknown) => void
  #client: pg.Client | undefined

  /** @param onLost called where the open connection breaks between two questions */
  constructor(databaseUrl: string, secretKey: string, name: string, onLost: (error: unknown) => void) {
    this.#url = urlOf(databaseUrl, 'api', secretKey)
    this.#name = name
    this.#onLost = onLost
  }

  /** The server's process, which the server names to the connection. */
  get process(): number {
    return (this.#client as unknown as { processID: number } | undefined)?.processID ?? 0
  }

  /**
   * The one row of a statement.
   * @throws Error where the server does not answer in time; the next call connects again
   */
  async ask<Row extends object>(statement: string): Promise<Row> {
    try {
      this.#client ??= await this.#connect()
      const { rows } = await this.#client.query<Row>(statement)
      return rows[0] as Row
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    const client = this.#client
    this.#client = undefined
    if (client) destroy(client)
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: this.#name,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      types,
    })
    client.on('error', (error) => {
      if (client !== this.#client) return
      this.close()
      this.#onLost(error)
    })
    try {
      await client.connect()
      return client
    } catch (error) {
      destroy(client)
      throw error
    }
  }
}

/** Closes a connection without waiting for the server, which may answer nothing. */
export function destroy(client: pg.Client | pg.PoolClient): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
