import type { ServerResponse } from 'node:http'
import { Transform, type TransformCallback } from 'node:stream'
import { free } from '../../values/free.ts'

/** Bytes that pass before the next turn is waited for. */
export const PIECE_BYTES = 256 * 1024

/**
 * Passes bytes on a piece at a time. A storage that is near brings megabytes in one turn of the event loop, and eight downloads made
 * every other request wait for a tenth of a second.
 */
export class PacedDownload extends Transform {
  readonly #nextTurn: () => Promise<void>
  #left = PIECE_BYTES

  /** @param nextTurn waits until the next piece may pass */
  constructor(nextTurn: () => Promise<void>) {
    super()
    this.#nextTurn = nextTurn
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#left -= chunk.length
    if (this.#left > 0) {
      done(null, chunk)
      return
    }
    this.#left = PIECE_BYTES
    this.#nextTurn().then(() => done(null, chunk), done)
  }
}

/**
 * Frees the memory of each chunk of an answer as soon as the system has it. Otherwise V8 looks through
 * the whole heap four times a second beside a few downloads (`free`). The stream that is piped
 * into the answer must hand out its chunks to nobody else.
 */
export function freeSentChunks(answer: ServerResponse): void {
  const written: Buffer[] = []
  answer.once('pipe', (source) => {
    // After the listener of the pipe, which writes the chunk.
    source.on('data', (chunk: Buffer) => {
      const isUnderWay = answer.writableLength > 0
      // While the chunk itself waits, all before it may wait, too.
      if (answer.writableLength <= chunk.length) for (const sent of written.splice(0)) free(sent)
      if (isUnderWay) written.push(chunk)
      else free(chunk)
    })
  })
}
