import type { Client, Pool, PoolClient, QueryConfig } from 'pg'
import { ApiError } from '../../errors.ts'
import type { WrittenPosition } from './replay-progress.ts'

/** What the primary answers of itself. Its position is null while it is no primary. */
export interface PrimaryStatus {
  readonly written: number | null
  readonly cluster: string
  readonly started: string
}

/** What a replica answers of itself. */
export interface ReplicaStatus {
  /** Its process that answers. */
  readonly process: number
  readonly in_recovery: boolean
  readonly replayed: number | null
  readonly cluster: string
  readonly started: string
  /** Whether the primary keeps rows that queries here still need. */
  readonly feedback: boolean
}

const IDENTITY = `(select system_identifier::text from pg_control_system()) as cluster,
  pg_postmaster_start_time()::text as started`

// PostgreSQL refuses these functions in the wrong state, so each is asked only in its own.
export const PRIMARY_STATUS = `select case when not pg_is_in_recovery()
  then (pg_current_wal_insert_lsn() - '0/0')::int8 end as written, ${IDENTITY}`

export const REPLICA_STATUS = `select pg_backend_pid() as process, pg_is_in_recovery() as in_recovery,
  (pg_last_wal_replay_lsn() - '0/0')::int8 as replayed,
  current_setting('hot_standby_feedback')::bool as feedback, ${IDENTITY}`

/** What the primary answered, and where it was when it was asked. */
export interface KnownPrimary {
  readonly status: PrimaryStatus
  readonly position: WrittenPosition
}

/** Why a replica is not read: a word for programs and a sentence for the log. */
export interface ReplicaProblem {
  readonly code: 'unknown' | 'unreachable' | 'pooler' | 'other_cluster' | 'primary' | 'promoted' | 'behind'
  readonly sentence: string
}

export const NOT_CHECKED_YET: ReplicaProblem = { code: 'unknown', sentence: 'was not checked yet' }

const POOLER: ReplicaProblem = {
  code: 'pooler',
  sentence:
    'leads to a pooler: its address must lead to one PostgreSQL itself, because exports need a session, and reads the position of the server that answers them',
}

/** @param error of a connection, or the answer that a client would have got for it */
export function unreachable(error: unknown): ReplicaProblem {
  const cause = error instanceof ApiError ? error.cause : error
  const message =
    cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : String(cause)
  return { code: 'unreachable', sentence: `cannot be reached (${message})` }
}

export const behind = (boundMs: number): ReplicaProblem => ({
  code: 'behind',
  sentence: `is more than ${boundMs} ms behind the primary (REPLICA_MAX_LAG_MS)`,
})

/**
 * What is wrong with the server that an address leads to, whatever it has replayed.
 * @param process that of the server, as the connection knows it: a pooler makes one up
 */
export function judgeReplica(
  replica: ReplicaStatus,
  process: number,
  primary: PrimaryStatus,
): ReplicaProblem | undefined {
  if (replica.process !== process) return POOLER
  if (replica.cluster !== primary.cluster)
    return {
      code: 'other_cluster',
      sentence:
        'leads to another cluster of databases than DATABASE_URL: it must be a standby of that server',
    }
  if (replica.in_recovery) return undefined
  if (replica.started === primary.started)
    return { code: 'primary', sentence: 'leads to the primary itself: name a standby of it, or nothing' }
  return {
    code: 'promoted',
    sentence:
      'is no standby any more (it was promoted): make it a standby of the primary again, or take it out',
  }
}

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
