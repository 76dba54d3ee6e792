import { ApiError } from '../errors.ts'

/** Who asks for a slot. */
export interface Asker {
  readonly projectId: string
  /** Whom the project would name: a member, a key. Callers of one project take turns, too. */
  readonly caller?: string
  /** Ends the wait without a slot. */
  readonly signal?: AbortSignal
}

export interface SemaphoreOptions {
  readonly slots: number
  /** How many slots one project can have at a time, also as it is now. Default: all. */
  readonly perProject?: number | ((projectId: string) => number)
  /** How many may wait in all. */
  readonly waiting: number
  /** Milliseconds that one waits at most. Default: for as long as it takes. */
  readonly waitMs?: number
  /** What the 503 says where too many wait, such as "Too many texts are being rendered now". */
  readonly busy: string
}

interface Waiter {
  readonly caller: string | undefined
  readonly granted: PromiseWithResolvers<boolean>
}

/**
 * A semaphore whose slots go to projects in turn, and within a project to its callers in turn: however much one of them
 * asks for, the next slot is somebody else's.
 */
export class FairSemaphore {
  readonly #options: SemaphoreOptions
  readonly #inUse = new Map<string, number>()
  /** Those who wait, by project; it is the first project's turn. */
  readonly #waiting = new Map<string, Waiter[]>()
  #free: number

  constructor(options: SemaphoreOptions) {
    this.#options = options
    this.#free = options.slots
  }

  /** How many wait. */
  get waitingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** How many slots a project has. */
  inUse(projectId: string): number {
    return this.#inUse.get(projectId) ?? 0
  }

  /** Does work with a slot. @throws ApiError 503 where too many wait, or for too long; the reason of the asker's signal; whatever `work` throws */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    const isTaken = this.take(asker)
    if (!(isTaken === true || (await isTaken))) throw asker.signal?.reason ?? this.#overloaded()
    try {
      return await work()
    } finally {
      this.release(asker)
    }
  }

  /**
   * Waits for a slot, which `release` gives back.
   * @returns false, without a slot, where the asker's signal aborts first, or after `waitMs`
   * @throws ApiError 503 where too many wait
   */
  take({ projectId, caller, signal }: Asker): Promise<boolean> | boolean {
    if (signal?.aborted) return false
    if (this.#fits(projectId)) {
      this.#use(projectId)
      return true
    }
    const own = this.#waiting.get(projectId) ?? []
    if (this.waitingCount >= this.#options.waiting) this.#makeRoom(own.length)
    const waiter = { caller, granted: Promise.withResolvers<boolean>() }
    own.push(waiter)
    this.#waiting.set(projectId, own)
    const { waitMs } = this.#options
    if (signal === undefined && waitMs === undefined) return waiter.granted.promise
    const leave = () => this.#leave(projectId, waiter)
    const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs)
    signal?.addEventListener('abort', leave, { once: true })
    return waiter.granted.promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    })
  }

  #leave(projectId: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(projectId) ?? []
    const place = waiters.indexOf(waiter)
    // It has its slot already.
    if (place < 0) return
    waiters.splice(place, 1)
    if (waiters.length === 0) this.#waiting.delete(projectId)
    waiter.granted.resolve(false)
  }

  /** The last waiter of the project that has most gives way to one that has fewer. @throws ApiError 503 */
  #makeRoom(own: number): void {
    const [project, most] = [...this.#waiting].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    )
    if (most.length <= own + 1) throw this.#overloaded()
    most.pop()?.granted.reject(this.#overloaded())
    if (most.length === 0) this.#waiting.delete(project)
  }

  /** Gives a slot back; those that wait and fit now have one. */
  release({ projectId, caller }: Asker): void {
    this.#free += 1
    const left = this.inUse(projectId) - 1
    if (left > 0) this.#inUse.set(projectId, left)
    else this.#inUse.delete(projectId)
    while (this.#free > 0) {
      const next = [...this.#waiting.keys()].find((project) => this.#fits(project))
      if (next === undefined) return
      const waiters = this.#waiting.get(next) ?? []
      // Another caller than the one that was just served, if there is one.
      const other = next === projectId ? waiters.findIndex((waiter) => waiter.caller !== caller) : 0
      const [waiter] = waiters.splice(Math.max(0, other), 1)
      this.#waiting.delete(next)
      if (waiters.length > 0) this.#waiting.set(next, waiters)
      this.#use(next)
      waiter?.granted.resolve(true)
    }
  }

  #fits(projectId: string): boolean {
    return this.#free > 0 && !this.hasAll(projectId)
  }

  /** Whether a project has as many slots as it can have. */
  hasAll(projectId: string): boolean {
    const { slots, perProject = slots } = this.#options
    const most = typeof perProject === 'number' ? perProject : perProject(projectId)
    return this.inUse(projectId) >= most
  }

  #use(projectId: string): void {
    this.#free -= 1
    this.#inUse.set(projectId, this.inUse(projectId) + 1)
  }

  #overloaded(): ApiError {
    return new ApiError(503, 'UNAVAILABLE', `${this.#options.busy}: try again`, {
      headers: { 'retry-after': '2' },
    })
  }
}
