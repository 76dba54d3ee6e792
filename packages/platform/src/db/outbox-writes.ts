import type { Pool } from 'pg'

const listeners = new WeakMap<Pool, () => void>()

/** Calls a listener after each commit of a pool's transaction that wrote to the outbox. There is one for each pool. */
export function onOutboxWrite(pool: Pool, listener: () => void): void {
  listeners.set(pool, listener)
}

/** Called by the transaction. */
export const outboxWritten = (pool: Pool): void => listeners.get(pool)?.()

/** Whether a statement writes to the outbox. */
export const writesOutbox = (sql: string): boolean => /insert into "?outbox"?/i.test(sql)
