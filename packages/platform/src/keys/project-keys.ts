import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { openByAny } from '../secrets/project-box.ts'
import { holdSealingKey, INSTALLATION } from '../secrets/sealing-keys.ts'
import { makeSecretBox } from '../secrets/secret-box.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import type { Log } from '../telemetry/log.ts'
import { throttledWarn } from '../telemetry/throttled-warn.ts'

const PURPOSE = 'keys of projects'
const KEY_BYTES = 32
const EVERY_MS = 5_000

/** Seals the key of a project with SECRET_KEY. */
export const wrapKey = (secretKey: string, id: string, key: Buffer): Buffer =>
  makeSecretBox(secretKey, PURPOSE).seal(key.toString('base64'), id)

/** @throws Error where none of these keys has wrapped it */
export const unwrapKey = (keys: SecretKeys, id: string, wrapped: Buffer): Buffer =>
  Buffer.from(openByAny(keys, PURPOSE, wrapped, id), 'base64')

/** A new key, wrapped. */
export const newWrappedKey = (secretKey: string, id: string): Buffer =>
  wrapKey(secretKey, id, randomBytes(KEY_BYTES))

/** Keys that were made since a moment, in seconds before now, with their ages. */
const READ = `select id, wrapped, (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age
  from project_keys where created_at > now() - make_interval(secs => $1)
  union all select '${INSTALLATION}', wrapped_key, (extract(epoch from clock_timestamp() - wrapped_at) * 1000)::float8
  from installation where wrapped_at > now() - make_interval(secs => $1)`
const ALL_SECONDS = 10_000_000_000
/** Transactions that were open at the last look may have made keys since. */
const OVERLAP_SECONDS = 120

interface Row {
  readonly id: string
  readonly wrapped: Buffer
  readonly age: number
}

/**
 * Reads the keys of projects into the memory of this process.
 * @param pool logs in as a role that reads wrapped keys, or as the owner
 * @param seconds how long ago they were made at the most; default: all
 * @returns ids of keys that none of these SECRET_KEYs has wrapped
 */
export async function readProjectKeys(
  pool: Pick<Pool, 'query'>,
  keys: SecretKeys,
  seconds = ALL_SECONDS,
): Promise<string[]> {
  const { rows } = await pool.query<Row>(READ, [seconds])
  return rows.flatMap(({ id, wrapped, age }) => {
    try {
      holdSealingKey(id, unwrapKey(keys, id, wrapped), age)
      return []
    } catch {
      return [id]
    }
  })
}

/**
 * Reads the keys of all projects at the start, and new ones every five seconds: well before the first is used to seal
 * (`KNOWN_AFTER_MS`).
 */
export class ProjectKeys {
  readonly #pool: Pick<Pool, 'query'>
  readonly #keys: SecretKeys
  readonly #log: Log
  readonly #warn: ReturnType<typeof throttledWarn>
  #timer: NodeJS.Timeout | undefined
  #readAt: number | undefined
  #reading: Promise<void> | undefined

  /** @param pool logs in as a role that reads wrapped keys */
  constructor(pool: Pick<Pool, 'query'>, keys: SecretKeys, log: Log) {
    this.#pool = pool
    this.#keys = keys
    this.#log = log
    this.#warn = throttledWarn(log, 'the keys of projects could not be read')
  }

  /** Reads them now, and again and again. A database that is away is no fault: they are read when it is back. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#readSoon(), EVERY_MS).unref()
    await this.#readSoon()
  }

  /** @throws Error if the database cannot be reached */
  async read(): Promise<void> {
    const begun = performance.now()
    const since = this.#readAt === undefined ? undefined : (begun - this.#readAt) / 1_000 + OVERLAP_SECONDS
    const foreign = await readProjectKeys(this.#pool, this.#keys, since)
    if (foreign.length > 0)
      this.#log.error({ ids: foreign.slice(0, 10) }, 'keys of projects were wrapped by another SECRET_KEY')
    this.#readAt = begun
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#reading
  }

  #readSoon(): Promise<void> {
    this.#reading ??= this.read()
      .then(() => this.#warn.over(), this.#warn)
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }
}
