import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { MOST_DOWNLOADS, MOST_UPLOADS } from '../http/limits/transfer-slots.ts'
import { PartMemory } from './part-memory.ts'
import { PartUploads } from './part-uploads.ts'
import { clientFor, type S3Settings } from './s3-client.ts'
import { reached, unavailable, unreachable } from './unavailable.ts'
import { uploadObject } from './upload-object.ts'

/** A part of an object, from and to these bytes, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An object being read: all of `body` is read, or it is destroyed. */
export interface OpenObject {
  readonly body: Readable
  /** Bytes that `body` will bring. */
  readonly length: number
}

/**
 * The bucket for everything large, on any server that speaks S3. Keys are made of ids, never of names, and begin with
 * the project's id. Everything that is written or read is streamed: no object is ever held in memory.
 *
 * Every method throws ApiError 503 where the storage is not set up or cannot be reached.
 */
export class Objects {
  /** For objects that no process may live long enough to write. */
  readonly parts: PartUploads
  readonly #bucket: string | undefined
  readonly #client: S3Client
  /** Signs URLs for those who reach the storage at another address. */
  readonly #signer: S3Client
  /** Opens what clients read at their own pace, so that nothing else waits for their connections. */
  readonly #downloads: S3Client
  readonly #memory = new PartMemory()
  #uploads = 0

  constructor(settings: S3Settings) {
    this.#bucket = settings.S3_BUCKET
    this.#client = clientFor(settings, settings.S3_ENDPOINT)
    this.#downloads = clientFor(settings, settings.S3_ENDPOINT, MOST_DOWNLOADS)
    this.#signer = clientFor(settings, settings.S3_PUBLIC_ENDPOINT ?? settings.S3_ENDPOINT)
    this.parts = new PartUploads(this.#client, () => this.#need())
  }

  /** Whether there is a bucket at all. */
  get isSetUp(): boolean {
    return this.#bucket !== undefined
  }

  /** For what must not begin where it cannot end. @throws ApiError 503 */
  assertSetUp(): void {
    this.#need()
  }

  /**
   * Writes an object: all of it, or nothing. What it throws where `body` does is that error.
   * @param body read no faster than it can be written
   * @throws ApiError 503 also where too many are being written already
   */
  async put(key: string, body: AsyncIterable<Buffer>): Promise<void> {
    const Bucket = this.#need()
    if (this.#uploads >= MOST_UPLOADS) throw unavailable('Too many files are being stored now: try again')
    this.#uploads++
    let broken: unknown
    const source = Readable.from(watched(body, (error) => (broken = error)))
    try {
      const storage = { client: this.#client, parts: this.parts, memory: this.#memory }
      await uploadObject(storage, { Bucket, Key: key }, source)
    } catch (error) {
      throw broken ?? unreachable(error)
    } finally {
      this.#uploads--
      source.destroy()
    }
  }

  /** Opens an object for reading; undefined where there is none. */
  get(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    return this.#open(this.#client, key, range)
  }

  /** The same for a client, which may take its time: over connections that nothing else waits for. */
  getForClient(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    return this.#open(this.#downloads, key, range)
  }

  async #open(client: S3Client, key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const command = new GetObjectCommand({ Bucket: this.#need(), Key: key, ...(Range && { Range }) })
    const found = await unlessMissing(client.send(command))
    if (found === undefined) return undefined
    if (!(found.Body instanceof Readable)) throw unreachable(new TypeError('the answer has no body'))
    return { body: found.Body, length: found.ContentLength ?? 0 }
  }

  /** Bytes of an object; undefined where there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    const found = await unlessMissing(
      this.#client.send(new HeadObjectCommand({ Bucket: this.#need(), Key: key })),
    )
    return found?.ContentLength
  }

  /** Copies an object inside the storage. @returns false where there is none */
  async copy(from: string, to: string): Promise<boolean> {
    const Bucket = this.#need()
    const command = new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${from}` })
    return (await unlessMissing(this.#client.send(command))) !== undefined
  }

  /**
   * Removes what lies below a prefix, begun uploads included. May be repeated.
   * @param prefix ends with a slash, so that it can mean nobody else's
   * @param except a key that stays
   */
  async removeBelow(prefix: string, except?: string): Promise<void> {
    const Bucket = this.#need()
    if (!prefix.endsWith('/')) throw new RangeError(`${prefix} does not end with a slash`)
    await reached(async () => {
      const begun = await this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix }))
      for (const { Key, UploadId } of begun.Uploads ?? [])
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
      let after: string | undefined
      do {
        const page = await this.#client.send(
          new ListObjectsV2Command({ Bucket, Prefix: prefix, ...(after && { ContinuationToken: after }) }),
        )
        for (const { Key } of page.Contents ?? [])
          if (Key !== except) await this.#client.send(new DeleteObjectCommand({ Bucket, Key }))
        after = page.NextContinuationToken
      } while (after)
    })
  }

  /**
   * A URL to which exactly so many bytes of exactly this type may be PUT.
   * @param seconds how long it works
   */
  signedPut(key: string, { size, type, seconds }: { size: number; type: string; seconds: number }) {
    const place = { Bucket: this.#need(), Key: key }
    const command = new PutObjectCommand({ ...place, ContentLength: size, ContentType: type })
    return reached(() =>
      getSignedUrl(this.#signer, command, {
        expiresIn: seconds,
        signableHeaders: new Set(['host', 'content-length', 'content-type']),
      }),
    )
  }

  /**
   * A URL from which an object may be read.
   * @param type and `disposition`: the Content-Type and Content-Disposition that it comes with
   * @param seconds how long it works, a week at the most
   */
  signedGet(
    key: string,
    { type, disposition, seconds }: { type: string; disposition: string; seconds: number },
  ) {
    const command = new GetObjectCommand({
      Bucket: this.#need(),
      Key: key,
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
    })
    return reached(() => getSignedUrl(this.#signer, command, { expiresIn: seconds }))
  }

  /** Asks whether the bucket is there. */
  async ping(): Promise<void> {
    const Bucket = this.#need()
    await reached(() => this.#client.send(new HeadBucketCommand({ Bucket })))
  }

  close(): void {
    this.#client.destroy()
    this.#downloads.destroy()
    this.#signer.destroy()
  }

  #need(): string {
    if (this.#bucket === undefined)
      throw unavailable('Files cannot be stored here: this installation has no object storage (S3_BUCKET)')
    return this.#bucket
  }
}

/** Passes the bytes on and reports errors of their source, but no errors of whoever reads them. */
async function* watched(
  body: AsyncIterable<Buffer>,
  onError: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        onError(error)
        throw error
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await chunks.return?.()
  }
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof S3ServiceException && MISSING.has(error.name)) return undefined
    throw unreachable(error)
  }
}

/** An object that is not there; a HEAD has no body that could say more than NotFound. */
const MISSING = new Set(['NoSuchKey', 'NotFound'])
