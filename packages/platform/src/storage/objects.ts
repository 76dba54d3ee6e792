import type { Log } from '../telemetry/log.ts'
import type { PartUploads } from './part-uploads.ts'
import type { S3Settings } from './s3-client.ts'
import type { S3Objects } from './s3-objects.ts'
import type { ByteRange, Measured, OpenObject, SignedGet, SignedPut } from './stored-object.ts'
import { unavailable } from './unavailable.ts'

/** What S3 numbers parts up to. */
export const MOST_PARTS = 10_000

/**
 * The bucket for everything large, on any server that speaks S3. Keys are made of ids, never of names, and begin with
 * the project's id. Everything that is written or read is streamed: no object is ever held in memory.
 *
 * Every method throws ApiError 503 where the storage is not set up or cannot be reached. The library is loaded when the
 * storage is first used, because it takes a fifth of the time that a process needs to start.
 */
export class Objects {
  readonly #settings: S3Settings
  readonly #log: Log
  #opening: Promise<S3Objects> | undefined
  #opened: S3Objects | undefined
  #isClosed = false

  constructor(settings: S3Settings, log: Log) {
    this.#settings = settings
    this.#log = log
  }

  /** For objects that no process may live long enough to write. */
  readonly parts: Pick<PartUploads, 'begin' | 'put' | 'sign' | 'list' | 'abandon' | 'complete'> = {
    begin: async (...of) => (await this.#open()).parts.begin(...of),
    put: async (...of) => (await this.#open()).parts.put(...of),
    sign: async (...of) => (await this.#open()).parts.sign(...of),
    list: async (...of) => (await this.#open()).parts.list(...of),
    abandon: async (...of) => (await this.#open()).parts.abandon(...of),
    complete: async (...of) => (await this.#open()).parts.complete(...of),
  }

  /** Whether there is a bucket at all. */
  get isSetUp(): boolean {
    return this.#settings.S3_BUCKET !== undefined
  }

  /** Whether the storage answered this process last time; undefined until it was asked. */
  get isUp(): boolean | undefined {
    return this.#opened?.isUp
  }

  /** For what must not begin where it cannot end. @throws ApiError 503 */
  assertSetUp(): void {
    this.#bucket()
  }

  /**
   * Writes an object: all of it, or nothing. An error of `body` is thrown as it is.
   * @param body read no faster than it can be written
   * @throws ApiError 503 also where too many are being written already
   */
  async put(key: string, body: AsyncIterable<Buffer>): Promise<void> {
    await (await this.#open()).put(key, body)
  }

  /** Opens an object for reading; undefined where there is none. */
  async get(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    return (await this.#open()).get(key, range)
  }

  /** The same for a client, which may take its time: over connections that nothing else waits for. */
  async getForClient(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    return (await this.#open()).getForClient(key, range)
  }

  /** Bytes of an object; undefined where there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    return (await this.#open()).sizeOf(key)
  }

  /** Copies an object inside the storage. @returns false where there is none */
  async copy(from: string, to: string): Promise<boolean> {
    return (await this.#open()).copy(from, to)
  }

  /**
   * Removes what lies below a prefix, begun uploads included. May be repeated.
   * @param prefix ends with a slash, so that it can mean nobody else's
   * @param except keys that stay
   */
  async removeBelow(prefix: string, except: readonly string[] = []): Promise<void> {
    await (await this.#open()).removeBelow(prefix, except)
  }

  /** The objects below a prefix, in the order of their keys. @param prefix ends with a slash */
  async *list(prefix: string): AsyncGenerator<{ readonly key: string; readonly size: number }> {
    yield* (await this.#open()).list(prefix)
  }

  /** How many objects lie below a prefix, and how many bytes. @param prefix ends with a slash */
  async measure(prefix: string): Promise<Measured> {
    return (await this.#open()).measure(prefix)
  }

  /** A URL to which exactly so many bytes of exactly this type may be PUT. */
  async signedPut(key: string, of: SignedPut): Promise<string> {
    return (await this.#open()).signedPut(key, of)
  }

  /** A URL from which an object may be read. */
  async signedGet(key: string, as: SignedGet): Promise<string> {
    return (await this.#open()).signedGet(key, as)
  }

  /** Asks whether the bucket is there. */
  async ping(): Promise<void> {
    await (await this.#open()).ping()
  }

  close(): void {
    this.#isClosed = true
    this.#opened?.close()
  }

  async #open(): Promise<S3Objects> {
    const bucket = this.#bucket()
    this.#opening ??= this.#load(bucket)
    return this.#opening
  }

  async #load(bucket: string): Promise<S3Objects> {
    const { S3Objects } = await import('./s3-objects.ts')
    this.#opened = new S3Objects(this.#settings, bucket, this.#log)
    if (this.#isClosed) this.#opened.close()
    return this.#opened
  }

  #bucket(): string {
    const { S3_BUCKET } = this.#settings
    if (S3_BUCKET === undefined)
      throw unavailable('Files cannot be stored here: this installation has no object storage (S3_BUCKET)')
    return S3_BUCKET
  }
}
