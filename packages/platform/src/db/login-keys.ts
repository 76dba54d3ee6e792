import type { Duplex } from 'node:stream'
import pg from 'pg'
import { allOf, type SecretKeys } from '../secrets/secret-keys.ts'
import { SILENT_MS } from './batch.ts'
import { type Role, urlOf } from './logins.ts'

/** PostgreSQL refuses a password. */
const REFUSED = '28P01'

/**
 * From which key the passwords of the logins derive. During a rotation nobody knows when they change, so that a refused login is
 * followed by one with the next key.
 */
class LoginKeys {
  readonly #keys: readonly string[]
  #at = 0

  constructor(keys: readonly string[]) {
    this.#keys = keys
  }

  get current(): { readonly at: number; readonly key: string } {
    return { at: this.#at, key: this.#keys[this.#at] as string }
  }

  /** @param at the key that was refused: of two logins that are refused at once, the second changes nothing */
  refuse(at: number): void {
    if (at === this.#at) this.#at = (at + 1) % this.#keys.length
  }
}

/** One for all connections of a process. */
const known = new Map<string, LoginKeys>()

function loginKeysOf(keys: SecretKeys): LoginKeys {
  const all = allOf(keys)
  const name = all.join('\n')
  const found = known.get(name) ?? new LoginKeys(all)
  known.set(name, found)
  return found
}

/** Whether PostgreSQL refused a password that another key may have. */
export const mayHaveOtherKey = (error: unknown, keys: SecretKeys): boolean =>
  (error as { code?: string } | null | undefined)?.code === REFUSED && allOf(keys).length > 1

/** A class of pg's statements, which knows by itself when it has had no answer for too long (batch.ts). */
const isSubmittable = (statement: unknown): boolean =>
  typeof (statement as { submit?: unknown } | undefined)?.submit === 'function'

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)
type Given = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error) => void) => void

/**
 * Connections with the login of a role, by the key that was not refused last.
 * @param url the address of the database, whose user and password are replaced
 */
export function loginClientOf(url: string, role: Role, keys: SecretKeys): typeof pg.Client {
  const logins = loginKeysOf(keys)
  return class LoginClient extends pg.Client {
    readonly #at: number

    constructor(options?: string | pg.ClientConfig) {
      const { at, key } = logins.current
      super({ ...(options as pg.ClientConfig), connectionString: urlOf(url, role, key) })
      this.#at = at
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (callback === undefined)
        return super.connect().catch((error) => {
          this.#judge(error)
          throw error
        })
      super.connect((error: Error | null) => {
        this.#judge(error)
        ;(callback as (error: Error | null) => void)(error)
      })
      return undefined
    }

    /** A text without an answer ends its connection, as a batch does: it would be kept, and those who wait for one would get none. */
    override query(...statement: unknown[]): never {
      const send = super.query.bind(this) as (...given: unknown[]) => Promise<unknown> | undefined
      if (role === 'auditor' || isSubmittable(statement[0])) return send(...statement) as never
      const silence = setTimeout(() => this.#stream.destroy(), SILENT_MS)
      const done = statement.at(-1)
      if (typeof done === 'function') {
        const ended = (...outcome: unknown[]) => {
          clearTimeout(silence)
          done(...outcome)
        }
        return send(...statement.slice(0, -1), ended) as never
      }
      return send(...statement)?.finally(() => clearTimeout(silence)) as never
    }

    get #stream(): Duplex {
      return (this as unknown as { connection: { stream: Duplex } }).connection.stream
    }

    #judge(error: unknown): void {
      if (mayHaveOtherKey(error, keys)) logins.refuse(this.#at)
    }
  } as unknown as typeof pg.Client
}

/** A pool that asks once more, with the next key, where a password was refused. */
export class LoginPool extends pg.Pool {
  readonly #keys: SecretKeys

  constructor(url: string, role: Role, keys: SecretKeys, options: pg.PoolConfig) {
    super({ ...options, Client: loginClientOf(url, role, keys) } as pg.PoolConfig)
    this.#keys = keys
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Given): void
  override connect(callback?: Given): Promise<pg.PoolClient> | undefined {
    const isRefused = (error: unknown) => mayHaveOtherKey(error, this.#keys)
    if (callback === undefined)
      return super.connect().catch((error) => {
        if (isRefused(error)) return super.connect()
        throw error
      })
    super.connect((error, client, release) => {
      if (isRefused(error)) super.connect(callback as Parameters<pg.Pool['connect']>[0])
      else callback(error, client, release)
    })
    return undefined
  }
}
