import pg, { type Pool, type PoolClient } from 'pg'
import { ApiError } from '../errors.ts'
import { type Bound, type Rows, sendBatch } from './batch.ts'
import { BEGIN, COMMIT, ROLLBACK } from './control-statements.ts'
import { connectionsOf } from './fair-connections.ts'
import { isReadOnly } from './outage.ts'
import { setProject } from './set-project.ts'
import type { StatementGroup } from './statement.ts'

/** Requests in one transaction at most. */
const MOST = 8

/** Which requests share a transaction: those of one project and one group, with different locks. */
interface HeldKey {
  readonly projectId: string
  readonly group: Exclude<StatementGroup, 'lookup'>
  readonly lock: string
}

interface Asked {
  readonly key: HeldKey
  readonly statements: readonly Bound[]
  readonly resolve: (place: HeldPlace) => void
  readonly reject: (error: unknown) => void
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
 * with the work. What one project's requests begin in the same turn of the event loop shares one transaction, so that
 * eight of them cost two trips and one commit (decision 0100).
 */
class HeldTransactions {
  readonly #pool: Pool
  #pending: Asked[] = []

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
    this.#pending.push({ key, statements, resolve, reject })
    return promise
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = []
    const groups = Map.groupBy(pending, ({ key: { projectId, group } }) => `${group} ${projectId}`)
    for (const group of groups.values()) for (const together of chunks(group)) this.#run(together)
  }

  async #run(together: readonly Asked[]): Promise<void> {
    const failure = await this.#runOnce(together).catch((error: unknown) => error)
    if (failure === undefined) return
    if (together.length > 1 && isUndone(failure)) for (const each of together) this.#run([each])
    else for (const { reject } of together) reject(failure)
  }

  /** @throws what went wrong before anybody has seen a result */
  async #runOnce(together: readonly Asked[]): Promise<void> {
    const projectId = together[0]?.key.projectId ?? ''
    const connections = connectionsOf(this.#pool)
    const client = await connections.take(projectId)
    try {
      const results = await sendBatch(client, [
        BEGIN,
        setProject(projectId),
        ...together.flatMap(({ statements }) => statements),
      ])
      await this.#end(client, handOut(together, results.slice(2)))
      connections.giveBack(client, false)
    } catch (error) {
      const isSound = await sendBatch(client, [ROLLBACK]).then(
        () => true,
        () => false,
      )
      connections.giveBack(client, !isSound || isReadOnly(error))
      if (!(error instanceof UndoneWithOthers)) throw error
    }
  }

  /** @throws UndoneWithOthers, which whoever is in the transaction knows by then */
  async #end(client: PoolClient, places: readonly HeldPlace[]): Promise<void> {
    try {
      const last = await Promise.all(places.map(({ ending }) => ending))
      await sendBatch(client, [...last.flat(), COMMIT])
      for (const { committed } of places) committed.resolve()
    } catch (error) {
      const isAlone = places.length === 1
      const reason = isAlone || !isUndone(error) ? error : new UndoneWithOthers(error)
      for (const { committed } of places) committed.reject(reason)
      throw new UndoneWithOthers(error)
    }
  }
}

/** A request's place in a transaction. */
class HeldPlace {
  readonly results: readonly Rows[]
  readonly committed = Promise.withResolvers<void>()
  readonly #ending = Promise.withResolvers<readonly Bound[]>()

  constructor(results: readonly Rows[]) {
    this.results = results
    // Whoever has undone it does not wait.
    this.committed.promise.catch(() => {})
  }

  get ending(): Promise<readonly Bound[]> {
    return this.#ending.promise
  }

  /** Sends its last statements with the commit. Resolves when it is committed. */
  end(statements: readonly Bound[]): Promise<void> {
    this.#ending.resolve(statements)
    return this.committed.promise
  }

  /** Undoes the transaction, with what all others in it have done. */
  undo(): void {
    this.#ending.reject(new UndoneWithOthers())
  }
}

function handOut(together: readonly Asked[], results: readonly Rows[]): HeldPlace[] {
  let from = 0
  return together.map(({ statements, resolve }) => {
    const place = new HeldPlace(results.slice(from, from + statements.length))
    from += statements.length
    resolve(place)
    return place
  })
}

/** Advisory locks belong to the connection: two requests with the same lock in one transaction would both get it. */
function chunks(asked: readonly Asked[]): Asked[][] {
  const all: Asked[][] = []
  for (const each of asked) {
    const fitting = all.find(
      (chunk) => chunk.length < MOST && chunk.every(({ key }) => key.lock !== each.key.lock),
    )
    if (fitting) fitting.push(each)
    else all.push([each])
  }
  return all
}

/** Whether PostgreSQL has reported that nothing was done. Where it shuts down (57P…), it may have committed before. */
const isUndone = (failure: unknown): boolean =>
  failure instanceof UndoneWithOthers ||
  (failure instanceof pg.DatabaseError && failure.code?.startsWith('57P') !== true)

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
