import type { Pool, PoolClient } from 'pg'
import { ApiError } from '../errors.ts'
import { type Bound, type Rows, runBatch, sendBatch } from './batch.ts'
import {
  apart,
  assertProjects,
  isUndone,
  type Part,
  type Step,
  toSteps,
  UnsharedProjects,
} from './batch-steps.ts'
import { BEGIN, COMMIT, ROLLBACK } from './control-statements.ts'
import { connectionsOf } from './fair-connections.ts'
import { isReadOnly } from './outage.ts'
import type { StatementGroup } from './statement.ts'

/** Requests in one transaction at most. */
const MOST = 8

/** Which requests share a transaction: those of one group, with different locks. */
interface HeldKey {
  readonly projectId: string
  readonly group: Exclude<StatementGroup, 'lookup'>
  readonly lock: string
}

interface Asked extends Part {
  readonly key: HeldKey
  readonly resolve: (place: HeldPlace) => void
  readonly reject: (error: unknown) => void
}

interface Failed {
  readonly error: unknown
  /** Whose statement it was, where one failed. */
  readonly projectId?: string | undefined
}

/** Nothing of it was done, and it was not its own fault: its result was seen, so that it cannot be run again. */
class UndoneWithOthers extends ApiError {
  constructor(cause?: unknown) {
    super(503, 'UNAVAILABLE', 'The request met another one, and nothing of it was done: try again', {
      headers: { 'retry-after': '1' },
      cause,
    })
  }
}

/**
 * Transactions that wait for something which their requests make of the first results: an answer that is stored together
 * with the work. What begins in the same turn of the event loop shares one transaction, so that eight requests cost two trips
 * and one commit (decision 0100). The project is set anew before the statements of each.
 */
class HeldTransactions {
  readonly #pool: Pool
  #pending: Asked[] = []
  readonly #unshared = new UnsharedProjects()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /**
   * Runs the first statements of a request.
   * @throws the error of the statements, which are run again alone where they failed together with others'
   */
  begin(key: HeldKey, statements: readonly Bound[]): Promise<HeldPlace> {
    const { promise, resolve, reject } = Promise.withResolvers<HeldPlace>()
    if (this.#pending.length === 0) setImmediate(() => this.#flush())
    this.#pending.push({ key, projectId: key.projectId, statements, resolve, reject })
    return promise
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = []
    const groups = Map.groupBy(pending, ({ projectId, key: { group } }) =>
      this.#unshared.has(projectId) ? `${group} ${projectId}` : group,
    )
    for (const group of groups.values()) for (const together of chunks(group)) void this.#run(together)
  }

  /** Never throws: those who asked are told. */
  async #run(together: readonly Asked[]): Promise<void> {
    const failed = await this.#runOnce(together).catch((error: unknown): Failed => ({ error }))
    if (failed === undefined) return
    if (together.length === 1 || !isUndone(failed.error)) {
      for (const { reject } of together) reject(failed.error)
      return
    }
    if (failed.projectId !== undefined) this.#unshared.add(failed.projectId)
    for (const part of apart(together)) void this.#run(part)
  }

  /** @returns what went wrong before anybody has seen a result */
  async #runOnce(together: readonly Asked[]): Promise<Failed | undefined> {
    const steps = toSteps(together, 'write')
    const connections = connectionsOf(this.#pool)
    const client = await connections.take(steps[0]?.projectId ?? '')
    let failed: Failed | undefined
    let isHandedOut = false
    try {
      const { failure: error, results } = await runBatch(client, [BEGIN, ...steps.map(({ bound }) => bound)])
      if (error !== undefined) failed = { error, projectId: steps[results.length - 1]?.projectId }
      else {
        const places = handOut(together, steps, results.slice(1))
        isHandedOut = true
        await this.#end(client, places, steps.at(-1)?.projectId)
      }
    } catch (error) {
      failed = { error }
    }
    const isSound =
      failed === undefined ||
      (await sendBatch(client, [ROLLBACK]).then(
        () => true,
        () => false,
      ))
    connections.giveBack(client, !isSound || isReadOnly(failed?.error) || failed?.error instanceof TypeError)
    // Whoever has seen a result is told by its place.
    return isHandedOut ? undefined : failed
  }

