import { LRUCache } from 'lru-cache'

/** Projects whose use is remembered: those that ask now. */
const PROJECTS = 1_000
/** Milliseconds after which a use counts for a third. */
const FADES_MS = 1_000
/** Connections in use, on average. */
const MANY = 1.5
/** Milliseconds of one use. A list takes two. */
const LONG_MS = 25

interface Use {
  /** Milliseconds in use, of late, and how many uses these were. */
  ms: number
  uses: number
  at: number
}

/** How long projects have had connections in the last second or two. */
export class ConnectionUse {
  readonly #uses = new LRUCache<string, Use>({ max: PROJECTS })

  /** @param ms for how long the project had a connection that it gives back */
  note(projectId: string, ms: number): void {
    const use = this.#faded(projectId) ?? { ms: 0, uses: 0, at: performance.now() }
    use.ms += ms
    use.uses += 1
    this.#uses.set(projectId, use)
  }

  /** Whether a project has had more than one connection all the time, each for a long statement. */
  isLong(projectId: string): boolean {
    const use = this.#faded(projectId)
    return use !== undefined && use.ms > MANY * FADES_MS && use.ms > LONG_MS * use.uses
  }

  #faded(projectId: string): Use | undefined {
    const use = this.#uses.get(projectId)
    if (use === undefined) return undefined
    const now = performance.now()
    const part = Math.exp((use.at - now) / FADES_MS)
    use.ms *= part
    use.uses *= part
    use.at = now
    return use
  }
}
