import { HoldIsOver, holdWrites, renewHold } from './hold.ts'
import type { Move } from './move.ts'

/** For which writes are held at a time: as long as they stay held where the command is killed. */
const HELD_MS = 15_000
const RENEW_MS = 3_000

/** A hold that is made longer while its command works, so that it ends by itself soon after the command was killed. */
export class LongHold {
  #until: string
  #fault: unknown
  #renewing: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  private constructor(move: Move, until: string) {
    this.#until = until
    const endsAt = performance.now() + move.limits.pauseMs
    this.#timer = setInterval(() => {
      if (performance.now() > endsAt)
        this.#fault ??= new HoldIsOver(`it took longer than ${Math.round(move.limits.pauseMs / 1_000)} s`)
      if (this.#fault === undefined) this.#renewing = this.#renewing.then(() => this.#renew(move))
    }, RENEW_MS)
  }

  /** Holds all writes, as `holdWrites` does. */
  static async begin(move: Move): Promise<LongHold> {
    return new LongHold(move, await holdWrites(move, HELD_MS))
  }

  /** @throws HoldIsOver */
  readonly assertHeld = (): void => {
    if (this.#fault !== undefined) throw this.#fault
  }

  /**
   * Makes it longer no more.
   * @returns until when it holds, as PostgreSQL says it
   */
  async end(): Promise<string> {
    clearInterval(this.#timer)
    await this.#renewing
    this.assertHeld()
    return this.#until
  }

  /** Makes it longer no more, whatever became of it. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewing
  }

  async #renew(move: Move): Promise<void> {
    try {
      this.#until = await renewHold(move, HELD_MS)
    } catch (error) {
      // A refused writer has not ended yet; it is tried again before the hold ends.
      if ((error as { code?: string }).code !== '55P03') this.#fault ??= error
    }
  }
}
