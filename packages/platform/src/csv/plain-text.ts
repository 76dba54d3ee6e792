import { isUtf8 } from 'node:buffer'

/** The first byte that is not part of a text: it is not UTF-8, or it is NUL, which PostgreSQL cannot store. */
export interface BadByte {
  readonly kind: 'encoding' | 'nul'
  /** Counted from 0. */
  readonly offset: number
  readonly value: number
}

/** The replacement of a byte that is not part of the text. */
const SUBSTITUTE = Buffer.from('?')
const REPLACEMENT = Buffer.from('\ufffd')

/**
 * Passes bytes on, up to the first one that is not part of a text in UTF-8. That byte is reported and replaced by a
 * `?`, and the stream ends. So a reader gets as far as the bad byte.
 * @param onBad called before the `?` is passed on
 */
export async function* plainText(
  bytes: AsyncIterable<Buffer>,
  onBad: (bad: BadByte) => void,
): AsyncGenerator<Buffer> {
  let before = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = text.subarray(0, text.length - incompleteTail(text))
    const bad = badByte(whole)
    if (bad !== undefined) {
      onBad({ ...bad, offset: before + bad.offset })
      yield Buffer.concat([whole.subarray(0, bad.offset), SUBSTITUTE])
      return
    }
    if (whole.length > 0) yield whole
    before += whole.length
    rest = text.subarray(whole.length)
  }
  if (rest.length === 0) return
  onBad({ kind: 'encoding', offset: before, value: rest[0] ?? 0 })
  yield SUBSTITUTE
}

/** Bytes at the end of a chunk that start a character and do not complete it: at most three. */
function incompleteTail(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back++) {
    const byte = chunk[chunk.length - back] ?? 0
    // A continuation byte.
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

function badByte(text: Buffer): BadByte | undefined {
  const nul = text.indexOf(0)
  const wrong = isUtf8(text) ? -1 : firstInvalid(text)
  if (nul < 0 && wrong < 0) return undefined
  const kind = nul >= 0 && (wrong < 0 || nul < wrong) ? 'nul' : 'encoding'
  const offset = kind === 'nul' ? nul : wrong
  return { kind, offset, value: text[offset] ?? 0 }
}

/** Where a text is not UTF-8: at the first replacement character that is not in the text itself. */
function firstInvalid(bytes: Buffer): number {
  const text = bytes.toString()
  let offset = 0
  let from = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', from)) {
    offset += Buffer.byteLength(text.slice(from, at))
    if (!bytes.subarray(offset, offset + REPLACEMENT.length).equals(REPLACEMENT)) return offset
    offset += REPLACEMENT.length
    from = at + 1
  }
  return offset
}
