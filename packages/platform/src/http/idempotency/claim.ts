import type { Context, RunInProject } from '../../db/tenant.ts'
import { ApiError } from '../../errors.ts'
import { answerKey, type HeldKey, hasWritten, type KeptAnswer, releaseKey, renewKey } from './queries.ts'

/** A third of the lease that idempotency-queries.ts gives: two renewals may fail. */
const RENEW_MS = 10_000
/** A transaction that has written waits this long for the answer to be made, which takes well under a millisecond. */
const HOLD_MS = 250

/** 409: another request with the key is under way. */
export const inProgress = () =>
  new ApiError(
    409,
    'IDEMPOTENCY_IN_PROGRESS',
    'A request with this Idempotency-Key is still being handled: repeat this request later',
    {
      headers: { 'retry-after': '1' },
    },
  )

/** A transaction that has done its work and waits for its answer. */
interface Held {
  answer(kept: KeptAnswer | undefined): void
  /** Whether the answer was committed together with it. */
  readonly committed: Promise<boolean>
}

/**
 * Holds an Idempotency-Key while its request is handled. The last transaction of the handler commits together with the
 * answer, so that after a crash either both exist or neither does. A transaction fails if another request holds the key
 * by then, so a process that paused for longer than its lease does nothing twice.
 *
 * Two cases are not covered: a handler with several transactions that crashes between two of them, and one that takes
 * more than 250 ms from its last transaction to its answer. Such a request is handled again, as it would be without a
 * key.
 */
export class Claim {
  readonly #inProject: RunInProject
  readonly #key: HeldKey
  readonly #onError: (error: unknown) => void
  readonly #renewing: NodeJS.Timeout
  #held: Held | undefined

  /** @param onError called with errors of the key itself; they never prevent the answer to a request */
  constructor(inProject: RunInProject, key: HeldKey, onError: (error: unknown) => void) {
    this.#inProject = inProject
    this.#key = key
    this.#onError = onError
    this.#renewing = setInterval(() => inProject((ctx) => renewKey(ctx, key)).catch(onError), RENEW_MS)
    this.#renewing.unref()
  }

  get token(): string {
    return this.#key.token
  }

  /**
   * The door for the handler. It resolves when `work` is done; the transaction is committed when the handler's answer
   * is known.
   */
  async inProject<T>(work: (ctx: Context) => PromiseLike<T>): Promise<T> {
    await this.#commit(undefined)
    const result = Promise.withResolvers<T>()
    const answer = Promise.withResolvers<KeptAnswer | undefined>()
    let timer: NodeJS.Timeout | undefined
    const committed = this.#inProject(async (ctx) => {
      result.resolve(await work(ctx))
      // A transaction that only reads needs no commit with the answer, and holds no connection while a handler hashes.
      if (!ctx.tx.hasDeferred && !(await hasWritten(ctx))) return false
      timer = setTimeout(() => answer.resolve(undefined), HOLD_MS)
      const kept = await answer.promise
      if (!(await (kept ? answerKey(ctx, this.#key, kept) : renewKey(ctx, this.#key)))) throw inProgress()
      return kept !== undefined
    }).finally(() => clearTimeout(timer))
    const held = { answer: answer.resolve, committed }
    this.#held = held
    committed.catch((error) => {
      // The handler gets an error of the work; whoever waits for the commit gets an error of the commit.
      result.reject(error)
    })
    return result.promise.catch((error) => {
      if (this.#held === held) this.#held = undefined
      throw error
    })
  }

  /**
   * Ends the claim, with the answer to store or with none.
   * @throws the error that prevented the commit of the last transaction; its writes are not stored
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
    const ended = this.#inProject(
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
