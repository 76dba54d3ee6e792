import pg, { type Pool, type PoolClient } from 'pg'
import { tooManyAtOnce } from '../../errors.ts'
import type { ReadMetrics } from '../../telemetry/read-metrics.ts'
import { translate } from '../pg-errors.ts'
import type { Replicas } from '../replicas/replicas.ts'
import { type CopyOptions, CopyOut } from './copy-out.ts'
import { CopyScheduler } from './copy-scheduler.ts'

/** Copies of one project at the same time, in one process, so that other projects get their share. */
const MOST_OF_A_PROJECT = 3
/** Milliseconds after which a reader that reads nothing is disconnected. */
const STALL_MS = 60_000
/** Milliseconds that a copy waits for a replica to show every commit before it began. */
const CATCH_UP_MS = 1_000

/**
 * Settings for the longest export. A backend checks from time to time whether its client is still connected, so that
 * the query of a client that has gone ends, even if it finds few rows. Each copy uses one core. Rows that an index has
 * in order are sent at once, and not collected and sorted first. The statement is not compiled to machine code, which
 * takes longer than it saves. In texts within the statement (csv/literal-sql.ts), a backslash is a character like others.
 */
const SETTINGS = `set local statement_timeout = '1h'; set local standard_conforming_strings = on;
  set local client_connection_check_interval = '500ms';
  set local max_parallel_workers_per_gather = 0;
  set local enable_sort = off;
  set local jit = off`

interface CopyStreamsOptions {
  /** The pools to whose users copies give way. */
  readonly beside?: readonly Pool[]
  /** Servers that copies are read from, where one of them shows every commit so far. */
  readonly replicas?: Replicas
  readonly reads?: ReadMetrics
  /** Milliseconds. */
  readonly stallMs?: number
}

/**
 * Reads results that are too large for memory: the rows of one SELECT in a project, as a stream. Row-level security
 * applies as everywhere. It has its own connections, because a connection is occupied for as long as somebody reads,
 * and requests must not wait for that. There are few, because each may occupy a core.
 */
export class CopyStreams {
  readonly #pool: Pool
  readonly #replicas: Replicas | undefined
  readonly #reads: ReadMetrics | undefined
  readonly #stallMs: number
  readonly #turns: CopyScheduler
  readonly #running = new Map<string, number>()

  /** @param pool logs in as the API, to the primary; is closed by its owner */
  constructor(pool: Pool, { beside = [], replicas, reads, stallMs = STALL_MS }: CopyStreamsOptions = {}) {
    this.#pool = pool
    this.#replicas = replicas
    this.#reads = reads
    this.#stallMs = stallMs
    let isAsked = false
    for (const each of beside)
      each.on('acquire', () => {
        isAsked = true
      })
    this.#turns = new CopyScheduler(() => {
      const was = isAsked
      isAsked = false
      return was
    })
  }

  /**
   * Begins a copy. The stream has to be read to its end or destroyed; it fails where PostgreSQL does.
   * @throws ApiError 429 where the project has too many already; 503
   */
  async open(projectId: string, options: Omit<CopyOptions, 'stallMs' | 'turns'>): Promise<CopyOut> {
    const running = this.#running.get(projectId) ?? 0
    if (running >= MOST_OF_A_PROJECT)
      throw tooManyAtOnce(
        `Only ${MOST_OF_A_PROJECT} exports of a project can be read at the same time: wait until one of them has ended`,
        { requests: MOST_OF_A_PROJECT, scope: 'project' },
      )
    this.#running.set(projectId, running + 1)
    let client: PoolClient | undefined
    try {
      client = await this.#onReplica(projectId)
      if (client === undefined) this.#reads?.onPrimary()
      client ??= await begin(this.#pool, projectId)
      const copy = new CopyOut({ ...options, stallMs: this.#stallMs, turns: this.#turns })
      return this.#start(projectId, client, copy)
    } catch (error) {
      client?.release(true)
      this.#end(projectId)
      throw translate(error, [])
    }
  }

  /** A connection to a replica that shows every commit so far, or undefined. */
  async #onReplica(projectId: string): Promise<PoolClient | undefined> {
    const replica = await this.#replicas?.caughtUp(CATCH_UP_MS)
    if (replica === undefined) return undefined
    try {
      const client = await begin(replica.copyPool, projectId)
      this.#reads?.onReplica(replica)
      return client
    } catch (error) {
      replica.reportTrouble(replica.copyPool, error)
      return undefined
    }
  }

  #start(projectId: string, client: PoolClient, copy: CopyOut): CopyOut {
    let isReleased = false
    const release = (isBroken: boolean) => {
      if (isReleased) return
      isReleased = true
      client.release(isBroken)
      this.#end(projectId)
    }
    copy.once('copied', () => release(false))
    // Destroying the stream destroys the connection, which tells PostgreSQL to stop.
    copy.once('close', () => release(true))
    client.query(copy)
    return copy
  }

  #end(projectId: string): void {
    const left = (this.#running.get(projectId) ?? 1) - 1
    if (left > 0) this.#running.set(projectId, left)
    else this.#running.delete(projectId)
  }
}

/** A connection in a transaction of a project that reads. */
async function begin(pool: Pool, projectId: string): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    await client.query(
      `begin read only; select app.enter_project(${pg.escapeLiteral(projectId)}); ${SETTINGS}`,
    )
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}
