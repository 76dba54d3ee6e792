import type pg from 'pg'
import { LoginPool, loginClientOf } from '../db/login-keys.ts'
import { type DatabasePlace, directUrlOf } from '../db/pool.ts'

/** Between two notifications of a process, at the least. One is worth any number of commits. */
const APART_MS = 5
/** Before a listener connects again. */
const RECONNECT_MS = 1_000
/** A command that takes longer has failed. */
const COMMAND_MS = 2_000
const CHANNEL = 'guildhall_outbox'

/**
 * Tells relays that rows of the outbox were committed, by NOTIFY on a connection of its own: within a business transaction
 * it would serialize all commits of the server. Nothing depends on it but speed; relays look every few seconds by
 * themselves.
 */
export class RelayNotifier {
  readonly #pool: pg.Pool
  readonly #onError: (error: Error) => void
  readonly #onSent: () => void
  #timer: NodeJS.Timeout | undefined
  #isSending = false
  #isWanted = false
  #closed = false

  /**
   * @param onError called where a notification could not be sent
   * @param onSent called whenever one was sent
   */
  constructor(place: DatabasePlace, onError: (error: Error) => void, onSent: () => void = () => {}) {
    this.#onError = onError
    this.#onSent = onSent
    this.#pool = new LoginPool(directUrlOf(place), 'api', place, {
      application_name: 'guildhall notifier',
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: COMMAND_MS,
      query_timeout: COMMAND_MS,
      keepAlive: true,
    })
    this.#pool.on('error', onError)
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  /** Notifies now, or as soon as the last notification is long enough ago. */
  notify(): void {
    this.#isWanted = true
    if (!this.#closed && !this.#isSending && this.#timer === undefined) this.#send().catch(this.#onError)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#pool.end()
  }

  async #send(): Promise<void> {
    this.#isWanted = false
    this.#isSending = true
    try {
      await this.#pool.query(`notify ${CHANNEL}`)
      this.#onSent()
    } finally {
      this.#isSending = false
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        if (this.#isWanted) this.notify()
      }, APART_MS)
    }
  }
}

/** Receives what notifiers send, and connects again where its connection breaks. */
export class RelayListener {
  readonly #place: DatabasePlace
  readonly #onNotification: () => void
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #isListening = false
  #closed = false

  /** @param onNotification called for each notification, and whenever some may have been missed */
  constructor(place: DatabasePlace, onNotification: () => void) {
    this.#place = place
    this.#onNotification = onNotification
  }

  /** Connects, and reconnects until it is closed. */
  start(): void {
    this.#connect().catch(() => this.#again())
  }

  /** Whether notifications arrive, as far as this process knows. */
  get isListening(): boolean {
    return this.#isListening
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#isListening = false
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const Client = loginClientOf(directUrlOf(this.#place), 'relay', this.#place)
    const client = new Client({
      application_name: 'guildhall relay',
      connectionTimeoutMillis: COMMAND_MS,
      query_timeout: COMMAND_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    this.#client = client
    client.on('error', () => this.#again())
    client.on('end', () => this.#again())
    client.on('notification', this.#onNotification)
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    this.#isListening = this.#client === client
    this.#onNotification()
  }

  #again(): void {
    const broken = this.#client
    if (broken === undefined || this.#closed) return
    this.#client = undefined
    this.#isListening = false
    broken.end().catch(() => undefined)
    this.#timer = setTimeout(() => this.start(), RECONNECT_MS)
  }
}