  /**
   * @param set the project that is set
   * @throws what whoever is in the transaction is told, too
   */
  async #end(client: PoolClient, places: readonly HeldPlace[], set: string | undefined): Promise<void> {
    try {
      const last = await Promise.all(places.map((place) => place.ending))
      const steps = toSteps(last, 'write', set)
      const results = await sendBatch(client, [...steps.map(({ bound }) => bound), COMMIT])
      assertProjects(steps, results.slice(0, -1))
      for (const { committed } of places) committed.resolve()
    } catch (error) {
      const reason = places.length === 1 || !isUndone(error) ? error : new UndoneWithOthers(error)
      for (const { committed } of places) committed.reject(reason)
      throw error
    }
  }
}

/** A request's place in a transaction. */
class HeldPlace {
  readonly results: readonly Rows[]
  readonly committed = Promise.withResolvers<void>()
  readonly #projectId: string
  readonly #ending = Promise.withResolvers<Part>()

  constructor(projectId: string, results: readonly Rows[]) {
    this.#projectId = projectId
    this.results = results
    // Whoever has undone it does not wait.
    this.committed.promise.catch(() => {})
  }

  get ending(): Promise<Part> {
    return this.#ending.promise
  }

  /** Sends its last statements with the commit. Resolves when it is committed. */
  end(statements: readonly Bound[]): Promise<void> {
    this.#ending.resolve({ projectId: this.#projectId, statements })
    return this.committed.promise
  }

  /** Undoes the transaction, with what all others in it have done. */
  undo(): void {
    this.#ending.reject(new UndoneWithOthers())
  }
}

function handOut(
  together: readonly Asked[],
  steps: readonly Step<Asked>[],
  results: readonly Rows[],
): readonly HeldPlace[] {
  assertProjects(steps, results)
  const rows = results.filter((_, n) => steps[n]?.part !== undefined)
  return together.map(({ projectId, statements, resolve }) => {
    const place = new HeldPlace(projectId, rows.splice(0, statements.length))
    resolve(place)
    return place
  })
}

/** Advisory locks belong to the connection: two requests with the same lock in one transaction would both get it. */
function chunks(asked: readonly Asked[]): Asked[][] {
  const all: Asked[][] = []
  for (const each of [...Map.groupBy(asked, ({ projectId }) => projectId).values()].flat()) {
    const fitting = all.find(
      (chunk) => chunk.length < MOST && chunk.every(({ key }) => key.lock !== each.key.lock),
    )
    if (fitting) fitting.push(each)
    else all.push([each])
  }
  return all
}

const byPool = new WeakMap<Pool, HeldTransactions>()

function heldTransactionsOf(pool: Pool): HeldTransactions {
  let found = byPool.get(pool)
  if (!found) {
    found = new HeldTransactions(pool)
    byPool.set(pool, found)
  }
  return found
}

/** A request's part in a held transaction: its first statements begin it, the next ones are sent with the commit. */
export class HeldPart {
  readonly #pool: Pool
  readonly #key: HeldKey
  #place: HeldPlace | undefined

  /** @param key with which others it shares */
  constructor(pool: Pool, key: HeldKey) {
    this.#pool = pool
    this.#key = key
  }

  /** The rows of the first statements; of the last ones none. @throws what makes the transaction fail */
  async send(statements: readonly Bound[]): Promise<readonly Rows[]> {
    if (this.#place) {
      await this.#place.end(statements)
      return []
    }
    this.#place = await heldTransactionsOf(this.#pool).begin(this.#key, statements)
    return this.#place.results
  }

  /** Undoes all that the transaction has done. @returns true: no connection of its own has to be closed */
  undo(): true {
    this.#place?.undo()
    return true
  }
}
