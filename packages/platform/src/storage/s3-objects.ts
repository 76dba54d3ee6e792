import { Readable, Transform } from 'node:stream'
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
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { MOST_DOWNLOADS, MOST_UPLOADS } from '../http/limits/transfer-slots.ts'
import type { Log } from '../telemetry/log.ts'
import { isMissing, logFaults, type StorageState } from './log-faults.ts'
import { PartMemory } from './part-memory.ts'
import { PartUploads } from './part-uploads.ts'
import { clientFor, type S3Settings, WHOLE_OBJECT } from './s3-client.ts'
import type { ByteRange, Measured, OpenObject, SignedGet, SignedPut } from './stored-object.ts'
import { reached, unavailable, unreachable } from './unavailable.ts'
import { uploadObject } from './upload-object.ts'

/** What `Objects` does, by the library. */
export class S3Objects {
  /** For objects that no process may live long enough to write. */
  readonly parts: PartUploads
  readonly #bucket: string
  readonly #client: S3Client
  /** Signs URLs for those who reach the storage at another address. */
  readonly #signer: S3Client
  /** Opens what clients read at their own pace, so that nothing else waits for their connections. */
  readonly #downloads: S3Client
  readonly #memory = new PartMemory()
  readonly #state: StorageState
  #uploads = 0

  constructor(settings: S3Settings, bucket: string, log: Log) {
    this.#bucket = bucket
    this.#client = clientFor(settings, settings.S3_ENDPOINT)
    this.#downloads = clientFor(settings, settings.S3_ENDPOINT, MOST_DOWNLOADS)
    this.#state = logFaults([this.#client, this.#downloads], log)
    this.#signer = clientFor(settings, settings.S3_PUBLIC_ENDPOINT ?? settings.S3_ENDPOINT)
    this.parts = new PartUploads(this.#client, this.#signer, bucket)
  }

  get isUp(): boolean | undefined {
    return this.#state.isUp
  }

  async put(key: string, body: AsyncIterable<Buffer>): Promise<void> {
    const Bucket = this.#bucket
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

  get(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    return this.#open(this.#client, key, range)
  }

  getForClient(key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    return this.#open(this.#downloads, key, range)
  }

  async #open(client: S3Client, key: string, range?: ByteRange): Promise<OpenObject | undefined> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: key, ...(Range && { Range }) })
    const found = await unlessMissing(client.send(command))
    if (found === undefined) return undefined
    if (!(found.Body instanceof Readable)) throw unreachable(new TypeError('the answer has no body'))
    const { Body: body, ContentLength: length = 0 } = found
    const wanted = range === undefined ? length : range.end - range.start + 1
    return { body: length > wanted ? firstBytes(body, wanted) : body, length: Math.min(length, wanted) }
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const found = await unlessMissing(
      this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key })),
    )
    return found?.ContentLength
  }

  async copy(from: string, to: string): Promise<boolean> {
    const Bucket = this.#bucket
    const command = new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${from}` })
    return (await unlessMissing(this.#client.send(command, WHOLE_OBJECT))) !== undefined
  }

  async removeBelow(prefix: string, except: readonly string[] = []): Promise<void> {
    const Bucket = this.#bucket
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
          if (Key !== undefined && !except.includes(Key))
            await this.#client.send(new DeleteObjectCommand({ Bucket, Key }))
        after = page.NextContinuationToken
      } while (after)
    })
  }

  async measure(prefix: string): Promise<Measured> {
    let [objects, bytes] = [0, 0]
    for await (const { size } of this.list(prefix)) {
      objects += 1
      bytes += size
    }
    return { objects, bytes }
  }

  /** The objects below a prefix, in the order of their keys, a page in memory at a time. */
  async *list(prefix: string): AsyncGenerator<{ readonly key: string; readonly size: number }> {
    if (!prefix.endsWith('/')) throw new RangeError(`${prefix} does not end with a slash`)
    let after: string | undefined
    do {
      const page = await reached(() =>
        this.#client.send(
          new ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: prefix,
            ...(after && { ContinuationToken: after }),
          }),
        ),
      )
      for (const { Key, Size } of page.Contents ?? [])
        if (Key !== undefined) yield { key: Key, size: Size ?? 0 }
      after = page.NextContinuationToken
    } while (after)
  }

  signedPut(key: string, { size, type, seconds }: SignedPut): Promise<string> {
    const place = { Bucket: this.#bucket, Key: key }
    const command = new PutObjectCommand({ ...place, ContentLength: size, ContentType: type })
    return reached(() =>
      getSignedUrl(this.#signer, command, {
        expiresIn: seconds,
        signableHeaders: new Set(['host', 'content-length', 'content-type']),
      }),
    )
  }

  signedGet(key: string, { type, disposition, seconds }: SignedGet): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
    })
    return reached(() => getSignedUrl(this.#signer, command, { expiresIn: seconds }))
  }

  async ping(): Promise<void> {
    const Bucket = this.#bucket
    await reached(() => this.#client.send(new HeadBucketCommand({ Bucket })))
  }

  close(): void {
    this.#client.destroy()
    this.#downloads.destroy()
    this.#signer.destroy()
  }
}

/** Passes the bytes on and reports errors of their source, but not errors of their reader. */
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
    if (isMissing(error)) return undefined
    throw unreachable(error)
  }
}

/**
 * The first bytes of a body, for storages that take the end of a range as a hint: S3rver answers `bytes=0-0` with the whole
 * object. Bytes after the announced length would be read as the next answer of the connection.
 */
function firstBytes(body: Readable, count: number): Readable {
  let left = count
  const part = new Transform({
    transform(chunk: Buffer, _, done) {
      const taken = chunk.subarray(0, left)
      left -= taken.length
      if (taken.length > 0) this.push(taken)
      if (left === 0 && taken.length > 0) this.push(null)
      done()
    },
  })
  body.once('error', (error) => part.destroy(error))
  part.once('close', () => body.destroy())
  return body.pipe(part)
}
