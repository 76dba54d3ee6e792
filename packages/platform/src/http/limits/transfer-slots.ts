import type { FastifyRequest } from 'fastify'
import { type ApiError, tooManyAtOnce } from '../../errors.ts'
import { unavailable } from '../../storage/unavailable.ts'
import { EventLoopTurns } from '../../threads/event-loop-turns.ts'
import { clientAddress, subscriberOf } from '../server/client-address.ts'

/** How many transfers of a kind one process runs at the same time. */
export interface SlotLimits {
  /** What is transferred, for the error. */
  readonly what: string
  readonly all: number
  readonly project: number
  /** Of one address: of a visitor, and of a server that calls with a secret key and names no visitor. */
  readonly visitor: number
  readonly server: number
}

/** The permission for one transfer; it is released when the transfer is over. */
export interface Slot {
  /** Milliseconds of waiting after which a client's throughput is checked. */
  readonly windowMs: number
  /** Where bytes pass a piece at a time: waits until the next piece may. */
  readonly nextTurn?: () => Promise<void>
  /** May be called more than once. */
  release(): void
}

/**
 * Limits transfers, because a slow client occupies a process for as long as it likes. No project and no address can
 * take all slots. Slots are counted in each process, because a transfer occupies one process.
 */
export class TransferSlots {
  readonly #limits: SlotLimits
  readonly #windowMs: number
  readonly #turns: EventLoopTurns | undefined
  readonly #running = new Map<string, number>()

  /** @param turns of the transfers' pieces, by project */
  constructor(limits: SlotLimits, windowMs: number, turns?: EventLoopTurns) {
    this.#limits = limits
    this.#windowMs = windowMs
    this.#turns = turns
  }

  /**
   * @param projectId whose transfer it is
   * @throws ApiError 429 where the project or the address has too many; 503 where all have
   */
  take(request: FastifyRequest, projectId: string): Slot {
    const { all, project, visitor, server } = this.#limits
    const isServer = request.key?.type === 'secret' && request.headers['x-client-ip'] === undefined
    const counted: [name: string, most: number][] = [
      [`address ${subscriberOf(clientAddress(request))}`, isServer ? server : visitor],
      [`project ${projectId}`, project],
      ['all', all],
    ]
    const full = counted.find(([name, most]) => (this.#running.get(name) ?? 0) >= most)
    if (full) throw this.#tooMany(...full)
    for (const [name] of counted) this.#running.set(name, (this.#running.get(name) ?? 0) + 1)
    let isTaken = true
    const release = () => {
      if (!isTaken) return
      isTaken = false
      for (const [name] of counted) this.#giveBack(name)
    }
    const turns = this.#turns
    return {
      windowMs: this.#windowMs,
      ...(turns && { nextTurn: () => turns.next({ projectId }) }),
      release,
    }
  }

  #giveBack(name: string): void {
    const left = (this.#running.get(name) ?? 1) - 1
    if (left > 0) this.#running.set(name, left)
    else this.#running.delete(name)
  }

  #tooMany(name: string, most: number): ApiError {
    const { what } = this.#limits
    if (name === 'all') return unavailable(`Too many ${what} are running now: try again`)
    const scope = name.startsWith('project') ? 'project' : 'address'
    const message = `Only ${most} ${what} of one ${scope} can run at the same time: wait until one of them has ended`
    return tooManyAtOnce(message, { requests: most, scope })
  }
}

/** Uploads of one process at a time; all of them share the memory of `storage/part-memory.ts`. */
export const MOST_UPLOADS = 32
/** Files that one process reads for clients at a time; each has a connection to the storage of its own. */
export const MOST_DOWNLOADS = 64
/** Copies at a time in one process of the API. */
export const MOST_EXPORTS = 8

/** Limits that stop one client's transfers from blocking those of others. */
export interface Transfers {
  readonly uploads: TransferSlots
  readonly downloads: TransferSlots
  readonly exports: TransferSlots
}

export const makeTransfers = (windowMs: number): Transfers => ({
  uploads: new TransferSlots(
    { what: 'uploads', all: MOST_UPLOADS, project: 16, visitor: 4, server: 16 },
    windowMs,
  ),
  downloads: new TransferSlots(
    { what: 'downloads', all: MOST_DOWNLOADS, project: 32, visitor: 16, server: 32 },
    windowMs,
    new EventLoopTurns(),
  ),
  exports: new TransferSlots(
    { what: 'exports', all: MOST_EXPORTS, project: 3, visitor: 4, server: 4 },
    windowMs,
  ),
})
