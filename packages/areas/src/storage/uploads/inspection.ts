import { createHash } from 'node:crypto'
import { SAMPLE_BYTES, sniffType } from './sniff.ts'

/** What the bytes of a file say of it. */
export interface Inspected {
  readonly size: number
  /** Hexadecimal SHA-256. */
  readonly checksum: string
  readonly contentType: string
}

/** Looks at a file's bytes while they pass. */
export class Inspection {
  readonly #hash = createHash('sha256')
  readonly #sample: Buffer[] = []
  #sampled = 0
  #size = 0

  /** The same bytes. */
  async *through(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.#take(chunk)
      yield chunk
    }
  }

  /** Reads all of a file, only to learn its type. */
  async read(bytes: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of bytes) this.#take(chunk)
  }

  /** To be asked once, when all bytes have passed. */
  async result(declaredType: string): Promise<Inspected> {
    return {
      size: this.#size,
      checksum: this.#hash.digest('hex'),
      contentType: await sniffType(Buffer.concat(this.#sample), declaredType),
    }
  }

  #take(chunk: Buffer): void {
    this.#size += chunk.length
    this.#hash.update(chunk)
    if (this.#sampled === SAMPLE_BYTES) return
    // A copy, so that the sample does not keep the whole chunk in memory.
    const part = Buffer.from(chunk.subarray(0, SAMPLE_BYTES - this.#sampled))
    this.#sample.push(part)
    this.#sampled += part.length
  }
}
