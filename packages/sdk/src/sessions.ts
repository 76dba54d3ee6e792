import type { Session as Tokens } from './api.generated.ts'
import type { ClientOptions } from './client.ts'
import { createClient } from './client.ts'
import { GuildhallError } from './errors.ts'

/** As much of a browser's storage as is used. */
export interface TokenStorage {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

export interface SessionOptions extends Omit<ClientOptions, 'token'> {
  /** Where tokens are kept. By default `localStorage`, or the memory where a browser forbids it. */
  readonly storage?: TokenStorage
  /** The name in the storage. */
  readonly name?: string
}

/** What is kept. */
interface Kept {
  /** Of one log-in: a refresh that comes back after a log-out finds another one, or none. */
  readonly login: string
  readonly access: string
  readonly refresh: string
  /** By the clock of this machine, in milliseconds. */
  readonly expires: number
}

/** Milliseconds before its end in which a token is not used any more. */
const MARGIN_MS = 30_000

/**
 * The session of a member: it keeps the tokens and gets new ones in time. Every tab does that for itself, and the API answers two
 * of them that do it within ten seconds; nothing is locked while a request is under way.
 *
 * `const session = new MemberSession({ baseUrl, key }); const guildhall = createClient({ baseUrl, token: session.token })`
 */
export class MemberSession {
  readonly #options: SessionOptions
  readonly #storage: TokenStorage
  readonly #name: string
  readonly #channel: BroadcastChannel | undefined
  readonly #listeners = new Set<(isLoggedIn: boolean) => void>()
  /** The refresh under way in this tab, and the log-in that it is of. */
  #refreshing: { readonly login: string; readonly done: Promise<string | undefined> } | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#storage = options.storage ?? browserStorage() ?? memoryStorage()
    this.#name = options.name ?? 'guildhall.session'
    if (typeof BroadcastChannel === 'undefined') return
    this.#channel = new BroadcastChannel(this.#name)
    // It only informs: what counts is in the storage.
    this.#channel.onmessage = () => this.#tell()
    // In Node, an open channel would keep the process from its end.
    ;(this.#channel as { unref?: () => void }).unref?.()
  }

  get isLoggedIn(): boolean {
    return this.#read() !== undefined
  }

  /** Begins the session of a log-in: the `session` of its answer. */
  start(tokens: Tokens): void {
    this.#write(toKept(crypto.randomUUID(), tokens))
    this.#inform()
  }

  /** The access token, a new one if the old one has ended; undefined without a session. For `createClient({ token })`. */
  readonly token = async (refused?: string): Promise<string | undefined> => {
    const kept = this.#read()
    if (kept === undefined) return undefined
    const isGood = kept.access !== refused && kept.expires - MARGIN_MS > Date.now()
    return isGood ? kept.access : this.#refresh(kept)
  }

  /** Logs out: at once here and in all tabs, and then at the API. */
  async end(): Promise<void> {
    const kept = this.#read()
    this.#storage.removeItem(this.#name)
    this.#inform()
    if (kept !== undefined) await this.#endAtApi(kept.access)
  }

  /** Calls a listener after each log-in and log-out, of other tabs too. @returns what ends that */
  onChange(listener: (isLoggedIn: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Ends the listening; the session itself goes on. */
  dispose(): void {
    this.#listeners.clear()
    this.#channel?.close()
  }

  #refresh(kept: Kept): Promise<string | undefined> {
    if (this.#refreshing?.login === kept.login) return this.#refreshing.done
    const done = this.#fetchTokens(kept).finally(() => {
      if (this.#refreshing?.done === done) this.#refreshing = undefined
    })
    this.#refreshing = { login: kept.login, done }
    return done
  }

  async #fetchTokens(kept: Kept): Promise<string | undefined> {
    let tokens: Tokens
    try {
      // The key lets it be repeated where the answer was lost.
      tokens = await createClient(this.#options).auth.refresh(
        { refresh_token: kept.refresh },
        { idempotencyKey: crypto.randomUUID() },
      )
    } catch (error) {
      const isOver = error instanceof GuildhallError && (error.status === 401 || error.status === 422)
      if (!isOver) throw error
      // Another tab may have been earlier, or somebody may have logged in again.
      const now = this.#read()
      if (now !== undefined && now.refresh !== kept.refresh) return now.access
      if (now !== undefined) {
        this.#storage.removeItem(this.#name)
        this.#inform()
      }
      return undefined
    }
    if (this.#read()?.login !== kept.login) {
      // The member has logged out meanwhile: these tokens must not bring the session back.
      await this.#endAtApi(tokens.access_token)
      return this.#read()?.access
    }
    this.#write(toKept(kept.login, tokens))
    return tokens.access_token
  }

  /** The session is over here, whatever the API says. */
  async #endAtApi(token: string): Promise<void> {
    try {
      await createClient({ ...this.#options, token }).auth.logout()
    } catch (error) {
      if (!(error instanceof GuildhallError)) throw error
    }
  }

  #read(): Kept | undefined {
    try {
      return JSON.parse(this.#storage.getItem(this.#name) ?? '') as Kept
    } catch {
      return undefined
    }
  }

  #write(kept: Kept): void {
    this.#storage.setItem(this.#name, JSON.stringify(kept))
  }

  #inform(): void {
    this.#channel?.postMessage('')
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.isLoggedIn)
  }
}

/** The length of a token is measured by the clock of this machine, which may be an hour off. */
const toKept = (
  login: string,
  { access_token: access, refresh_token: refresh, expires_in }: Tokens,
): Kept => ({
  ...{ login, access, refresh },
  expires: Date.now() + expires_in * 1000,
})

/** Undefined where there is none, or where the browser forbids it. */
function browserStorage(): TokenStorage | undefined {
  try {
    const storage = (globalThis as { document?: unknown }).document === undefined ? undefined : localStorage
    const probe = 'guildhall.probe'
    storage?.setItem(probe, '')
    storage?.removeItem(probe)
    return storage
  } catch {
    return undefined
  }
}

function memoryStorage(): TokenStorage {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}
