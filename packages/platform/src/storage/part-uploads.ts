import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { isMissing } from './log-faults.ts'
import { WHOLE_OBJECT } from './s3-client.ts'
import { reached, unreachable } from './unavailable.ts'

/** A part that is stored. */
export interface StoredPart {
  readonly number: number
  readonly etag: string
}

/** A part of an upload that was begun. */
export interface ListedPart extends StoredPart {
  /** Bytes. */
  readonly size: number
}

/** What may be PUT to a signed URL of a part. */
export interface SignedPart {
  readonly number: number
  readonly size: number
  /** How long it works. */
  readonly seconds: number
}

/**
 * Objects that are written over hours, by several processes one after the other: each part is stored by itself, and
 * what is noted of it is all that the next one has to know. `Objects.removeBelow` gives up what was begun.
 *
 * Every method throws ApiError 503 where the storage is not set up or cannot be reached.
 */
export class PartUploads {
  readonly #client: S3Client
  /** Signs URLs for those who reach the storage at another address. */
  readonly #signer: S3Client
  readonly #bucket: string

  constructor(client: S3Client, signer: S3Client, bucket: string) {
    this.#client = client
    this.#signer = signer
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

  /** A URL to which exactly so many bytes may be PUT, as one part. Its answer has the ETag of the part. */
  sign(key: string, uploadId: string, { number, size, seconds }: SignedPart): Promise<string> {
    const place = { Bucket: this.#bucket, Key: key }
    const command = new UploadPartCommand({
      ...{ ...place, UploadId: uploadId, PartNumber: number, ContentLength: size },
    })
    return reached(() =>
      getSignedUrl(this.#signer, command, {
        expiresIn: seconds,
        signableHeaders: new Set(['host', 'content-length']),
      }),
    )
  }

  /** The parts that have arrived, in the order of their numbers; undefined where the upload was completed or given up. */
  async list(key: string, uploadId: string): Promise<ListedPart[] | undefined> {
    const place = { Bucket: this.#bucket, Key: key, UploadId: uploadId }
    const found: ListedPart[] = []
    let after: string | undefined
    try {
      do {
        const page = await this.#client.send(
          new ListPartsCommand({ ...place, ...(after && { PartNumberMarker: after }) }),
        )
        for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? [])
          found.push({ number: PartNumber, etag: ETag, size: Size })
        after = page.IsTruncated ? page.NextPartNumberMarker : undefined
      } while (after)
      return found
    } catch (error) {
      if (isMissing(error)) return undefined
      throw unreachable(error)
    }
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
        WHOLE_OBJECT,
      ),
    )
  }
}
