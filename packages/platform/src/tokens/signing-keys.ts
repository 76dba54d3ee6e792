import { type CryptoKey, importJWK, type JWK } from 'jose'
import type { Pool } from 'pg'
import type { ChangeFeed } from '../change-feed.ts'
import { translate } from '../db/pg-errors.ts'
import { toId } from '../ids.ts'
import { makeProjectBox, type ProjectBox } from '../secrets/project-box.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import type { Log } from '../telemetry/log.ts'
import { rotateSigningKey, SIGNING_KEYS_PURPOSE } from './rotate-signing-key.ts'

/** A key that signs and verifies tokens. Both halves are imported once. */
export interface SigningKey {
  readonly id: string
  readonly publicKey: CryptoKey
  readonly publicJwk: JWK
  /** Undefined if it was encrypted with another SECRET_KEY, or is of another cell: its tokens are still valid, but it signs no new ones. */
  readonly privateKey: CryptoKey | undefined
  /** Milliseconds since 1970. */
  readonly signsFrom: number
  readonly publishedUntil: number
  /** Of a key of another cell: whose tokens it has signed. */
  readonly foreign?: Foreign
}

/** Whose tokens a key of another cell has signed: those of projects that came from there. */
interface Foreign {
  /** `iss` of its tokens. */
  readonly issuer: string
  /** `aud` of its tokens: public ids of sides. */
  readonly audiences: readonly string[]
}

/** A key that can sign. */
export type Signer = SigningKey & { readonly privateKey: CryptoKey }

const canSign = (key: SigningKey): key is Signer => key.privateKey !== undefined

interface Row {
  id: string
  public_key: JWK
  /** Null for a key of another cell. */
  private_key: Buffer | null
  signs_from: string
  published_until: string | null
  issuer: string | null
  sides: string[] | null
}

const READ = `select id, public_key, private_key, signs_from, published_until, null as issuer, null::text[] as sides from signing_keys
  where published_until is null or published_until > now()
  union all
  select id, public_key, null, to_timestamp(0), max(published_until), issuer, array_agg(side::text) from foreign_signing_keys f
  where published_until > now() and not exists (select from signing_keys own where own.id = f.id)
  group by id, public_key, issuer
  order by signs_from desc, id desc`

/** An unknown `kid` is looked up at most this often: the key may be newer than the last notification. */
const ASK_AGAIN_MS = 1_000

interface Options {
  /** Logs in as guildhall_keys. */
  readonly pool: Pool
  readonly feed: ChangeFeed
  readonly secretKeys: SecretKeys
  readonly log: Log
}

/** The signing keys of the installation, in memory, and updated in every process within a second of a rotation. */
export class SigningKeys {
  readonly #pool: Pool
  readonly #box: ProjectBox
  readonly #log: Log
  readonly #feed: ChangeFeed
  #keys: readonly SigningKey[] = []
  /** Numbers the reads, so that an older answer that arrives late does not replace a newer one. */
  #begun = 0
  #kept = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor({ pool, feed, secretKeys, log }: Options) {
    this.#pool = pool
    this.#box = makeProjectBox(secretKeys, SIGNING_KEYS_PURPOSE)
    this.#log = log
    this.#feed = feed
    const renew = () => {
      this.#read().catch((error) => log.warn({ err: error }, 'the signing keys could not be read'))
    }
    feed.listen('guildhall_signing_keys', { onChange: renew, onGap: renew })
  }

  /** The public halves of all keys whose tokens are valid, as JSON Web Keys. */
  async published(): Promise<JWK[]> {
    if (!this.#feed.isLive()) await this.#readTogether()
    if (this.#live().every(({ foreign }) => foreign)) await this.#makeFirst()
    return this.#live().map((key) => ({ ...key.publicJwk, kid: key.id, alg: 'ES256', use: 'sig' }))
  }

  /** The key that signs new tokens. @throws ApiError 503 if the database cannot be reached */
  async signer(): Promise<Signer> {
    if (!this.#feed.isLive()) await this.#readTogether()
    const signer = this.#signer() ?? (await this.#makeFirst())
    if (!signer) throw new Error('a signing key was just made and is not there')
    return signer
  }

  /**
   * The key with an id, if its tokens are valid. While the change feed is down, the database is asked each time.
   * @throws ApiError 503 if the database cannot be reached
   */
  async find(id: string): Promise<SigningKey | undefined> {
    if (this.#feed.isLive()) return this.peek(id) ?? (await this.#ask(id))
    await this.#readTogether()
    return this.#known(id)
  }

  /** The same from memory only, if the memory is up to date. */
  peek(id: string): SigningKey | undefined {
    return this.#feed.isLive() ? this.#known(id) : undefined
  }

  #known(id: string): SigningKey | undefined {
    return this.#live().find((key) => key.id === id)
  }

  #live(): readonly SigningKey[] {
    const now = Date.now()
    return this.#keys.filter((key) => key.publishedUntil > now)
  }

  /** The newest key that may sign now. */
  #signer(): Signer | undefined {
    const now = Date.now()
    return this.#live()
      .filter(canSign)
      .find((key) => key.signsFrom <= now)
  }

  async #makeFirst(): Promise<Signer | undefined> {
    await this.#read()
    const existing = this.#signer()
    if (existing) return existing
    await rotateSigningKey({
      pool: this.#pool,
      box: this.#box,
      // If another process starts at the same moment, only one of them creates a key.
      ...(this.#keys.every(({ foreign }) => foreign) && { unlessYoungerThanSeconds: 60 }),
    }).catch((error) => {
      throw translate(error, [])
    })
    await this.#read()
    return this.#signer()
  }

  /** Callers at the same time share one read. */
  async #ask(id: string): Promise<SigningKey | undefined> {
    if (!this.#asking) {
      if (performance.now() - this.#askedAt < ASK_AGAIN_MS) return undefined
      this.#askedAt = performance.now()
    }
    await this.#readTogether()
    return this.#known(id)
  }

  #readTogether(): Promise<void> {
    this.#asking ??= this.#read().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #read(): Promise<void> {
    this.#begun += 1
    const read = this.#begun
    const { rows } = await this.#pool.query<Row>(READ).catch((error) => {
      throw translate(error, [])
    })
    const known = new Map(this.#keys.map((key) => [key.id, key]))
    const keys = await Promise.all(rows.map((row) => this.#import(row, known.get(row.id))))
    if (read < this.#kept) return
    this.#kept = read
    this.#keys = keys
  }

  async #import(row: Row, known: SigningKey | undefined): Promise<SigningKey> {
    const times = {
      signsFrom: Date.parse(row.signs_from),
      publishedUntil: row.published_until === null ? Infinity : Date.parse(row.published_until),
    }
    const { issuer, sides } = row
    const foreign = issuer !== null && {
      foreign: { issuer, audiences: (sides ?? []).map((side) => toId('project', side)) },
    }
    if (known) return { ...known, ...times, ...foreign }
    return {
      ...foreign,
      id: row.id,
      publicJwk: row.public_key,
      publicKey: await imported(row.public_key),
      privateKey: row.private_key === null ? undefined : await this.#open(row.id, row.private_key),
      ...times,
    }
  }

  async #open(id: string, private_key: Buffer): Promise<CryptoKey | undefined> {
    try {
      return await imported(JSON.parse(this.#box.open(private_key, id)))
    } catch (error) {
      this.#log.error(
        { err: error, kid: id },
        'a signing key was sealed with another SECRET_KEY and is not used',
      )
      return undefined
    }
  }
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('a signing key is no ES256 key')
  return key
}
