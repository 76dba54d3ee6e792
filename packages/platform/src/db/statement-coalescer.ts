import pg, { type Pool } from 'pg'
import { Batch, type Bound, type Rows } from './batch.ts'
import { connectionsOf } from './fair-connections.ts'
import { isReadOnly } from './outage.ts'
import { setProject, setProjectAndLockTimeout, setProjectReadOnly } from './set-project.ts'
import type { StatementGroup } from './statement.ts'

/**
 * Statements of one batch at most. A larger batch gains nothing (measured: 4, 8, 16), and its last statements wait
 * longer.
 */
const MOST = 8
/**
 * Milliseconds for which a project's writes share no trip with other projects' after one of them failed or waited. Whoever
 * sends writes that fail delays others once in that time.
 */
const ALONE_MS = 5_000

/** What a statement belongs to. */
export interface BatchKey {
  readonly projectId: string
  readonly group: StatementGroup
}

interface Asked {
  readonly key: BatchKey
  readonly bound: Bound
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** A statement of a batch: either it sets the project of those behind it, or somebody asked it. */
export interface Step {
  readonly bound: Bound
  readonly projectId: string
  readonly asked: Asked | undefined
}

/** How a batch went: the rows of the steps that were answered, and the error that ended it. */
interface Outcome {
  readonly results: readonly Rows[]
  readonly failure: unknown
}

/**
 * Sends the statements that requests ask in the same turn of the event loop as one batch over one connection. Most of
 * the cost of a short statement is the write to the socket, the wake-up of PostgreSQL, and the commit (decision 0022).
 *
 * A batch is ordered by project, and the project is set anew before the statements of each. Lookups share with all
 * lookups, and writes with their own group. A write that has to wait for a row does not hold up others: the batch is undone,
 * and each project's writes are done by themselves.
 */
export class StatementCoalescer {
  readonly #pool: Pool
  readonly #toSteps: typeof toSteps
  /** The statements of this turn. */
  #pending: Asked[] = []
  /** Projects whose writes share with their own only. */
  readonly #alone = new Set<string>()

  /** @param steps what a batch is made of; tests pass one that is broken */
  constructor(pool: Pool, steps = toSteps) {
    this.#pool = pool
    this.#toSteps = steps
  }

  /** Runs one statement, in a transaction of its own or shared with others. */
  ask(key: BatchKey, bound: Bound): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    // The batch is sent after all events of the sockets in this turn.
    if (this.#pending.length === 0) setImmediate(() => this.#flush())
    this.#pending.push({ key, bound, resolve, reject })
    return promise
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = []
    const groups = Map.groupBy(pending, ({ key: { projectId, group } }) =>
      group !== 'lookup' && this.#alone.has(projectId) ? `${group} ${projectId}` : group,
    )
    for (const together of groups.values()) {
      const send = together[0]?.key.group === 'lookup' ? this.#sendLookups : this.#sendWrites
      for (const batch of chunks(byProject(together)))
        send.call(this, batch).catch((error) => {
          for (const { reject } of batch) reject(error)
        })
    }
  }

  /** Statements that only read: what was answered before one that failed is valid, and what is behind it is asked again. */
  async #sendLookups(batch: readonly Asked[]): Promise<void> {
    let left = batch
    while (left.length > 0) {
      const steps = this.#toSteps(left)
      const { results, failure } = await this.#run(steps)
      if (failure === undefined) return settle(steps, results)
      settle(steps.slice(0, results.length), results)
      const [failed, ...behind] = steps.slice(results.length).flatMap(({ asked }) => asked ?? [])
      // Where the connection is lost, nobody is to blame, and PostgreSQL may be away: all others fail too.
      if (!isConnected(failure)) throw failure
      failed?.reject(failure)
      left = behind
    }
  }

