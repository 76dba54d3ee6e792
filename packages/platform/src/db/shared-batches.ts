import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { Batcher, type Pending } from '../threads/batcher.ts'
import type { BatchOutcome, Bound, Rows } from './batch.ts'
import { connectionsOf, isUsableAfter } from './connections.ts'
import { isRefused } from './pg-errors.ts'
import { perPool } from './pool.ts'
import { setProject } from './set-project.ts'
import type { StatementGroup } from './statement.ts'

/** Statements of one batch at most. A larger batch gains nothing (measured: 4, 8, 16), and its last statements wait longer. */
const MOST = 8
/** Milliseconds for which a project's writes share with its own only, after one of them failed or waited. */
const ALONE_MS = 5_000
/** Of more such projects, those that failed longest ago share again. */
const MOST_UNSHARED = 1_000

/** One statement of a request. */
interface Statement {
  readonly projectId: string
  readonly group: StatementGroup
  readonly bound: Bound
}
type Asked = Pending<Statement, Rows>

/** A statement of a batch: one that was asked, or one that sets the project of those behind it. */
export interface Step {
  readonly bound: Bound
  readonly projectId: string
  readonly asked: Asked | undefined
}

/**
 * Sends the statements that requests ask in the same turn of the event loop as one batch over one connection. Most of
 * the cost of a short statement is the write to the socket, the wake-up of PostgreSQL, and the commit (decision 0005).
 *
 * A batch is ordered by project, and the project is set anew before the statements of each. Lookups share with all
 * lookups, and writes with their own group. A write that has to wait for a row does not hold up others: the batch is undone,
 * and each project's writes are done by themselves.
 */
export class SharedBatches {
  readonly #pool: Pool
  readonly #toSteps: typeof toSteps
  readonly #unshared = unsharedProjects()
  /** The statements of this turn: the batch is sent after all events of the sockets in it. */
  readonly #turn = new Batcher<Statement, Rows>({
    begins: 'end of turn',
    keyOf: ({ group, projectId }) =>
      group !== 'lookup' && this.#unshared.has(projectId) ? `${group} ${projectId}` : group,
    overlapAt: 1,
    work: (batch) => this.#send(batch),
  })

  /** @param steps what a batch is made of; tests pass one that is broken */
  constructor(pool: Pool, steps = toSteps) {
    this.#pool = pool
    this.#toSteps = steps
  }

  /** Runs one statement, in a transaction of its own or shared with others. */
  ask(statement: Statement): Promise<Rows> {
    return this.#turn.add(statement)
  }

  async #send(asked: readonly Asked[]): Promise<void> {
    const send = asked[0]?.item.group === 'lookup' ? this.#sendLookups : this.#sendWrites
    const ordered = byProject(asked)
    const batches = Array.from({ length: Math.ceil(ordered.length / MOST) }, (_, n) =>
      ordered.slice(n * MOST, (n + 1) * MOST),
    )
    await Promise.all(batches.map((batch) => send.call(this, batch).catch(rejectAll(batch))))
  }

  /** Statements that only read. After a failed one, the answers before it are valid, and the ones behind it are asked again. */
  async #sendLookups(batch: readonly Asked[]): Promise<void> {
    let left = batch
    while (left.length > 0) {
      const steps = this.#toSteps(left, this.#pool)
      const { results, failure } = await this.#run(steps)
      if (failure === undefined) return answer(steps, results)
      answer(steps.slice(0, results.length), results)
      const [failed, ...behind] = steps.slice(results.length).flatMap(({ asked }) => asked ?? [])
      // The connection is lost, and PostgreSQL may be away: all others fail too.
      if (!isUsableAfter(failure)) throw failure
      failed?.reject(failure)
      left = behind
    }
  }

  /** Statements that write: one that fails undoes them all, so those of each project are run again, and then each alone. */
  async #sendWrites(batch: readonly Asked[]): Promise<void> {
    const steps = this.#toSteps(batch, this.#pool)
    const { results, failure } = await this.#run(steps)
    if (failure === undefined) return answer(steps, results)
    if (batch.length === 1 || !isRefused(failure)) throw failure
    const failed = steps[results.length]
    if (failed) this.#unshared.set(failed.projectId, true)
    const ofProjects = [...Map.groupBy(batch, ({ item }) => item.projectId).values()]
    const parts = ofProjects.length > 1 ? ofProjects : batch.map((each) => [each])
    await Promise.all(parts.map((part) => this.#sendWrites(part).catch(rejectAll(part))))
  }

  async #run(steps: readonly Step[]): Promise<BatchOutcome> {
    const connections = connectionsOf(this.#pool)
    const connection = await connections.take(connections.firstOf(steps.map(({ projectId }) => projectId)))
    try {
      const outcome = await connection.run(steps.map(({ bound }) => bound))
      if (!areProjectsRight(steps, outcome.results)) {
        connection.break()
        throw new TypeError('the answers of a batch do not match its statements')
      }
      return outcome
    } finally {
      connection.release()
    }
  }
}

/** Statements with the project set before those of each project. */
export function toSteps(batch: readonly Asked[], pool: Pool): Step[] {
  const isMixed = batch.some(({ item }) => item.projectId !== batch[0]?.item.projectId)
  const first = batch[0]?.item.group === 'lookup' ? 'read_only' : isMixed ? 'lock_timeout' : undefined
  let current: string | undefined
  return batch.flatMap((asked): Step[] => {
    const { projectId, bound } = asked.item
    const step = { bound, projectId, asked }
    if (projectId === current) return [step]
    const more = current === undefined ? first : undefined
    current = projectId
    return [{ bound: setProject(pool, projectId, more), projectId, asked: undefined }, step]
  })
}

/**
 * Each step that sets a project answers which one it set. Another answer would mean that answers and statements do not
 * match, so that nothing of the batch can be trusted.
 */
const areProjectsRight = (steps: readonly Step[], results: readonly Rows[]): boolean =>
  results.every((rows, n) => steps[n]?.asked !== undefined || rows[0]?.project_id === steps[n]?.projectId)

function answer(steps: readonly Step[], results: readonly Rows[]): void {
  for (const [index, { asked }] of steps.entries()) asked?.resolve(results[index] ?? [])
}

const rejectAll = (batch: readonly Asked[]) => (error: unknown) => {
  for (const { reject } of batch) reject(error)
}

/** Projects that ask little come first, so that they do not wait for one that asks much. */
const byProject = (asked: readonly Asked[]): Asked[] =>
  [...Map.groupBy(asked, ({ item }) => item.projectId).values()].sort((a, b) => a.length - b.length).flat()

/**
 * Projects whose writes share with their own only: a project with failing writes delays others once in that time. Each
 * failure begins the time anew.
 */
export function unsharedProjects(): LRUCache<string, true> {
  const perf = { now: () => performance.now() }
  return new LRUCache({ max: MOST_UNSHARED, ttl: ALONE_MS, ttlResolution: 0, perf })
}

/** The shared batches of a pool. */
export const batchesOf = perPool((pool) => new SharedBatches(pool))
