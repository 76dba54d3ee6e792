/** The share of a lane's slots that one project can have at the same time. */
const PROJECT_SHARE = 0.2

interface Waiter {
  readonly projectId: string
  readonly grant: (granted: boolean) => void
}

/**
 * Limits the sends of one lane that are in flight in this process. The longest waiting send goes first. A project that
 * uses its whole share lets others go first, so its unresponsive endpoints do not block other projects.
 */
export class FairSemaphore {
  readonly #perProject: number
  readonly #inUse = new Map<string, number>()
  #free: number
  #waiting: Waiter[] = []

  constructor(size: number) {
    this.#free = size
    this.#perProject = Math.max(1, Math.floor(size * PROJECT_SHARE))
  }

  /** Waits for a slot. Answers false, without one, where the signal aborts first. */
  take(projectId: string, signal: AbortSignal): Promise<boolean> | boolean {
    if (signal.aborted) return false
    if (this.#fits(projectId)) {
      this.#use(projectId)
      return true
    }
    return new Promise((resolve) => {
      const waiter = {
        projectId,
        grant: (granted: boolean) => {
          signal.removeEventListener('abort', leave)
          resolve(granted)
        },
      }
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        waiter.grant(false)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiter)
    })
  }

  /** Releases a slot to the longest waiting send that may have it. */
  release(projectId: string): void {
    this.#free += 1
    const left = (this.#inUse.get(projectId) ?? 0) - 1
    if (left > 0) this.#inUse.set(projectId, left)
    else this.#inUse.delete(projectId)
    const next = this.#waiting.findIndex((waiter) => this.#fits(waiter.projectId))
    if (next === -1) return
    const [waiter] = this.#waiting.splice(next, 1)
    if (waiter === undefined) return
    this.#use(waiter.projectId)
    waiter.grant(true)
  }

  #fits(projectId: string): boolean {
    return this.#free > 0 && (this.#inUse.get(projectId) ?? 0) < this.#perProject
  }

  #use(projectId: string): void {
    this.#free -= 1
    this.#inUse.set(projectId, (this.#inUse.get(projectId) ?? 0) + 1)
  }
}
