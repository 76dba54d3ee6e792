import type { Client } from 'pg'

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
