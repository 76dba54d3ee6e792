/** Kind of a message, and four bytes of length that count themselves (PostgreSQL's protocol 3, "Message Formats"). */
const HEADER_BYTES = 5
/** The kind of one that brings a row of COPY. */
const COPY_DATA = 0x64

const NOTHING = Buffer.alloc(0)

/**
 * Parts what a connection brings while PostgreSQL copies into rows and other messages. Rows are shown where they lie:
 * pg's own parser makes an object and a view for each and joins chunk to chunk, which takes longer than all else that a
 * row needs here, and leaves so much behind that its clearing away holds up other requests (docs/decisions/0019).
 */
export class CopyMessages {
  readonly #onRow: (bytes: Buffer, from: number, to: number) => void
  readonly #onOther: (message: Buffer) => void
  /** A message whose end has not come: as long as it will be or, until that is known, as long as a header. */
  #begun = NOTHING
  #filled = 0

  /**
   * @param onRow told where a row begins and ends; its bytes are valid until it returns
   * @param onOther given every other message, whole
   */
  constructor(onRow: (bytes: Buffer, from: number, to: number) => void, onOther: (message: Buffer) => void) {
    this.#onRow = onRow
    this.#onOther = onOther
  }

  /** Takes what has come, wherever it is cut. */
  read(chunk: Buffer): void {
    let at = this.#begun.length > 0 ? this.#goOn(chunk) : 0
    while (at + HEADER_BYTES <= chunk.length) {
      const end = at + sizeAt(chunk, at)
      if (end > chunk.length) break
      this.#show(chunk, at, end)
      at = end
    }
    if (at === chunk.length) return
    const isSized = at + HEADER_BYTES <= chunk.length
    this.#begun = Buffer.allocUnsafe(isSized ? sizeAt(chunk, at) : HEADER_BYTES)
    this.#filled = chunk.copy(this.#begun, 0, at)
  }

  /** @returns how much of the chunk belongs to the message that began before it */
  #goOn(chunk: Buffer): number {
    let at = this.#fill(chunk, 0)
    if (this.#filled < this.#begun.length) return at
    const size = sizeAt(this.#begun, 0)
    if (size > this.#begun.length) {
      const whole = Buffer.allocUnsafe(size)
      this.#begun.copy(whole)
      this.#begun = whole
      at += this.#fill(chunk, at)
      if (this.#filled < size) return at
    }
    const message = this.#begun
    this.#begun = NOTHING
    this.#show(message, 0, size)
    return at
  }

  #fill(chunk: Buffer, from: number): number {
    const bytes = chunk.copy(this.#begun, this.#filled, from)
    this.#filled += bytes
    return bytes
  }

  #show(bytes: Buffer, from: number, to: number): void {
    if (bytes[from] === COPY_DATA) this.#onRow(bytes, from + HEADER_BYTES, to)
    else this.#onOther(bytes.subarray(from, to))
  }
}

const sizeAt = (bytes: Buffer, at: number): number => 1 + bytes.readUInt32BE(at + 1)
