import type { Client, Pool, PoolClient, QueryConfig } from 'pg'

/** A server that does not answer within so many milliseconds counts as unreachable. */
export const ANSWER_MS = 1_000

/**
 * What a server answers of itself, over the one connection of a pool, which opens it again after it was lost.
 * @returns the row, and the server's process, which the server names to the connection
 * @throws Error where the server does not answer in time
 */
export async function askStatus<Row extends object>(
  pool: Pool,
  text: string,
): Promise<{ status: Row; process: number }> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<Row>({ text, query_timeout: ANSWER_MS } as QueryConfig)
    client.release()
    return { status: rows[0] as Row, process: (client as unknown as { processID: number }).processID }
  } catch (error) {
    destroy(client)
    client.release(true)
    throw error
  }
}

/** Closes a connection without waiting for the server, which may answer nothing. */
export function destroy(client: Client | PoolClient): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