  /** Statements that write: one that fails undoes them all, so those of each project are run again, and then each alone. */
  async #sendWrites(batch: readonly Asked[]): Promise<void> {
    const steps = this.#toSteps(batch)
    const { results, failure } = await this.#run(steps)
    if (failure === undefined) return settle(steps, results)
    if (batch.length === 1 || !isUndone(failure)) throw failure
    const ofProjects = [...Map.groupBy(batch, ({ key }) => key.projectId).values()]
    const failed = steps[results.length]
    if (ofProjects.length > 1 && failed) this.#sendAlone(failed.projectId)
    const parts = ofProjects.length > 1 ? ofProjects : batch.map((each) => [each])
    await Promise.all(
      parts.map((part) =>
        this.#sendWrites(part).catch((error) => {
          for (const { reject } of part) reject(error)
        }),
      ),
    )
  }

  #sendAlone(projectId: string): void {
    this.#alone.add(projectId)
    setTimeout(() => this.#alone.delete(projectId), ALONE_MS).unref()
  }

  async #run(steps: readonly Step[]): Promise<Outcome> {
    const connections = connectionsOf(this.#pool)
    const client = await connections.take(shareOf(steps))
    let connected = false
    try {
      const outcome = await new Promise<Outcome>((resolve) => {
        const bound = steps.map((step) => step.bound)
        client.query(new Batch(bound, (failure, results) => resolve({ failure, results })))
      })
      assertProjects(steps, outcome.results)
      connected =
        outcome.failure === undefined || (isConnected(outcome.failure) && !isReadOnly(outcome.failure))
      return outcome
    } finally {
      // Destroy connections that PostgreSQL closed, and those to a server that takes no writes.
      connections.giveBack(client, !connected)
    }
  }
}

/** The statements of a batch, with the project set before those of each project. */
export function toSteps(batch: readonly Asked[]): Step[] {
  const isMixed = batch.some(({ key }) => key.projectId !== batch[0]?.key.projectId)
  let current: string | undefined
  return batch.flatMap((asked): Step[] => {
    const { projectId, group } = asked.key
    const step = { bound: asked.bound, projectId, asked }
    if (projectId === current) return [step]
    const first = group === 'lookup' ? setProjectReadOnly : isMixed ? setProjectAndLockTimeout : setProject
    const set = current === undefined ? first : setProject
    current = projectId
    return [{ bound: set(projectId), projectId, asked: undefined }, step]
  })
}

/**
 * Each step that sets a project answers which one it set. Another answer would mean that answers and statements do not
 * match, so that nothing of the batch can be trusted.
 */
function assertProjects(steps: readonly Step[], results: readonly Rows[]): void {
  for (const [index, rows] of results.entries()) {
    const step = steps[index]
    if (step?.asked === undefined && rows[0]?.project_id !== step?.projectId)
      throw new TypeError('the answers of a batch do not match its statements')
  }
}

function settle(steps: readonly Step[], results: readonly Rows[]): void {
  for (const [index, { asked }] of steps.entries()) asked?.resolve(results[index] ?? [])
}

/** Whose turn a batch takes: of many projects, that of the first, which asks least. */
const shareOf = ([step]: readonly Step[]): string => step?.projectId ?? ''

/** Projects that ask little come first, so that they do not wait for one that asks much. */
const byProject = (asked: readonly Asked[]): Asked[] =>
  [...Map.groupBy(asked, ({ key }) => key.projectId).values()].sort((a, b) => a.length - b.length).flat()

function* chunks(all: readonly Asked[]): Generator<readonly Asked[]> {
  for (let start = 0; start < all.length; start += MOST) yield all.slice(start, start + MOST)
}

/** Whether PostgreSQL reported that nothing was done. Where it shuts down (57P…), it may have committed before. */
const isUndone = (failure: unknown): boolean =>
  failure instanceof pg.DatabaseError && failure.code?.startsWith('57P') !== true

/** Whether the connection can be used again: a TypeError is of a row that could not be read. */
const isConnected = (failure: unknown): boolean => isUndone(failure) || failure instanceof TypeError

const coalescers = new WeakMap<Pool, StatementCoalescer>()

/** The coalescer of a pool. */
export function coalescerOf(pool: Pool): StatementCoalescer {
  let found = coalescers.get(pool)
  if (!found) {
    found = new StatementCoalescer(pool)
    coalescers.set(pool, found)
  }
  return found
}
