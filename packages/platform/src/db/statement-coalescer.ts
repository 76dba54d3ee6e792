import pg, { type Pool } from 'pg'
import { Batch, type Bound, type Rows } from './batch.ts'
import { connectionsOf } from './fair-connections.ts'
import { isReadOnly } from './outage.ts'
import { setProject, setProjectReadOnly } from './set-project.ts'
import type { StatementGroup } from './statement.ts'

/**
 * Statements of one batch at most. A larger batch gains nothing (measured: 4, 8, 16), and its last statements wait
 * longer.
 */
const MOST = 8

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
 * Lookups share a batch with those of other projects: they are ordered by project, and the project is set anew before
 * the statements of each. Writes share with their own group of their own project only.
 */
export class StatementCoalescer {
  readonly #pool: Pool
  readonly #toSteps: typeof toSteps
  /** The statements of this turn. */
  #pending: Asked[] = []

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
      group === 'lookup' ? group : `${group} ${projectId}`,
    )
    for (const [group, together] of groups) {
      const send = group === 'lookup' ? this.#sendLookups : this.#sendWrites
      for (const batch of chunks(group === 'lookup' ? byProject(together) : together))
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

  /** Statements of one project that write: one that fails undoes them all, so each is run again alone. */
  async #sendWrites(batch: readonly Asked[]): Promise<void> {
    const steps = this.#toSteps(batch)
    const { results, failure } = await this.#run(steps)
    if (failure === undefined) return settle(steps, results)
    if (batch.length === 1 || !isUndone(failure)) throw failure
    await Promise.all(batch.map((each) => this.#sendWrites([each]).catch((error) => each.reject(error))))
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
  let current: string | undefined
  return batch.flatMap((asked): Step[] => {
    const { projectId, group } = asked.key
    const step = { bound: asked.bound, projectId, asked }
    if (projectId === current) return [step]
    const isFirstLookup = current === undefined && group === 'lookup'
    current = projectId
    const bound = isFirstLookup ? setProjectReadOnly(projectId) : setProject(projectId)
    return [{ bound, projectId, asked: undefined }, step]
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

/** Whose turn a batch takes: of many projects' lookups, that of the first, which asks least. */
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
