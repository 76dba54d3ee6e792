import { randomBytes } from 'node:crypto'
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
 * this feed can be believed. One connection listens and says nothing; another one sends heartbeats by NOTIFY, which
 * PostgreSQL delivers in the order of commits, so that a heartbeat that is heard proves that nothing older than it was
 * missed. A pooler in transaction mode takes a LISTEN and delivers nothing: there the feed is never live. A NOTIFY of the
 * connection's own, or an answer to it, would pass even there.
 */
export class ChangeFeed {
  readonly #options: Options
  readonly #listeners = new Map<Channel, Listener>()
  /** For the heartbeats of this feed, and of no other. */
  readonly #heartbeats = `guildhall_heartbeats_${randomBytes(8).toString('hex')}`
  /** Channels that the listening connection does not hear yet. */
  readonly #unheard = new Set<Channel>()
  #listening: pg.Client | undefined
  #sending: pg.Client | undefined
  /** When the heartbeats that were not heard yet were sent, by their payload. */
  readonly #sent = new Map<string, number>()
  #beats = 0
  #believedUntil = 0
  #heard: PromiseWithResolvers<void> | undefined
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
    this.#believedUntil = 0
    clearTimeout(this.#timer)
    await Promise.all([this.#listening, this.#sending].map((client) => client?.end().catch(() => {})))
  }

  async #tick(): Promise<void> {
    try {
      await this.#beat()
    } catch (error) {
      this.#drop()
      if (!this.#closed) this.#options.onError(error as Error)
    }
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#tick(), HEARTBEAT_MS)
    this.#timer.unref()
  }

  /** Sends a heartbeat and waits until it is heard. @throws Error where that takes too long */
  async #beat(): Promise<void> {
    this.#listening ??= await this.#connectListener()
    await this.#hear(this.#listening)
    this.#sending ??= await this.#connect('guildhall heartbeats')
    const beat = String(++this.#beats)
    this.#sent.clear()
    this.#sent.set(beat, performance.now())
    this.#heard = Promise.withResolvers<void>()
    await this.#sending.query('select pg_notify($1, $2)', [this.#heartbeats, beat])
    const late = setTimeout(() => this.#heard?.reject(new Error(NOT_HEARD)), TRUST_MS)
    await this.#heard.promise.finally(() => clearTimeout(late))
  }

  #onHeartbeat(beat: string): void {
    const sentAt = this.#sent.get(beat)
    if (sentAt === undefined) return
    this.#believedUntil = sentAt + TRUST_MS
    this.#heard?.resolve()
  }

  async #connectListener(): Promise<pg.Client> {
    const client = await this.#connect('guildhall changes')
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === this.#heartbeats) this.#onHeartbeat(payload)
      else this.#listeners.get(channel as Channel)?.onChange(payload)
    })
    await client.query(`listen ${this.#heartbeats}`)
    for (const channel of this.#listeners.keys()) this.#unheard.add(channel)
    return client
  }

  async #hear(client: pg.Client): Promise<void> {
    for (const channel of this.#unheard) {
      await client.query(`listen ${channel}`)
      this.#unheard.delete(channel)
      // What changed while nobody listened is unknown.
      this.#listeners.get(channel)?.onGap()
    }
  }

  async #connect(name: string): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#options.connectionString,
      application_name: name,
      connectionTimeoutMillis: 2_000,
      // A connection that does not answer is dead, whatever TCP believes.
      query_timeout: TRUST_MS,
    })
    client.on('error', () => this.#drop())
    await client.connect()
    return client
  }

  #drop(): void {
    this.#believedUntil = 0
    const clients = [this.#listening, this.#sending]
    this.#listening = undefined
    this.#sending = undefined
    for (const client of clients) client?.end().catch(() => {})
  }
}

const NOT_HEARD =
  'a NOTIFY of another connection does not arrive: is there a pooler in transaction mode before PostgreSQL?'
