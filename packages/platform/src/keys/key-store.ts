import { BlockList, isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { ChangeFeed } from '../db/change-feed.ts'
import { translate } from '../db/pg-errors.ts'
import { invalidToken } from '../errors.ts'
import { toId } from '../ids.ts'
import { type Environment, hashKey, isKey, isOfOtherEnvironment, type KeyType } from './key-format.ts'
import { limitOf, type Tier } from './tiers.ts'

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
  /** Requests per minute. */
  readonly limit: number
}

const LOOK_UP = {
  name: 'look_up_key',
  text: `select k.id, k.project_id, k.type, k.permissions, k.capabilities, k.allowed_ips, k.allowed_origins,
      k.expires_at, k.revoked_at, p.environment, p.tier, p.rate_limit, p.allowed_origins as project_origins
    from api_keys k join projects p on p.id = k.project_id where k.key_hash = $1`,
}

interface Row {
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
   * @param admit called before the database is asked for an unknown key; if it throws, the key is not looked up
   * @throws ApiError 401 with the reason; 503 if the database cannot be reached
   */
  async find(token: string, admit: () => Promise<void> = async () => {}): Promise<ApiKey> {
    if (!isKey(token)) throw invalidToken(isOfOtherEnvironment(token) ? 'wrong_environment' : 'malformed')
    const hash = hashKey(token)
    const kept = this.#kept.get(hash)
    // Every request asks, so that a feed at rest works again before the next request, also where nothing is kept.
    const isLive = this.#feed.isLive()
    // A key that was valid a moment ago is not a guess.
    const key = kept && isLive ? kept : await this.#ask(hash, kept ? async () => {} : admit)
    if (key === undefined) throw invalidToken('unknown_key')
    const now = Date.now()
    if ((key.revokedAt ?? Infinity) <= now) throw invalidToken('revoked')
    if ((key.expiresAt ?? Infinity) <= now) throw invalidToken('expired_key')
    return key
  }

  /** Requests that want the same key at the same time share one look-up. */
  #ask(hash: string, admit: () => Promise<void>): Promise<ApiKey | undefined> {
    let asking = this.#asking.get(hash)
    if (!asking) {
      asking = admit()
        .then(() => this.#lookUp(hash))
        .finally(() => this.#asking.delete(hash))
      this.#asking.set(hash, asking)
    }
    return asking
  }

  async #lookUp(hash: string): Promise<ApiKey | undefined> {
    const changes = this.#changes
    const query = { ...LOOK_UP, values: [Buffer.from(hash, 'hex')] }
    const { rows } = await this.#pool.query<Row>(query).catch((error) => {
      throw translate(error, [])
    })
    const key = rows[0] && toKey(rows[0])
    if (key && changes === this.#changes) this.#kept.set(hash, key)
    return key
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
    limit: limitOf(row.tier, row.rate_limit),
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
