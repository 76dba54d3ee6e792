import { createRequire } from 'node:module'
import { ApiError, invalidField } from '../errors.ts'
import { HashingThread } from './hashing-thread.ts'

/**
 * Argon2id with 46 MiB and one pass: of OWASP's recommendations, which cost the same, the one that needs most memory of
 * whoever guesses. How it was chosen is in docs/decisions.
 */
const PARAMETERS = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

export const PASSWORD_LENGTH = { minLength: 10, maxLength: 128 }

/** A hash with the same parameters, of a password that nobody knows: it takes as long to refuse as others do. */
export const DUMMY_HASH =
  '$argon2id$v=19$m=47104,t=1,p=1$XBkLTfCsmcLCyzP2HUCQEA$PpHqVbYm7vLTJGAMAJk+zZRgmiBkyVJfXd7zSR5jQn8'

const require = createRequire(import.meta.url)

let common: ReadonlySet<string> | undefined

/** Passwords that everybody tries first. They are unpacked at the first use, because that is a part of a start. */
function commonPasswords(): ReadonlySet<string> {
  const { dictionary }: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common')
  // Those that are too short are refused for that.
  return new Set(
    dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_LENGTH.minLength),
  )
}

/** Passwords of one project. */
export interface ProjectPasswords {
  hash(password: string): Promise<string>
  verify(storedHash: string | undefined, password: string, admit?: () => Promise<void>): Promise<boolean>
  isOutdated(storedHash: string): boolean
}

type Waiter = PromiseWithResolvers<HashingThread>

/**
 * Hashes and checks passwords with argon2id in threads of their own, each with one password at a time, that give way
 * to the one that serves requests: a storm of logins costs others little. A bounded number waits, and projects take
 * turns, so that the storm of one is no other's. How that was measured
 * is in docs/decisions.
 */
export class Passwords {
  readonly #threads: readonly HashingThread[]
  readonly #idle: HashingThread[]
  /** Those who wait, by what they share; it is the first one's turn. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #waitingLimit: number

  /** @param options how many threads there are, and how many passwords may wait for one */
  constructor({ threads = 1, waiting = 100 } = {}) {
    this.#threads = Array.from({ length: threads }, () => new HashingThread())
    this.#idle = [...this.#threads]
    this.#waitingLimit = waiting
  }

  /** Argon2id in the PHC string format. Never inside a transaction. @throws ApiError 503 where too many wait */
  hash(password: string, share = ''): Promise<string> {
    return this.#inTurn(share, async (thread) =>
      String(await thread.run({ password: normal(password), parameters: PARAMETERS })),
    )
  }

  /**
   * Whether it is the password. Without a hash it is not, and finding out takes as long.
   * @param admit called when its turn has come; what it throws ends the attempt
   * @throws ApiError 503 where too many wait
   */
  verify(
    storedHash: string | undefined,
    password: string,
    admit: () => Promise<void> = async () => {},
    share = '',
  ): Promise<boolean> {
    return this.#inTurn(share, async (thread) => {
      await admit()
      const isRight = await thread.run({ password: normal(password), hash: storedHash ?? DUMMY_HASH })
      return isRight === true && storedHash !== undefined
    })
  }

  /** Whether a hash was made with other parameters than new ones are. */
  isOutdated(storedHash: string): boolean {
    return parametersOf(storedHash) !== parametersOf(DUMMY_HASH)
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /** The same for a project: each gets its turn after the others', however many of one wait. */
  of(share: string): ProjectPasswords {
    return {
      hash: (password) => this.hash(password, share),
      verify: (storedHash, password, admit) => this.verify(storedHash, password, admit, share),
      isOutdated: (storedHash) => this.isOutdated(storedHash),
    }
  }

  async #inTurn<T>(share: string, work: (thread: HashingThread) => Promise<T>): Promise<T> {
    const thread = this.#idle.pop() ?? (await this.#turn(share))
    try {
      return await work(thread)
    } finally {
      const next = this.#next()
      // Whoever is next takes it over.
      if (next) next.resolve(thread)
      else this.#idle.push(thread)
    }
  }

  #turn(share: string): Promise<HashingThread> {
    const own = this.#waiting.get(share) ?? []
    const all = [...this.#waiting.values()].reduce((sum, waiters) => sum + waiters.length, 0)
    if (all >= this.#waitingLimit) this.#makeRoom(own.length)
    const waiter = Promise.withResolvers<HashingThread>()
    own.push(waiter)
    this.#waiting.set(share, own)
    return waiter.promise
  }

  /** The last of those who are most gives way to one of fewer. @throws ApiError 503 where these are not fewer */
  #makeRoom(own: number): void {
    const [share, most] = [...this.#waiting].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    )
    if (most.length <= own + 1) throw overloaded()
    most.pop()?.reject(overloaded())
    if (most.length === 0) this.#waiting.delete(share)
  }

  /** One of those whose turn it is; the turn is the next ones' then. */
  #next(): Waiter | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    const [share, waiters] = first
    const waiter = waiters.shift()
    this.#waiting.delete(share)
    if (waiters.length > 0) this.#waiting.set(share, waiters)
    return waiter
  }
}

/** Whether it is in a list of passwords that attackers try first. */
export function isCommon(password: string): boolean {
  common ??= commonPasswords()
  return common.has(password.toLowerCase())
}

/** @throws ApiError 422 for a common one */
export function assertUncommon(password: string): void {
  if (isCommon(password)) throw invalidField('password', 'common', 'is too common: choose another one')
}

/** `$argon2id$v=19$m=…,t=…,p=…` of a hash in the PHC string format. */
const parametersOf = (storedHash: string): string => storedHash.split('$').slice(0, 4).join('$')

/** The same characters typed on different keyboards are the same password (NIST SP 800-63B, 5.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC')

const overloaded = () =>
  new ApiError(503, 'UNAVAILABLE', 'Too many passwords are being checked now: try again', {
    headers: { 'retry-after': '2' },
  })
