import { createRequire } from 'node:module'
import { invalidField } from '../errors.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import type { HashingTask } from './hashing.worker.ts'

/**
 * Argon2id with 46 MiB and one pass: of OWASP's recommendations, which cost the same, the one that costs an attacker
 * the most memory. How it was chosen is in decision 0015.
 */
const PARAMETERS = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

/** A hash takes a fiftieth of a second: only a thread that hangs takes so long. */
const TIME_LIMIT_MS = 20_000

/**
 * Passwords of one project within a second that are worked on at the usual priority. At a low one, a hash of 10 ms takes a second where others
 * use both cores.
 */
const PROMPT = 10
/** The same of all projects together: a third of a core. */
const PROMPT_OF_ALL = 30

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

type HashingThreads = ThreadPool<HashingTask, string | boolean>

/** Passwords of one project. */
export interface ProjectPasswords {
  /** @param salt 16 bytes; see `Passwords.hash` */
  hash(password: string, salt?: Uint8Array): Promise<string>
  verify(storedHash: string | undefined, password: string, admit?: () => Promise<void>): Promise<boolean>
  isOutdated(storedHash: string): boolean
}

/**
 * Hashes and checks passwords with argon2id in threads of their own, each with one password at a time. The first few of a project
 * in each second have the usual priority; all others are a storm, whose threads give way to the one that serves requests, so
 * that it costs others little. A bounded number waits, and projects take turns, so that the storm of one is no other's. How that
 * was measured is in decision 0015.
 */
export class Passwords {
  readonly #prompt: HashingThreads
  readonly #patient: HashingThreads
  readonly #promptAtMost: number
  /** By project, in this second; and of all together. */
  readonly #promptOf = new Map<string, number>()
  #promptInAll = 0
  #second = 0

  /**
   * @param options how many threads of low priority there are, how many passwords may wait for one, and how many of a project have the
   *   usual priority within a second
   */
  constructor({ threads = 1, waiting = 100, prompt = PROMPT } = {}) {
    const pool = (module: string, size: { threads: number; waiting: number }): HashingThreads =>
      new ThreadPool({
        module: new URL(module, import.meta.url),
        ...{ ...size, timeLimitMs: TIME_LIMIT_MS },
        busy: 'Too many passwords are being checked now',
      })
    this.#prompt = pool('hashing.worker.ts', { threads: 1, waiting: PROMPT_OF_ALL })
    this.#patient = pool('patient-hashing.worker.ts', { threads, waiting })
    this.#promptAtMost = prompt
  }

  /**
   * Argon2id in the PHC string format. Never inside a transaction.
   * @param salt 16 bytes, for passwords whose hashes are compared with each other; without it, random bytes
   * @throws ApiError 503 where too many wait
   */
  async hash(password: string, share = '', salt?: Uint8Array): Promise<string> {
    const task = { password: normal(password), parameters: { ...PARAMETERS, ...(salt && { salt }) } }
    return String(await this.#threadsFor(share).run(task, { projectId: share }))
  }

  /**
   * Whether it is the password. Without a hash it is not, and finding out takes as long.
   * @param admit called when its turn has come; what it throws ends the attempt
   * @throws ApiError 503 where too many wait
   */
  async verify(
    storedHash: string | undefined,
    password: string,
    admit: () => Promise<void> = async () => {},
    share = '',
  ): Promise<boolean> {
    const task = { password: normal(password), hash: storedHash ?? DUMMY_HASH }
    const isRight = await this.#threadsFor(share).run(task, { projectId: share }, admit)
    return isRight === true && storedHash !== undefined
  }

  /** Whether a hash was made with other parameters than new ones are. */
  isOutdated(storedHash: string): boolean {
    return parametersOf(storedHash) !== parametersOf(DUMMY_HASH)
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#prompt.close(), this.#patient.close()])
  }

  #threadsFor(share: string): HashingThreads {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#promptInAll = 0
      this.#promptOf.clear()
    }
    const own = this.#promptOf.get(share) ?? 0
    if (own >= this.#promptAtMost || this.#promptInAll >= PROMPT_OF_ALL) return this.#patient
    this.#promptOf.set(share, own + 1)
    this.#promptInAll += 1
    return this.#prompt
  }

  /** The same for a project: each gets its turn after the others', however many of one wait. */
  of(share: string): ProjectPasswords {
    return {
      hash: (password, salt) => this.hash(password, share, salt),
      verify: (storedHash, password, admit) => this.verify(storedHash, password, admit, share),
      isOutdated: (storedHash) => this.isOutdated(storedHash),
    }
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
