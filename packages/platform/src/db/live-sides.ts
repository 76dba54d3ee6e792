import type { Pool } from 'pg'

/** Projects that are remembered at most; beyond that, it begins anew. */
const MOST = 50_000

/** Projects of which this process knows that they are live sides, whose clock is never moved. A project never changes sides. */
export class LiveSides {
  readonly #ids = new Set<string>()

  has(projectId: string): boolean {
    return this.#ids.has(projectId)
  }

  add(projectId: string): void {
    if (this.#ids.size >= MOST) this.#ids.clear()
    this.#ids.add(projectId)
  }
}

const byPool = new WeakMap<Pool, LiveSides>()

/** The live sides among the projects of a pool's database. */
export function liveSidesOf(pool: Pool): LiveSides {
  let found = byPool.get(pool)
  if (!found) {
    found = new LiveSides()
    byPool.set(pool, found)
  }
  return found
}
