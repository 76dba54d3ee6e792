import { randomBytes } from 'node:crypto'
import type pg from 'pg'

/** Milliseconds for which cached data may be used after the feed was last known to work. */
const TRUST_MS = 1_000
const HEARTBEAT_MS = 400
/** Milliseconds without a question after which heartbeats end. */
const REST_MS = 5_000

/** The channels of PostgreSQL's notifications; triggers send them (see the migrations). */
export type Channel =
  | 'guildhall_changes'
  | 'guildhall_signing_keys'
  | 'guildhall_ended_sessions'
  | 'guildhall_content_rules'
  | 'guildhall_member_limits'
  | 'guildhall_changed_members'
  | 'guildhall_streams'
  | 'guildhall_project_states'
  | 'guildhall_ended_roles'

interface Listener {
  /** Called with the payload of a notification: the id of what changed. */
  readonly onChange: (id: string) => void
  /** Called when notifications may have been missed: forget everything. */
  readonly onGap: () => void
}

interface Options {
  /** Makes a connection with a login that hears of changes. */
  readonly open: (options: pg.ClientConfig) => pg.Client
  readonly onError: (error: Error) => void
  /** Called after each heartbeat that arrived. */
  readonly onBeat?: () => void
  /** Milliseconds without a question after which heartbeats end. */
  readonly restMs?: number
  /** Milliseconds that never go back. */
  readonly now?: () => number
}

/**
 * Receives what other processes change, within a second. `isLive()` says whether a cache that depends on this feed can
 * be trusted. One connection listens and sends nothing. Another one sends heartbeats by NOTIFY. PostgreSQL delivers
 * notifications in the order of commits, so a heartbeat that arrives proves that no older notification was missed. A
 * pooler in transaction mode accepts LISTEN and delivers nothing: the feed is never live there. A NOTIFY from the
 * listening connection itself would arrive even there, so it would prove nothing.
 *
 * While nobody asks, the feed rests: it still listens but sends no heartbeats, and so it is not live. The next question
 * begins the heartbeats again.
 */
export class ChangeFeed {
  readonly #options: Options
  readonly #listeners = new Map<Channel, Listener[]>()
  /** The channel of this feed's own heartbeats. */
  readonly #heartbeats = `guildhall_heartbeats_${randomBytes(8).toString('hex')}`
  /** Channels that the listening connection does not listen on yet. */
  readonly #notListened = new Set<Channel>()
  #listening: pg.Client | undefined
  #sending: pg.Client | undefined
  /** When each heartbeat that has not arrived yet was sent, by its payload. */
  readonly #sent = new Map<string, number>()
  #beats = 0
  #believedUntil = 0
  #arrived: PromiseWithResolvers<void> | undefined
  /** The heartbeat under way. */
  #beating: Promise<void> | undefined
  /** Set between two heartbeats, unless the feed rests. */
  #timer: NodeJS.Timeout | undefined
  /** When `isLive` was last called. */
  #askedAt = 0
  readonly #now: () => number
  #closed = false

  constructor(options: Options) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /**
   * Adds a listener of a channel. A listener of a channel that nobody has listened to, added after `start`, receives
   * notifications from the next heartbeat on.
   */
  listen(channel: Channel, listener: Listener): void {
    const others = this.#listeners.get(channel)
    if (others !== undefined) {
      others.push(listener)
      return
    }
    this.#listeners.set(channel, [listener])
    this.#notListened.add(channel)
  }

  /** Connects, and reconnects until it is closed. */
  start(): Promise<void> {
    this.#askedAt = this.#now()
    return this.#tick()
  }

  /**
   * True while every change older than a second has certainly arrived, on that channel or on all channels from the
   * start. False for the first question after a rest.
   */
  isLive(channel?: Channel): boolean {
    const now = this.#now()
    this.#askedAt = now
    if (this.isResting) void this.#tick()
    return now < this.#believedUntil && !(channel && this.#notListened.has(channel))
  }

  /** Whether no heartbeats are sent, because nobody has asked for a while. */
  get isResting(): boolean {
    return this.#timer === undefined && this.#beating === undefined && !this.#closed
  }

  /** Looks whether the feed works, with a heartbeat of its own if it rests. It does not end the rest. */
  async check(): Promise<boolean> {
    if (this.isResting) await this.#tick()
    else await this.#beating
    return this.#now() < this.#believedUntil
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#believedUntil = 0
    clearTimeout(this.#timer)
    this.#timer = undefined
    await Promise.all([this.#listening, this.#sending].map((client) => client?.end().catch(() => {})))
  }

  /** Sends a heartbeat, and the following ones for as long as somebody asks. Never rejects. */
  #tick(): Promise<void> {
    this.#timer = undefined
    this.#beating = this.#tryToBeat().finally(() => {
      this.#beating = undefined
      const { restMs = REST_MS } = this.#options
      if (this.#closed || this.#now() - this.#askedAt > restMs) return
      this.#timer = setTimeout(() => this.#tick(), HEARTBEAT_MS).unref()
    })
    return this.#beating
  }

  async #tryToBeat(): Promise<void> {
    try {
      await this.#beat()
      this.#options.onBeat?.()
    } catch (error) {
      this.#drop()
      if (!this.#closed) this.#options.onError(error as Error)
    }
  }

  /** Sends a heartbeat and waits until it arrives. @throws Error where that takes too long */
  async #beat(): Promise<void> {
    this.#listening ??= await this.#connectListener()
    await this.#listenOn(this.#listening)
    this.#sending ??= await this.#connect('guildhall heartbeats')
    const beat = String(++this.#beats)
    this.#sent.clear()
    this.#sent.set(beat, this.#now())
    this.#arrived = Promise.withResolvers<void>()
    await this.#sending.query('select pg_notify($1, $2)', [this.#heartbeats, beat])
    const late = setTimeout(() => this.#arrived?.reject(new Error(NOT_ARRIVED)), TRUST_MS)
    await this.#arrived.promise.finally(() => clearTimeout(late))
  }

  #onHeartbeat(beat: string): void {
    const sentAt = this.#sent.get(beat)
    if (sentAt === undefined || this.#closed) return
    this.#believedUntil = sentAt + TRUST_MS
    this.#arrived?.resolve()
  }

  async #connectListener(): Promise<pg.Client> {
    const client = await this.#connect('guildhall changes')
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === this.#heartbeats) this.#onHeartbeat(payload)
      else for (const listener of this.#listeners.get(channel as Channel) ?? []) listener.onChange(payload)
    })
    await client.query(`listen ${this.#heartbeats}`)
    for (const channel of this.#listeners.keys()) this.#notListened.add(channel)
    return client
  }

  async #listenOn(client: pg.Client): Promise<void> {
    for (const channel of this.#notListened) {
      await client.query(`listen ${channel}`)
      this.#notListened.delete(channel)
      // Changes that happened while nobody listened are unknown.
      for (const listener of this.#listeners.get(channel) ?? []) listener.onGap()
    }
  }

  async #connect(name: string): Promise<pg.Client> {
    const client = this.#options.open({
      application_name: name,
      connectionTimeoutMillis: 2_000,
      // A connection that does not answer counts as broken, even if TCP still holds it open.
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

const NOT_ARRIVED =
  'a NOTIFY of another connection does not arrive: is there a pooler in transaction mode before PostgreSQL?'
