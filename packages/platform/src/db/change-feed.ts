import pg from 'pg'

/** How long what is cached may be believed after the feed was last known to be alive. */
const TRUST_MS = 1_000
const HEARTBEAT_MS = 400

/** What PostgreSQL announces, each by triggers of its own (see the migrations). */
export type Channel =
  | 'guildhall_changes'
  | 'guildhall_signing_keys'
  | 'guildhall_ended_sessions'
  | 'guildhall_content_rules'

interface Listener {
  /** Called with what was announced: the id of what changed. */
  readonly onChange: (id: string) => void
  /** Called when changes may have been missed: forget everything. */
  readonly onGap: () => void
}

interface Options {
  readonly connectionString: string
  readonly onError: (error: Error) => void
}

/**
 * Hears what other processes change, within a second or not at all: `isLive()` says whether a cache that is kept by
 * this feed can be believed. PostgreSQL sends notifications before it answers the heartbeat, so an answered
 * heartbeat proves that nothing older than it was missed.
 */
export class ChangeFeed {
  readonly #options: Options
  readonly #listeners = new Map<Channel, Listener>()
  /** Channels that this connection does not hear yet. */
  readonly #unheard = new Set<Channel>()
  #client: pg.Client | undefined
  #believedUntil = 0
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Says who is told about a channel; who says so after `start` hears it from the next heartbeat on. */
  listen(channel: Channel, listener: Listener): void {
    this.#listeners.set(channel, listener)
    this.#unheard.add(channel)
  }

  /** Connects, and keeps connecting for as long as it is open. */
  start(): Promise<void> {
    return this.#tick()
  }

  /** True while every change older than a second has certainly been heard, on that channel or on those from the start. */
  isLive(channel?: Channel): boolean {
    return performance.now() < this.#believedUntil && !(channel && this.#unheard.has(channel))
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
      await this.#hear(this.#client)
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
    client.on('notification', ({ channel, payload }) =>
      this.#listeners.get(channel as Channel)?.onChange(payload ?? ''),
    )
    await client.connect()
    for (const channel of this.#listeners.keys()) this.#unheard.add(channel)
    return client
  }

  async #hear(client: pg.Client): Promise<void> {
    const channels = [...this.#unheard]
    for (const channel of channels) await client.query(`listen ${channel}`)
    for (const channel of channels) {
      // What changed while nobody listened is unknown.
      this.#listeners.get(channel)?.onGap()
      this.#unheard.delete(channel)
    }
  }

  #drop(): void {
    this.#believedUntil = 0
    const client = this.#client
    this.#client = undefined
    client?.end().catch(() => {})
  }
}
