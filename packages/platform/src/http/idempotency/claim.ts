import type { Context, ProjectData } from '../../db/tenant.ts'
import { ApiError } from '../../errors.ts'
import {
  answerKey,
  answerTakenKey,
  type ClaimedKey,
  hasWritten,
  inProgress,
  type KeptAnswer,
  KeyTaken,
  leaseKey,
  releaseKey,
  renewKey,
  takeKey,
} from './queries.ts'

/** A third of the lease that queries.ts gives: two renewals may fail. */
const RENEW_MS = 10_000
/** A transaction that has written waits this long for the answer to be made, which takes well under a millisecond. */
const HOLD_MS = 250

/** What is committed together with a transaction: the answer; or that the request goes on; or nothing of the key. */
type Ending = { readonly kept: KeptAnswer } | 'lease' | 'release'

/** A transaction that has done its work and is open until the answer is known. */
interface Open {
  end(ending: Ending): void
  /** Whether the answer was committed together with it. */
  readonly committed: Promise<boolean>
}

/** PostgreSQL ended a transaction whose result the handler has already seen, so that it cannot be run again. */
const notCommitted = () =>
  new ApiError(
    503,
    'UNAVAILABLE',
    'Another request changed the same data at the same time, and this request did nothing: try again',
    {
      headers: { 'retry-after': '1' },
    },
  )

/**
 * Holds an Idempotency-Key while its request is handled. The last transaction of the handler commits together with the
 * answer, so that after a crash either both exist or neither does.
 *
 * A key is either leased before the handler runs, or taken by the handler's first transaction, which then leases it if it
 * is not the last one. A transaction fails if another request holds the key by then, so a process that paused for longer
 * than its lease does nothing twice.
 *
 * Two cases are not covered: a handler with several transactions that crashes between two of them, and one that takes
 * more than 250 ms from its last transaction to its answer. Such a request is handled again, as it would be without a
 * key.
 */
export class Claim {
  readonly #transact: ProjectData['write']
  readonly #key: ClaimedKey
  readonly #onError: (error: unknown) => void
  /** Renews the lease; undefined while the key is not leased. */
  #renewing: NodeJS.Timeout | undefined
  #open: Open | undefined

  /** @param onError called with errors of the key itself; they never prevent the answer to a request */
  constructor(transact: ProjectData['write'], key: ClaimedKey, onError: (error: unknown) => void) {
    this.#transact = transact
    this.#key = key
    this.#onError = onError
  }

  get key(): ClaimedKey {
    return this.#key
  }

  /** Takes the key and keeps it beyond this call. @throws KeyTaken */
  async lease(): Promise<void> {
    await this.#transact((ctx) => {
      takeKey(ctx, this.#key)
      leaseKey(ctx, this.#key)
    })
    this.#keepLeased()
  }

  /**
   * A transaction of the handler. It resolves when `work` is done; the transaction is committed when the handler's answer
   * is known, or when it goes on to read or write.
   * @throws KeyTaken where the key is not leased, and another request has it
   */
  async write<T>(work: (ctx: Context) => T | PromiseLike<T>): Promise<T> {
    await this.commitOpen()
    const result = Promise.withResolvers<T>()
    const ending = Promise.withResolvers<Ending>()
    const committed = this.#run(work, result.resolve, ending)
    const open = { end: ending.resolve, committed }
    this.#open = open
    committed.catch((error) => {
      // The handler gets an error of the work, and the waiter for the commit an error of the commit.
      result.reject(error)
    })
    return result.promise.catch((error) => {
      if (this.#open === open) this.#open = undefined
      throw error
    })
  }

  /** Commits the transaction that waits for the answer, because the handler goes on. */
  async commitOpen(): Promise<void> {
    await this.#commit('lease')
  }

  /**
   * Ends the claim, with the answer to store or with none.
   * @throws KeyTaken where another request has used the key meanwhile; the error that prevented the commit of the last
   *   transaction: its writes are not stored
   */
  async finish(answer: KeptAnswer | undefined): Promise<void> {
    let isKept = false
    try {
      isKept = await this.#commit(answer === undefined ? 'release' : { kept: answer })
    } catch (error) {
      await this.#endApart(undefined)
      throw error
    } finally {
      clearInterval(this.#renewing)
    }
    if (!isKept) await this.#endApart(answer)
  }

  /** Runs a transaction up to its ending. */
  async #run<T>(
    work: (ctx: Context) => T | PromiseLike<T>,
    handOut: (value: T) => void,
    ending: PromiseWithResolvers<Ending>,
  ): Promise<boolean> {
    const isLeased = this.#renewing !== undefined
    let isHandedOut = false
    let timer: NodeJS.Timeout | undefined
    const ran = this.#transact(async (ctx) => {
      if (isHandedOut) throw notCommitted()
      // It is sent with the first statements of the work, and none of them is done if the key cannot be had.
      if (!isLeased) takeKey(ctx, this.#key)
      const value = await work(ctx)
      await ctx.tx.verify()
      isHandedOut = true
      handOut(value)
      // A transaction that only reads needs no commit with the answer, and holds no connection while a handler hashes.
      if (isLeased && !ctx.tx.hasLast && !(await hasWritten(ctx))) return undefined
      timer = setTimeout(() => ending.resolve('lease'), HOLD_MS)
      const how = await ending.promise
      await (isLeased ? this.#endLeased(ctx, how) : this.#endTaken(ctx, how))
      return how
    })
    const how = await ran.finally(() => clearTimeout(timer))
    if (!isLeased && how === 'lease') this.#keepLeased()
    return typeof how === 'object'
  }

  /** @throws ApiError 409 where another request has taken the key over */
  async #endLeased(ctx: Context, how: Ending): Promise<void> {
    const key = this.#key
    const ended = typeof how === 'object' ? answerKey(ctx, { ...key, ...how.kept }) : renewKey(ctx, key)
    if ((await ended) === undefined) throw inProgress()
  }

  async #endTaken(ctx: Context, how: Ending): Promise<void> {
    if (how === 'lease') leaseKey(ctx, this.#key)
    else if (how !== 'release') answerTakenKey(ctx, { ...this.#key, ...how.kept })
  }

  /** Stores the answer, or releases the key, in a transaction that does nothing else. @throws KeyTaken */
  async #endApart(answer: KeptAnswer | undefined): Promise<void> {
    const isLeased = this.#renewing !== undefined
    if (!isLeased && answer === undefined) return
    const key = this.#key
    const ended = this.#transact((ctx) => {
      if (answer === undefined) releaseKey(ctx, key)
      else if (isLeased) answerKey(ctx, { ...key, ...answer })
      else {
        takeKey(ctx, key)
        answerTakenKey(ctx, { ...key, ...answer })
      }
    })
    await ended.catch((error) => {
      if (error instanceof KeyTaken) throw error
      this.#onError(error)
    })
  }

  async #commit(ending: Ending): Promise<boolean> {
    const open = this.#open
    this.#open = undefined
    open?.end(ending)
    return (await open?.committed) ?? false
  }

  #keepLeased(): void {
    const renew = () => this.#transact(renewKey(this.#key)).catch(this.#onError)
    this.#renewing = setInterval(renew, RENEW_MS)
    this.#renewing.unref()
  }
}
