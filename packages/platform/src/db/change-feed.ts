import pg from 'pg'

const CHANNEL = 'guildhall_changes'
/** How long what is cached may be believed after the feed was last known to be alive. */
const TRUST_MS = 1_000
const HEARTBEAT_MS = 400

interface Options {
  readonly connectionString: string
  /** Called with the id, of a key or a project, that changed. */
  readonly onChange: (id: string) => void
  /** Called when changes may have been missed: forget everything. */
  readonly onGap: () => void
  readonly onError: (error: Error) => void
}

/**
 * Hears what other processes change, within a second or not at all: `isLive()` says whether a cache that is kept by
 * this feed can be believed. PostgreSQL sends notifications before it answers the heartbeat, so an answered
 * heartbeat proves that nothing older than it was missed.
 */
export class ChangeFeed {
  readonly #options: Options
  #client: pg.Client | undefined
  #believedUntil = 0
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Connects, and keeps connecting for as long as it is open. */
  start(): Promise<void> {
    return this.#tick()
  }

  /** True while every change older than a second has certainly been heard. */
  isLive(): boolean {
    return performance.now() < this.#believedUntil
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  async #tick(): Promise<void> {
    const sentAt = performance.now()
    try {
      this.#client ??= await this.#connect()
      await this.#client.query('select 1')
      this.#believedUntil = sentAt + TRUST_MS
    } catch (error) {
      this.#drop()
      if (!this.#closed) this.#options.onError(error as Error)
    }
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#tick(), HEARTBEAT_MS)
    this.#timer.unref()
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#options.connectionString,
      application_name: 'guildhall changes',
      connectionTimeoutMillis: 2_000,
      // A heartbeat without an answer means that the connection is dead, whatever TCP believes.
      query_timeout: TRUST_MS,
    })
    client.on('error', () => this.#drop())
    client.on('notification', (message) => this.#options.onChange(message.payload ?? ''))
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    // What changed while nobody listened is unknown.
    this.#options.onGap()
    return client
  }

  #drop(): void {
    this.#believedUntil = 0
    const client = this.#client
    this.#client = undefined
    client?.end().catch(() => {})
  }
}
