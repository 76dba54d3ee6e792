import { BlockList, isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { ChangeFeed } from '../change-feed.ts'
import { translate } from '../db/pg-errors.ts'
import { invalidToken } from '../errors.ts'
import { toId } from '../ids.ts'
import { DelayedLookUps } from './delayed-look-ups.ts'
import { type Environment, hashKey, isKey, isOfOtherEnvironment, type KeyType } from './key-format.ts'
import { type OwnLimits, type RateLimits, rateLimitsOf, type Tier } from './rate-limits.ts'

/** An API key and its project, with all that requests need. */
export interface ApiKey {
  readonly id: string
  /** The public id. */
  readonly publicId: string
  readonly projectId: string
  readonly environment: Environment
  readonly type: KeyType
  readonly permissions: ReadonlySet<string>
  readonly capabilities: ReadonlySet<string>
  /** Undefined if every address may use the key. */
  readonly allowedIps: BlockList | undefined
  /** Empty if every origin may use the key. */
  readonly allowedOrigins: readonly string[]
  /** Milliseconds since 1970, or undefined. */
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /** Requests per minute of its project. */
  readonly limits: RateLimits
}

const LOOK_UP = {
  name: 'look_up_key',
  text: `select encode(k.key_hash, 'hex') as hash, k.id, k.project_id, k.type, k.permissions, k.capabilities, k.allowed_ips, k.allowed_origins,
      k.expires_at, k.revoked_at, p.environment, p.tier, p.rate_limit, p.own_limits, p.allowed_origins as project_origins
    from api_keys k join projects p on p.id = k.project_id where k.key_hash = any ($1::bytea[])`,
}

interface Row {
  hash: string
  id: string
  project_id: string
  type: KeyType
  permissions: string[]
  capabilities: string[]
  allowed_ips: string[]
  allowed_origins: string[]
  expires_at: string | null
  revoked_at: string | null
  environment: Environment
  tier: Tier
  rate_limit: number | null
  own_limits: OwnLimits
  project_origins: string[]
}

/** The most keys that are kept; the least recently used are removed first. */
const CAPACITY = 50_000
/** Counted as sizes: room for a number of entries would be made at once, at each start. */
const UP_TO_CAPACITY = { maxSize: CAPACITY, sizeCalculation: () => 1 }

/**
 * Finds API keys. They are kept in memory and removed within a second of any change, in every process: by the change
 * feed, or, while the feed is down, by asking the database each time.
 */
export class KeyStore {
  readonly #pool: Pool
  readonly #feed: ChangeFeed
  readonly #kept = new LRUCache<string, ApiKey>(UP_TO_CAPACITY)
  readonly #asking = new Map<string, Promise<ApiKey | undefined>>()
  readonly #delayed = new DelayedLookUps((hashes) => this.#lookUp(hashes))
  /** Counts notified changes, so that a result from before a change is not stored after it. */
  #changes = 0

  constructor(pool: Pool, feed: ChangeFeed) {
    this.#pool = pool
    this.#feed = feed
    feed.listen('guildhall_changes', {
      onChange: (id) => this.#forget((key) => key.id === id || key.projectId === id),
      onGap: () => this.#forget(() => true),
    })
  }

  /**
   * The key of a bearer token.
   * @param isSuspect whether the client sent too many wrong credentials. It is asked before the database is; then the
   *   look-up waits and is made together with others
   * @throws ApiError 401 with the reason; 503 if the database cannot be reached
   */
  async find(token: string, isSuspect: () => Promise<boolean> = async () => false): Promise<ApiKey> {
    if (!isKey(token)) throw invalidToken(isOfOtherEnvironment(token) ? 'wrong_environment' : 'malformed')
    const hash = hashKey(token)
    const kept = this.#kept.get(hash)
    // Every request asks, so that a feed at rest works again before the next request, also where nothing is kept.
    const isLive = this.#feed.isLive()
    const key = kept && isLive ? kept : await this.#ask(hash, kept !== undefined, isSuspect)
    if (key === undefined) throw invalidToken('unknown_key')
    const now = Date.now()
    if ((key.revokedAt ?? Infinity) <= now) throw invalidToken('revoked')
    if ((key.expiresAt ?? Infinity) <= now) throw invalidToken('expired_key')
    return key
  }

  /** The project of a key that works, for another cell that asks. @param hash in hex */
  async projectOf(hash: string): Promise<string | undefined> {
    return (
      (this.#feed.isLive() && this.#kept.get(hash)?.projectId) ||
      (await this.#lookUp([hash])).get(hash)?.projectId
    )
  }

  async #ask(
    hash: string,
    wasValid: boolean,
    isSuspect: () => Promise<boolean>,
  ): Promise<ApiKey | undefined> {
    // A key that was valid a moment ago is not a guess.
    if (!wasValid && (await isSuspect())) return this.#delayed.ask(hash)
    // Requests that want the same key at the same time share one look-up.
    let asking = this.#asking.get(hash)
    if (!asking) {
      asking = this.#lookUp([hash])
        .then((found) => found.get(hash))
        .finally(() => this.#asking.delete(hash))
      this.#asking.set(hash, asking)
    }
    return asking
  }

  async #lookUp(hashes: readonly string[]): Promise<ReadonlyMap<string, ApiKey>> {
    const changes = this.#changes
    const query = { ...LOOK_UP, values: [hashes.map((hash) => Buffer.from(hash, 'hex'))] }
    const { rows } = await this.#pool.query<Row>(query).catch((error) => {
      throw translate(error, [])
    })
    const found = new Map(rows.map((row) => [row.hash, toKey(row)]))
    if (changes === this.#changes) for (const [hash, key] of found) this.#kept.set(hash, key)
    return found
  }

  #forget(isChanged: (key: ApiKey) => boolean): void {
    this.#changes++
    // A running look-up may be older than the change: no other request may share it.
    this.#asking.clear()
    for (const [hash, key] of this.#kept.entries()) if (isChanged(key)) this.#kept.delete(hash)
  }
}

function toKey(row: Row): ApiKey {
  return Object.freeze({
    id: row.id,
    publicId: toId('API key', row.id),
    projectId: row.project_id,
    environment: row.environment,
    type: row.type,
    permissions: new Set(row.permissions),
    capabilities: new Set(row.capabilities),
    allowedIps: row.allowed_ips.length > 0 ? toBlockList(row.allowed_ips) : undefined,
    allowedOrigins: row.allowed_origins.length > 0 ? row.allowed_origins : row.project_origins,
    expiresAt: row.expires_at === null ? undefined : Date.parse(row.expires_at),
    revokedAt: row.revoked_at === null ? undefined : Date.parse(row.revoked_at),
    limits: rateLimitsOf(row.tier, row.rate_limit, row.own_limits),
  })
}

/** Addresses and CIDR ranges, as they were checked when the key was made. */
function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
