import { freezeClock, workOffUntil } from '#areas/billing/test-clock/clock.ts'
import { together } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { DueRun, DueWork } from '#platform/jobs/schedules/due-work.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** What happens at one moment. */
type Act = () => unknown

/** What becomes due in between, and what its runs are given. */
interface Due {
  readonly works: readonly DueWork[]
  readonly deps: DueRun['deps']
}

/**
 * What happens on past days, within one transaction. Each act is done with the project's clock at its moment, in the order of
 * time, and what becomes due in between happens at its own moment. So nothing that is committed is overdue, and no worker finds
 * half a life.
 */
export class Agenda {
  readonly #ctx: Context
  readonly #now: number
  readonly #due: Due | undefined
  #entries: { readonly at: number; readonly act: Act }[] = []
  #clock = ''

  /** @param now the end: acts that would be later are left out. In milliseconds, as all moments here */
  constructor(ctx: Context, now: number, due?: Due) {
    this.#ctx = ctx
    this.#now = now
    this.#due = due
  }

  /** Has something happen at a moment. Acts of the same moment keep their order. */
  at(moment: number, act: Act): void {
    // Whole milliseconds, so that the order is the same whatever the time of day is.
    const entry = { at: Math.round(moment), act }
    const place = this.#entries.findLastIndex(({ at }) => at <= entry.at) + 1
    this.#entries.splice(place, 0, entry)
  }

  /** The moment at which the clock stands. */
  get moment(): number {
    return Date.parse(this.#clock)
  }

  /** Lets everything happen, also what acts add, and sets the clock to the end. */
  async run(): Promise<void> {
    for (let next = this.#entries.shift(); next !== undefined; next = this.#entries.shift()) {
      if (next.at > this.#now) break
      await this.#goTo(next.at)
      await next.act()
    }
    await this.#goTo(this.#now)
  }

  async #goTo(moment: number): Promise<void> {
    const to = new Date(moment).toISOString()
    if (to === this.#clock) return
    if (this.#due !== undefined && this.#clock !== '') await this.#workOff(this.#due, to)
    freezeClock(this.#ctx, { at: to })
    this.#clock = to
  }

  async #workOff({ works, deps }: Due, to: string): Promise<void> {
    // The system does due work, also while somebody fills a project.
    const ctx: Context = { ...this.#ctx, actor: { kind: 'system', reason: 'demo' } }
    const run: DueRun = {
      projectId: ctx.projectId,
      deps,
      read: async (asks) => together(ctx, asks),
      write: async (work) => (typeof work === 'function' ? work(ctx) : ctx.tx.ask(work)),
    }
    await workOffUntil(run, works, { now: this.#clock, to })
  }
}
