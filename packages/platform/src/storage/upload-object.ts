import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { PartBytes, PartMemory } from './part-memory.ts'
import type { PartUploads, StoredPart } from './part-uploads.ts'

/** Bytes of one part of an upload, the smallest that S3 takes. */
const PART_BYTES = 5 * 1024 * 1024

interface Storage {
  readonly client: S3Client
  readonly parts: PartUploads
  readonly memory: PartMemory
}

interface Place {
  readonly Bucket: string
  readonly Key: string
}

/**
 * Writes an object of what comes, all of it or nothing: small ones at once, larger ones part by part. While a part is on
 * its way the next one is filled, as far as the memory of all uploads goes.
 */
export async function uploadObject(
  { client, parts, memory }: Storage,
  place: Place,
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const holder: PartBytes = { reserved: 0 }
  let chunks: Buffer[] = []
  let filled = 0
  let upload: PartsInOrder | undefined
  const collected = () => {
    const [bytes, body] = [filled, Buffer.concat(chunks, filled)]
    chunks = []
    filled = 0
    // From here on the sender owns the bytes.
    memory.giveBack(holder, bytes)
    return body
  }
  try {
    for await (const chunk of source) {
      await memory.take(holder, chunk.length)
      chunks.push(chunk)
      filled += chunk.length
      if (filled < PART_BYTES) continue
      upload ??= await PartsInOrder.begin(parts, memory, place.Key)
      await upload.add(collected)
    }
    if (upload) {
      if (filled > 0) await upload.add(collected)
      return await upload.complete()
    }
    await memory.send(() =>
      client.send(
        new PutObjectCommand({ ...place, Body: collected(), ContentType: 'application/octet-stream' }),
      ),
    )
  } catch (error) {
    await upload?.abandon()
    throw error
  } finally {
    memory.giveBack(holder, holder.reserved)
  }
}

/** One upload of several parts, one on its way at a time. */
class PartsInOrder {
  readonly #parts: PartUploads
  readonly #memory: PartMemory
  readonly #key: string
  readonly #uploadId: string
  readonly #stored: StoredPart[] = []
  #underWay: Promise<void> = Promise.resolve()

  private constructor(parts: PartUploads, memory: PartMemory, key: string, uploadId: string) {
    this.#parts = parts
    this.#memory = memory
    this.#key = key
    this.#uploadId = uploadId
  }

  static async begin(parts: PartUploads, memory: PartMemory, key: string): Promise<PartsInOrder> {
    return new PartsInOrder(parts, memory, key, await parts.begin(key))
  }

  /** Resolves when the part is on its way, which is when the one before it is stored. */
  async add(collected: () => Buffer): Promise<void> {
    await this.#underWay
    const { promise: isTaken, resolve } = Promise.withResolvers<void>()
    this.#underWay = this.#memory.send(async () => {
      const body = collected()
      resolve()
      this.#stored.push(await this.#parts.put(this.#key, this.#uploadId, this.#stored.length + 1, body))
    })
    // The next wait for a part throws this error.
    this.#underWay.catch(() => {})
    await isTaken
  }

  async complete(): Promise<void> {
    await this.#underWay
    await this.#parts.complete(this.#key, this.#uploadId, this.#stored)
  }

  /** The storage clears away what it cannot be asked to. */
  async abandon(): Promise<void> {
    await this.#underWay.catch(() => {})
    await this.#parts.abandon(this.#key, this.#uploadId).catch(() => {})
  }
}
