import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { reached } from './unavailable.ts'

/** A part that is stored. */
export interface StoredPart {
  readonly number: number
  readonly etag: string
}

/**
 * Objects that are written over hours, by several processes one after the other: each part is stored by itself, and
 * what is noted of it is all that the next one has to know. `Objects.removeBelow` gives up what was begun.
 *
 * Every method throws ApiError 503 where the storage is not set up or cannot be reached.
 */
export class PartUploads {
  readonly #client: S3Client
  readonly #bucket: string

  constructor(client: S3Client, bucket: string) {
    this.#client = client
    this.#bucket = bucket
  }

  /** @returns what names the upload from then on */
  begin(key: string): Promise<string> {
    const place = { Bucket: this.#bucket, Key: key }
    return reached(async () => {
      const command = new CreateMultipartUploadCommand({ ...place, ContentType: 'application/octet-stream' })
      const { UploadId } = await this.#client.send(command)
      if (UploadId === undefined) throw new TypeError('the storage named no upload')
      return UploadId
    })
  }

  /**
   * Stores a part.
   * @param number from 1 to MOST_PARTS (objects.ts); parts are put together in the order of their numbers, which may have gaps
   * @param bytes at least 5 MiB, unless it is the last
   */
  put(key: string, uploadId: string, number: number, bytes: Buffer): Promise<StoredPart> {
    const place = { Bucket: this.#bucket, Key: key }
    return reached(async () => {
      const { ETag } = await this.#client.send(
        new UploadPartCommand({ ...place, UploadId: uploadId, PartNumber: number, Body: bytes }),
      )
      if (ETag === undefined) throw new TypeError('the storage did not say what it stored')
      return { number, etag: ETag }
    })
  }

  /** Gives up what was begun. */
  async abandon(key: string, uploadId: string): Promise<void> {
    const place = { Bucket: this.#bucket, Key: key }
    await reached(() => this.#client.send(new AbortMultipartUploadCommand({ ...place, UploadId: uploadId })))
  }

  /** Makes the object of its parts, in the order of their numbers. */
  async complete(key: string, uploadId: string, parts: readonly StoredPart[]): Promise<void> {
    const place = { Bucket: this.#bucket, Key: key }
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
    await reached(() =>
      this.#client.send(
        new CompleteMultipartUploadCommand({ ...place, UploadId: uploadId, MultipartUpload: { Parts } }),
      ),
    )
  }
}
