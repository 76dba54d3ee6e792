import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { ApiError, invalidField } from './errors.ts'

/** OWASP's first recommendation for argon2id; how it was chosen is in docs/decisions. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const PASSWORD_LENGTH = { minLength: 10, maxLength: 128 }

/** A hash with the same parameters, of a password that nobody knows: it takes as long to refuse as any other. */
export const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$Zyas2YGDts6SogkTWYvOvQ$oCsYjZpgVx0Ddx8e3mbnPwp2GPNZQ13xy1plW1jBY7E'

/** Passwords that everybody tries first; those that are too short are refused for that. */
const COMMON: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_LENGTH.minLength),
)

/**
 * Hashes and checks passwords with argon2id, on libuv's threads. Few at a time: each takes a core for tens of
 * milliseconds, and a storm of logins must leave some for everything else. A bounded number waits.
 */
export class Passwords {
  readonly #atATime: number
  readonly #waitingLimit: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** @param options how many are worked on, and how many may wait for that */
  constructor({ atATime = 1, waiting = 100 } = {}) {
    this.#atATime = atATime
    this.#waitingLimit = waiting
  }

  /** Argon2id in the PHC string format. Never inside a transaction. @throws ApiError 503 where too many wait */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normal(password), PARAMETERS))
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
  ): Promise<boolean> {
    return this.#inTurn(async () => {
      await admit()
      const isRight = await verify(storedHash ?? NOBODYS, normal(password))
      return isRight && storedHash !== undefined
    })
  }

  /** Whether a hash was made with other parameters than new ones are. */
  isOutdated(storedHash: string): boolean {
    return parametersOf(storedHash) !== parametersOf(NOBODYS)
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atATime) {
      if (this.#waiting.length >= this.#waitingLimit) throw overloaded()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Whoever is next takes over this place.
      if (next) next()
      else this.#running -= 1
    }
  }
}

/** Whether it is one that everybody tries first. */
export const isCommon = (password: string): boolean => COMMON.has(password.toLowerCase())

/** @throws ApiError 422 for one that everybody tries first */
export function assertUncommon(password: string): void {
  if (isCommon(password))
    throw invalidField('password', 'common', 'is one of the passwords that everybody tries first')
}

/** `$argon2id$v=19$m=…,t=…,p=…` of a hash in the PHC string format. */
const parametersOf = (storedHash: string): string => storedHash.split('$').slice(0, 4).join('$')

/** The same characters typed on different keyboards are the same password (NIST SP 800-63B, 5.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC')

const overloaded = () =>
  new ApiError(503, 'UNAVAILABLE', 'Too many logins at the moment; try again', {
    headers: { 'retry-after': '2' },
  })
