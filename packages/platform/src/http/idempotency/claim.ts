import type { Context } from '../../db/tenant.ts'
import { ApiError } from '../../errors.ts'
import { answerKey, type HeldKey, hasWritten, type KeptAnswer, releaseKey, renewKey } from './queries.ts'

/** A transaction of the request's project. */
export type Door = <T>(work: (ctx: Context) => PromiseLike<T>) => Promise<T>

/** A third of the lease that idempotency-queries.ts gives: two renewals may fail. */
const RENEW_MS = 10_000
/** A transaction that has written waits this long for the answer to be made, which takes well under a millisecond. */
const HOLD_MS = 250

/** 409: another request with the key is under way. */
export const inProgress = () =>
  new ApiError(409, 'IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still under way', {
    headers: { 'retry-after': '1' },
  })

/** A transaction that has done its work and waits for the answer that belongs to it. */
interface Held {
  answer(kept: KeptAnswer | undefined): void
  /** Whether the answer was committed with it. */
  readonly committed: Promise<boolean>
}

/**
 * An Idempotency-Key while its request is worked on. The last transaction of the handler commits together with the
 * answer: whichever process dies, either both are there or neither is. A transaction also fails where the key is
 * another's by then, so that a process that slept through its lease does nothing twice.
 *
 * What is not covered: a handler of several transactions that dies between two, and one that takes more than 250 ms
 * from its last transaction to its answer. It is run again, as it would be without a key.
 */
export class Claim {
  readonly #door: Door
  readonly #key: HeldKey
  readonly #onError: (error: unknown) => void
  readonly #renewing: NodeJS.Timeout
  #held: Held | undefined

  /** @param onError told what went wrong with the key itself, which never keeps a request from being answered */
  constructor(door: Door, key: HeldKey, onError: (error: unknown) => void) {
    this.#door = door
    this.#key = key
    this.#onError = onError
    this.#renewing = setInterval(() => door((ctx) => renewKey(ctx, key)).catch(onError), RENEW_MS)
    this.#renewing.unref()
  }

  get token(): string {
    return this.#key.token
  }

  /** The door, for the handler. Answers when `work` is done; it is committed when the handler's answer is known. */
  async inProject<T>(work: (ctx: Context) => PromiseLike<T>): Promise<T> {
    await this.#commit(undefined)
    const result = Promise.withResolvers<T>()
    const answer = Promise.withResolvers<KeptAnswer | undefined>()
    let timer: NodeJS.Timeout | undefined
    const committed = this.#door(async (ctx) => {
      result.resolve(await work(ctx))
      // What only reads has nothing that the answer belongs to, and holds no connection while a handler hashes.
      if (!ctx.tx.hasDeferred && !(await hasWritten(ctx))) return false
      timer = setTimeout(() => answer.resolve(undefined), HOLD_MS)
      const kept = await answer.promise
      if (!(await (kept ? answerKey(ctx, this.#key, kept) : renewKey(ctx, this.#key)))) throw inProgress()
      return kept !== undefined
    }).finally(() => clearTimeout(timer))
    const held = { answer: answer.resolve, committed }
    this.#held = held
    committed.catch((error) => {
      // A failure of the work is the handler's; one of the commit is heard by whoever waits for that.
      result.reject(error)
    })
    return result.promise.catch((error) => {
      if (this.#held === held) this.#held = undefined
      throw error
    })
  }

  /**
   * Ends the claim with the answer that is to be kept, or with none.
   * @throws whatever kept the last transaction from being committed: what it did is not there
   */
  async settle(answer: KeptAnswer | undefined): Promise<void> {
    clearInterval(this.#renewing)
    let isKept = false
    try {
      isKept = await this.#commit(answer)
    } catch (error) {
      await this.#end(undefined)
      throw error
    }
    if (!isKept) await this.#end(answer)
  }

  async #end(answer: KeptAnswer | undefined): Promise<void> {
    const ended = this.#door(
      (ctx): PromiseLike<unknown> =>
        answer === undefined ? releaseKey(ctx, this.#key) : answerKey(ctx, this.#key, answer),
    )
    await ended.catch(this.#onError)
  }

  async #commit(answer: KeptAnswer | undefined): Promise<boolean> {
    const held = this.#held
    this.#held = undefined
    held?.answer(answer)
    return (await held?.committed) ?? false
  }
}
